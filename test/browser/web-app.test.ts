import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { type Browser, chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { binEnvironment } from '../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { findChromium } from '../support/screens/chromium.ts';

/** A window of Chromium, without a screen, that tests can control. */
interface AppWindow {
  readonly browser: Browser;
  readonly profile: string;
  /** The command, which ends with the window. */
  readonly ended: Promise<{ readonly exitCode?: number; readonly stdout: string; readonly stderr: string }>;
}

/** Runs `ybs app` of a user where `chromium` on the PATH is the real one, without a screen. */
async function openApp(HOME: string): Promise<AppWindow> {
  const directory = temporaryDirectory();
  const args = path.join(directory, 'args');
  // In a container Chromium runs as root, which its sandbox does not allow.
  const script = `#!/bin/sh
echo "$@" > '${args}.new' && mv '${args}.new' '${args}'
exec '${findChromium()}' --headless --no-sandbox --remote-debugging-port=0 "$@"
`;
  writeFiles(directory, { 'bin/chromium': script });
  chmodSync(path.join(directory, 'bin/chromium'), 0o755);
  const PATH = [path.join(directory, 'bin'), process.env['PATH'] ?? ''].join(path.delimiter);
  const entry = path.join(import.meta.dirname, '../../src/cli/bin.ts');
  const ended = execa(process.execPath, [entry, 'app', '--provider', 'mock'], {
    // Not the directory of the program: ybs looks for no browser in the project.
    cwd: temporaryDirectory(),
    env: binEnvironment({ PATH, HOME }),
    extendEnv: false,
    reject: false,
  });
  onTestFinished(() => void ended.kill());
  await expect.poll(() => existsSync(args), WAIT).toBe(true);
  const [, profile = ''] = /--user-data-dir=(\S+)/.exec(readFileSync(args, 'utf8')) ?? [];
  const port = () => {
    const file = path.join(profile, 'DevToolsActivePort');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  };
  await expect.poll(port, WAIT).toBeGreaterThan(0);
  return { browser: await chromium.connectOverCDP(`http://127.0.0.1:${port()}`), profile, ended };
}

const WAIT = { timeout: 30_000 };

it('ybs app shows the page in separate windows, which can be installed, and ends with them', async () => {
  const home = temporaryDirectory();
  // A browser opens the window in a process that already uses the profile.
  const windows = [await openApp(home), await openApp(home)];
  expect(windows[0]?.profile).not.toBe(windows[1]?.profile);
  for (const { browser, profile, ended } of windows) {
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('The browser has no window.');
    // Chromium listens before it opens its window.
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await page.locator('#status').getByText('Ready').waitFor();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const session = await context.newCDPSession(page);
    expect(await session.send('Page.getAppManifest')).toMatchObject({ errors: [], manifest: { name: 'ybs' } });
    expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    await (await browser.newBrowserCDPSession()).send('Browser.close');
    expect(await ended).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(existsSync(profile)).toBe(false);
  }
});
