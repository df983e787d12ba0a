import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MockLlm, type MockScenario, startMockLlm } from '../../mock-llm-server/testing.ts';
import { startTestChromium } from '../support/screens/chromium.ts';

/** A text that runs a script if a page takes it as HTML anywhere. */
const HOSTILE =
  '"><img src=x onerror="window.hacked=1"><script>window.hacked=2</script></pre><svg onload=window.hacked=3>\'';

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'reads',
    trigger: 'read it',
    steps: [
      {
        expect: { system: 'careful' },
        response: { tool_calls: [{ name: 'read_file', arguments: { path: HOSTILE } }] },
      },
      { response: { content: HOSTILE } },
    ],
  },
  {
    name: HOSTILE,
    trigger: 'be busy',
    steps: [{ response: { content: 'Done.' }, fault: { status: 429, retry_after: 1 } }],
  },
];

let browser: Browser;
let context: BrowserContext;
let page: Page;
let llm: MockLlm;
let failures: string[];

beforeAll(async () => {
  browser = await startTestChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  llm = await startMockLlm({ scenarios: SCENARIOS });
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  failures = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(llm.url)) failures.push(`a request to ${request.url()}`);
  });
});
afterEach(async () => {
  expect(failures).toEqual([]);
  await context.close();
  await llm.close();
});

/** Sends a prompt; `more` are further fields of the request. */
async function ask(
  content: string,
  { test, ...more }: { test?: string; [field: string]: unknown } = {},
): Promise<void> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more });
  const headers = test === undefined ? {} : { 'x-test-id': test };
  await (await fetch(`${llm.url}/v1/chat/completions`, { method: 'POST', headers, body })).text();
}

const open = (query = '') => page.goto(`${llm.url}/__mock${query}`);
const item = (number: number) => page.locator(`li[data-number="${number}"]`);

it('the page shows a new request with its step, without a reload', async () => {
  await open();
  await page.getByText('No request yet').waitFor();
  await ask('read it', { tools: [{ type: 'function', function: { name: 'read_file' } }] });
  await item(1).locator('summary').getByText('reads, step 0').waitFor();
  expect(await page.locator('#status').textContent()).toBe('1 request, 1 expectation not met');
  await item(1).locator('summary').click();
  const text = await item(1).innerText();
  expect(text).toContain('system: expected careful, found nothing');
  expect(text).toContain('tools read_file');
  await ask('read it');
  await item(2).waitFor();
  expect(await page.locator('#requests > li').first().getAttribute('data-number')).toBe('2');
  expect(await item(1).locator('details').getAttribute('open')).toBe('');
});

it('the page explains a request without a match and shows a fault', async () => {
  await ask('something else');
  await ask('be busy');
  await open();
  await item(1).locator('summary').click();
  expect(await item(1).innerText()).toContain('No scenario matches this request. The user said: "something else"');
  expect(await item(2).locator('summary').innerText()).toContain('429');
  expect(await item(2).locator('summary').innerText()).toContain('fault status 429, retry_after 1');
});

it('the page shows older requests on demand, even those that new ones have displaced', async () => {
  const askMany = async (count: number) => {
    for (let done = 0; done < count; done++) await ask('read it');
  };
  await askMany(101);
  await open();
  await page.getByText('Older requests').click();
  await page.waitForURL(/before=2$/);
  expect(await page.locator('#requests > li').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false);
  await page.getByText('Newest requests').click();
  await item(101).waitFor();
  // A page takes over up to 100 new requests at a time, and shows 200.
  await askMany(60);
  await item(161).waitFor();
  await askMany(60);
  await item(221).waitFor();
  expect(await page.locator('#requests > li').count()).toBe(200);
  await page.getByText('Older requests').click();
  await page.waitForURL(/before=22$/);
  await item(21).waitFor();
});

it('the page shows hostile texts as text, at the start and live', async () => {
  await ask(HOSTILE, { model: HOSTILE, test: HOSTILE, tools: [{ type: 'function', function: { name: HOSTILE } }] });
  await ask('read it');
  await open();
  await ask(HOSTILE, {
    messages: [
      { role: 'system', content: HOSTILE },
      { role: 'user', content: `be busy ${HOSTILE}` },
    ],
  });
  await ask(HOSTILE);
  await item(4).waitFor();
  for (const number of [1, 2, 3, 4]) await item(number).locator('summary').click();
  expect(await item(1).innerText()).toContain(HOSTILE);
  expect(await item(3).locator('summary').innerText()).toContain(HOSTILE);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('#requests img, #requests script, #requests svg').count()).toBe(0);
});

it('the page shows no key', async () => {
  const key = `sk-${'x'.repeat(40)}`;
  await ask(`read it with ${key}`, {
    messages: [
      { role: 'system', content: key },
      { role: 'user', content: `hm ${key}` },
    ],
  });
  await open();
  expect(await page.content()).toContain('[redacted]');
  expect(await page.content()).not.toContain(key);
});

