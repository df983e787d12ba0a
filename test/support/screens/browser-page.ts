import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTestChromium } from './chromium.ts';
import { startTestPage, type TestPage, type TestPageOptions } from './web-page.ts';

/** The page of `ybs web` in Chromium, for the tests of a file. Each test opens it. */
export interface BrowserPage {
  readonly context: BrowserContext;
  /** The page of the current test. */
  readonly web: TestPage;
  /** The first tab of the current test. */
  readonly page: Page;
  /** Serves the page. */
  serve(options: TestPageOptions): Promise<void>;
  /** Serves the page, and opens it in a tab. */
  open(options: TestPageOptions): Promise<void>;
  /** Opens a tab whose errors, messages of errors and requests to other origins fail the test. */
  newTab(address?: string): Promise<Page>;
  /** Sends a message from the first tab. */
  send(text: string): Promise<void>;
  /** The text in the message box of the first tab. */
  message(): Promise<string>;
  /** The messages of the agent in the first tab. */
  agentMessages(): Locator;
  /** The question in a tab, by default the first one. */
  question(tab?: Page): Locator;
  /** Waits until a question is shown and accepts answers. */
  waitForQuestion(tab?: Page): Promise<void>;
  /** True if the whole of a part of the question in the first tab is visible, or its end if it is higher than the view. */
  isInView(selector: string): Promise<boolean>;
  /** Returns and clears the failures so far, for a test that expects them. */
  takeFailures(): readonly string[];
}

/** Starts Chromium for the tests of this file. */
export function createBrowserPage(): BrowserPage {
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;
  let web: TestPage | undefined;
  let page: Page | undefined;
  let failures: string[] = [];
  beforeAll(async () => {
    browser = await startTestChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    failures = [];
    context = await browser?.newContext();
  });
  afterEach(async () => {
    await context?.close();
    await web?.close();
    [context, web, page] = [undefined, undefined, undefined];
    expect(failures).toEqual([]);
  });
  const opened: BrowserPage = {
    get context() {
      return present(context);
    },
    get web() {
      return present(web);
    },
    get page() {
      return present(page);
    },
    async serve(options) {
      web = await startTestPage(options);
    },
    async open(options) {
      await opened.serve(options);
      await opened.newTab();
    },
    async newTab(address = opened.web.address) {
      const tab = await opened.context.newPage();
      page ??= tab;
      const { origin } = new URL(address);
      tab.on('pageerror', (error) => failures.push(error.message));
      tab.on('console', (message) => {
        if (message.type() === 'error') failures.push(message.text());
      });
      tab.on('request', (request) => {
        if (!request.url().startsWith(origin)) failures.push(`a request to ${request.url()}`);
      });
      // Keys at a question are accepted after a moment, which a test lets pass.
      await tab.clock.install();
      await tab.goto(address);
      return tab;
    },
    async send(text) {
      await opened.page.fill('#message-input', text);
      await opened.page.click('#send-btn');
    },
    message: () => opened.page.inputValue('#message-input'),
    agentMessages: () => opened.page.locator('.message.agent'),
    question: (tab = opened.page) => tab.locator('form.question'),
    async waitForQuestion(tab = opened.page) {
      await opened.question(tab).waitFor();
      await tab.clock.fastForward(400);
    },
    isInView: (selector) =>
      opened.page.evaluate<boolean>(`(() => {
        const place = document.querySelector('#conversation').getBoundingClientRect();
        const part = document.querySelector('form.question ${selector}')?.getBoundingClientRect();
        if (part === undefined || part.bottom > place.bottom + 1) return false;
        return part.top >= place.top - 1 || (part.height > place.height && part.bottom > place.top);
      })()`),
    takeFailures() {
      const taken = failures;
      failures = [];
      return taken;
    },
  };
  return opened;
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The page is not open.');
  return value;
}
