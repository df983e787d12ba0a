// Measures the page of `ybs web` in Chromium, medians of interleaved views with their range: `npm run bench:web`. Needs a
// build and Chromium. A view is drawn with the first frame that has a text, and usable with the frame after the status
// says that the session is ready. Beside it is a bare page of one line, which shows the share of the browser. Each view
// has a new server and a new tab. `--build DIRECTORY` adds another build, the `dist` directory
// of another clone, to compare both.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { longSessionLog } from '../../test/support/agent/long-session.ts';
import { startChromium } from '../../test/support/screens/chromium.ts';
import { columns, interleave, requireBuild } from './measure.ts';

const VIEWS = 11;
const EVENTS = 10_000;
/** Chromium loads pages of its own with a new window, which takes the processors for some time. */
const SETTLE_MS = 1_000;

/** Times of a view in milliseconds since the navigation. */
interface View {
  readonly drawn: number;
  readonly usable: number;
  readonly bytes: number;
}

const { values } = parseArgs({ options: { build: { type: 'string', multiple: true } } });
const builds = [undefined, ...(values.build ?? [])].map((directory) => requireBuild(directory));
const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const workspace = path.join(home, 'work');
const sessions = path.join(home, '.config/ybs/sessions');
mkdirSync(workspace);
mkdirSync(sessions, { recursive: true });
writeFileSync(path.join(sessions, 'session-20260101-000000-0000.jsonl'), longSessionLog(workspace, EVENTS));
const browser = await startChromium();
try {
  const last = `answer ${EVENTS / 4 - 1}`;
  const pages = builds.flatMap((build) => [
    [`page of ${build}`, () => measureBuild(build, [], '#status', 'Ready')] as const,
    [`${EVENTS} events, ${build}`, () => measureBuild(build, ['--continue'], '.message.agent', last)] as const,
  ]);
  const kinds = { 'bare page': measureBarePage, ...Object.fromEntries(pages) };
  const views = await interleave(VIEWS, kinds);
  console.log(`load average: ${os.loadavg()[0]?.toFixed(1)}`);
  for (const name of Object.keys(kinds)) {
    const [drawn, usable] = columns(views(name), ['drawn', 'usable'], 0);
    console.log(`${name}: drawn ${drawn} ms, usable ${usable} ms, ${views(name)[0]?.bytes} bytes`);
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}

async function measureBarePage(): Promise<View> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title><p id="status">Ready');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    const port = typeof address === 'object' ? address?.port : undefined;
    return await measure(browser, `http://127.0.0.1:${port}/`, '#status', 'Ready');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Measures a view of the page that a build serves. */
async function measureBuild(build: string, args: readonly string[], selector: string, text: string): Promise<View> {
  const command = [path.join(build, 'ybs.js'), 'web', '--provider', 'mock', '--port', '0', ...args];
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const server = execa(process.execPath, command, { cwd: workspace, env, reject: false });
  try {
    const address = await addressOf(server.stdout);
    if (address === undefined) throw new Error(`${command.join(' ')} ended: ${(await server).stderr}`);
    return await measure(browser, address, selector, text);
  } finally {
    server.kill('SIGINT');
    await server;
  }
}

/** The address that the command prints; `undefined` if it ends without one. */
async function addressOf(output: Readable): Promise<string | undefined> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const [, address] = /^Open (\S+)\n/m.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Opens a page in a new tab, until the last element of this kind has a text. */
async function measure(opened: Browser, address: string, selector: string, text: string): Promise<View> {
  const context = await opened.newContext();
  try {
    const page = await context.newPage();
    const isShown = `[...document.querySelectorAll('${selector}')].at(-1)?.textContent.includes('${text}')`;
    await page.addInitScript(`new MutationObserver((_changes, observer) => {
      if (!${isShown}) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => { window.usableMs = performance.now(); }));
    }).observe(document, { subtree: true, childList: true, characterData: true })`);
    await page.waitForTimeout(SETTLE_MS);
    await page.goto(address);
    let measured: unknown;
    do {
      // The time of a frame is known after the frame.
      await page.waitForTimeout(50);
      measured = await page.evaluate(`window.usableMs && [
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? window.usableMs,
        window.usableMs,
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .reduce((total, { decodedBodySize }) => total + decodedBodySize, 0),
      ]`);
    } while (!Array.isArray(measured));
    const [drawn = 0, usable = 0, bytes = 0] = measured.map(Number);
    return { drawn, usable, bytes };
  } finally {
    await context.close();
  }
}
