// Measures the page of `ybs web` in Chromium, medians of ten views with their range: `npm run bench:web`. Needs a build and
// Chromium. The first view ends when the page has drawn its frame, and is usable when it has the session; a session of
// 10,000 events is shown when its last answer is there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { longSessionLog } from '../test/support/long-session.ts';
import { medianWithRange } from './median.ts';

const VIEWS = 10;
const EVENTS = 10_000;

const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const workspace = path.join(home, 'work');
mkdirSync(workspace);
const browser = await startChromium();
try {
  await withServer([], async (address) => {
    const views = await measure(browser, address, '#status', 'Ready');
    console.log(
      `first view drawn:  ${medianWithRange(
        views.map(({ drawn }) => drawn),
        0,
      )} ms`,
    );
    console.log(
      `first view usable: ${medianWithRange(
        views.map(({ shown }) => shown),
        0,
      )} ms, ${views[0]?.bytes} bytes`,
    );
  });
  const sessions = path.join(home, '.config/ybs/sessions');
  mkdirSync(sessions, { recursive: true });
  writeFileSync(path.join(sessions, 'session-20260101-000000-0000.jsonl'), longSessionLog(workspace, EVENTS));
  await withServer(['--continue'], async (address) => {
    const views = await measure(browser, address, '.message.agent', `answer ${EVENTS / 4 - 1}`);
    console.log(
      `session of ${EVENTS} events shown: ${medianWithRange(
        views.map(({ shown }) => shown),
        0,
      )} ms`,
    );
  });
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}

/** Runs `work` while the built command serves the page. */
async function withServer(args: readonly string[], work: (address: string) => Promise<void>): Promise<void> {
  const entry = path.join(import.meta.dirname, '../dist/ybs.js');
  const command = [entry, 'web', '--provider', 'mock', '--port', '0', ...args];
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const server = execa(process.execPath, command, { cwd: workspace, env, reject: false });
  try {
    await work(await addressOf(server.stdout));
  } finally {
    server.kill('SIGINT');
    await server;
  }
}

/** The address that the command prints. */
async function addressOf(output: Readable): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const [, address] = /^Open (\S+)\n/m.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`ybs web ended: ${text}`);
}

/** Opens the page several times, until an element of this kind has a text. */
async function measure(opened: Browser, address: string, selector: string, text: string) {
  const views: { readonly drawn: number; readonly shown: number; readonly bytes: number }[] = [];
  for (let view = 0; view <= VIEWS; view += 1) {
    const context = await opened.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.locator(selector).filter({ hasText: text }).last().waitFor();
    const measured = await page.evaluate(`[
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      performance.now(),
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((total, { decodedBodySize }) => total + decodedBodySize, 0),
    ]`);
    const [drawn = 0, shown = 0, bytes = 0] = (Array.isArray(measured) ? measured : []).map(Number);
    // The first view starts the renderer.
    if (view > 0) views.push({ drawn, shown, bytes });
    await context.close();
  }
  return views;
}
