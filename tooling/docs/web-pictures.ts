// Writes docs/web-light.png and docs/web-dark.png, the page of `ybs web` at a question: `npm run pictures`. Needs a
// build and Chromium. The bytes depend on the fonts of the machine, so that no test compares them.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { startChromium } from '../../test/support/screens/chromium.ts';

const root = path.join(import.meta.dirname, '../..');
const browser = await startChromium();
const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-pictures-'));
const shop = path.join(home, 'shop');
cpSync(path.join(root, 'examples/playground'), shop, { recursive: true });
const environment = { PATH: process.env['PATH'], HOME: home };
const args = [path.join(root, 'dist/ybs.js'), '-p', 'mock', '--no-sandbox', 'web', '--port', '0'];
const server = execa(process.execPath, args, { cwd: shop, env: environment, extendEnv: false, reject: false });
try {
  const address = await addressOf(server.stdout);
  const page = await browser.newPage({ viewport: { width: 900, height: 744 } });
  await page.goto(address);
  await page.fill('#message-input', 'fix the failing test');
  await page.click('#send-btn');
  const question = page.locator('form.question');
  await question.getByText('npm test').first().waitFor();
  await question.getByRole('button', { name: 'Yes, once' }).click();
  await question.getByText('edit_file changes files.').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(root, `docs/web-${colorScheme}.png`), animations: 'disabled' });
  }
} finally {
  await browser.close();
  server.kill('SIGINT');
  await server;
  rmSync(home, { recursive: true, force: true });
}

async function addressOf(output: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const [, address] = /^Open (\S+)\n/m.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('ybs web has printed no address.');
}