it('the page copies a scenario that answers the request', async () => {
  await ask('what about\nthe weather');
  await open();
  await item(1).locator('summary').click();
  await item(1).getByRole('button', { name: 'Copy a scenario' }).click();
  await item(1).getByText('Copied.').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  const headers = { 'content-type': 'application/json' };
  const added = await fetch(`${llm.url}/__mock/scenarios`, { method: 'POST', headers, body: copied });
  expect(added.status).toBe(201);
  await ask('what about\nthe weather');
  expect(llm.requests.map(({ status }) => status)).toEqual([400, 200]);
});

it('the page works with the keyboard', async () => {
  await ask('read it');
  await open();
  await page.locator('#test').focus();
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  expect(await page.evaluate('document.activeElement.id')).toBe('pause');
  await page.keyboard.press('Enter');
  expect(await page.locator('#pause').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await item(1).locator('details').getAttribute('open')).toBe('');
});

it('the page polls for new requests until it is paused', async () => {
  await page.clock.install();
  await open();
  const answered = page.waitForResponse(/after=0/);
  await page.clock.runFor(1500);
  await (await answered).finished();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.clock.runFor(1500);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (let second = 0; second < 5; second++) await page.clock.runFor(1000);
  expect(asked).toEqual([]);
});

it('the page shows the requests of one test, and starts over when the journal is cleared', async () => {
  await ask('read it', { test: 'a' });
  await ask('read it', { test: 'b' });
  await open();
  await page.getByLabel('Test id').fill('b');
  await page.getByLabel('Test id').press('Enter');
  await page.waitForURL(/test=b/);
  expect(await page.locator('#requests > li').count()).toBe(1);
  await fetch(`${llm.url}/__mock/journal`, { method: 'DELETE' });
  await page.getByText('No request yet').waitFor();
  expect(await page.locator('#requests > li').count()).toBe(0);
});

it('the page keeps the token of its address', async () => {
  await using guarded = await startMockLlm({ scenarios: SCENARIOS, token: 'a token & more' });
  expect((await page.goto(`${guarded.url}/__mock`))?.status()).toBe(401);
  expect((await page.goto(`${guarded.url}/__mock?key=a+token+%26+more`))?.status()).toBe(200);
  await page.getByLabel('Test id').fill('b');
  await page.getByLabel('Test id').press('Enter');
  await page.waitForURL(/test=b/);
  const refreshed = await page.waitForResponse(/after=0/);
  expect(refreshed.status()).toBe(200);
  // The first answer is a 401, and the server is not the one that the other tests ask.
  failures = failures.filter((failure) => !/401|a request to/.test(failure));
});

it.each(['light', 'dark'] as const)(
  'the page is readable in %s colors: texts have a contrast of at least 4.5',
  async (colorScheme) => {
    await ask('read it');
    await ask('be busy');
    await page.emulateMedia({ colorScheme });
    await open();
    const colors =
      await page.evaluate(`[...document.querySelectorAll('body, .soft, .bad, .good, .note, h2')].map((element) =>
    [getComputedStyle(element).color, getComputedStyle(document.body).backgroundColor])`);
    const pairs: readonly (readonly [string, string])[] = JSON.parse(JSON.stringify(colors));
    expect(pairs.length).toBeGreaterThan(4);
    for (const [text, back] of pairs) expect(contrast(text, back), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
  },
);

/** The contrast of two colors by WCAG 2, from 1 to 21. */
function contrast(...colors: readonly [string, string]): number {
  const [one, other] = colors.map((color) => {
    const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => {
      const value = Number(channel) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (channels[0] ?? 0) + 0.7152 * (channels[1] ?? 0) + 0.0722 * (channels[2] ?? 0);
  });
  return (Math.max(one ?? 0, other ?? 0) + 0.05) / (Math.min(one ?? 0, other ?? 0) + 0.05);
}

it('the page cannot be read or changed by a page of another origin', async () => {
  await ask('read it');
  const other = await startMockLlm({ scenarios: SCENARIOS });
  try {
    // Unlike the page, this answer has no policy that keeps its scripts from asking other servers.
    await page.goto(`${other.url}/health`);
    const body = JSON.stringify({ scenarios: [{ name: 'x', trigger: 'x', steps: [{ response: { content: 'x' } }] }] });
    const requests = [
      ['journal', { method: 'GET' }],
      ['journal', { method: 'DELETE' }],
      ['scenarios', { method: 'PUT', body }],
      ['scenarios', { method: 'POST', body, mode: 'no-cors' }],
    ];
    const outcomes = await page.evaluate(`Promise.all(${JSON.stringify(requests)}.map(([name, options]) =>
      fetch('${llm.url}/__mock/' + name, options).then((answer) => answer.type, () => 'refused')))`);
    // An opaque answer is one that the page cannot read.
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'opaque']);
    expect(llm.requests).toHaveLength(1);
    expect(llm.unused().map(({ scenario }) => scenario)).toEqual(['reads', HOSTILE]);
    // The browser reports each refusal on its console.
    failures = failures.filter((failure) => !/CORS|Failed to load resource|a request to/.test(failure));
  } finally {
    await other.close();
  }
});
