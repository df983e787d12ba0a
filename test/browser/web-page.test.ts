import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { startChromium } from '../support/chromium.ts';
import { startTestPage, type TestPage } from '../support/web-page.ts';

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'write',
    trigger: 'hello world',
    steps: [
      {
        response: {
          content: 'I write **hello.py**.',
          tool_calls: [{ name: 'write_file', arguments: { path: 'hello.py', content: "print('Hello')\n" } }],
        },
      },
      { response: { tool_calls: [{ name: 'bash', arguments: { command: 'cat hello.py' } }] } },
      { response: { content: 'Done!' } },
    ],
  },
  { name: 'chat', trigger: 'how are you', steps: [{ response: { content: "I'm doing well, thank you." } }] },
];

let browser: Browser;
let context: BrowserContext;
let page: Page;
let web: TestPage;
let failures: string[];

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

async function open(options: Partial<Parameters<typeof startTestPage>[0]> = {}): Promise<void> {
  web = await startTestPage({ scenarios: SCENARIOS, ...options });
  page = await newTab();
}

async function newTab(): Promise<Page> {
  const tab = await context.newPage();
  tab.on('pageerror', (error) => failures.push(error.message));
  tab.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  tab.on('request', (request) => {
    if (!request.url().startsWith(web.url)) failures.push(`a request to ${request.url()}`);
  });
  await tab.goto(web.address);
  return tab;
}

beforeEach(async () => {
  context = await browser.newContext();
  failures = [];
});
afterEach(async () => {
  await context.close();
  await web.close();
  expect(failures).toEqual([]);
});

async function send(text: string): Promise<void> {
  await page.fill('#message-input', text);
  await page.click('#send-btn');
}

const agentMessages = () => page.locator('.message.agent');

describe('the elements that other browser tests know', () => {
  it('answer a message', async () => {
    await open();
    await page.click('button:has-text("Clear")');
    await send('how are you');
    await agentMessages().getByText("I'm doing well").waitFor();
    expect(await agentMessages().count()).toBe(1);
  });

  it('show the calls of tools, and nothing after Clear', async () => {
    await open({ options: { permissionMode: 'full-access' } });
    await page.click('button:has-text("Clear")');
    await send('hello world');
    await agentMessages().last().getByText('Done').waitFor();
    const calls = page.locator('.message.tool');
    expect(await calls.first().textContent()).toContain('write_file');
    expect(await calls.nth(1).textContent()).toContain('bash');
    await page.click('button:has-text("Clear")');
    await page.locator('.message').first().waitFor({ state: 'detached' });
    expect(await page.locator('.message').count()).toBe(0);
  });
});
