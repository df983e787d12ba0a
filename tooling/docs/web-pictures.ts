// Writes docs/web-light.png and docs/web-dark.png, the page of `ybs web` at a question: `npm run pictures`. Needs a build
// and Chromium. The bytes depend on the fonts of the machine, so that no test compares them.
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { startChromium } from '../../test/support/screens/chromium.ts';

const root = path.join(import.meta.dirname, '../..');
const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-pictures-'));
const shop = path.join(home, 'shop');
cpSync(path.join(root, 'examples/playground'), shop, { recursive: true });
const environment = { PATH: process.env['PATH'], HOME: home };
const args = ['-p', 'mock', '--no-sandbox', 'web', '--port', '0'];
const server = execa(path.join(root, 'dist/ybs.js'), args, { cwd: shop, env: environment, extendEnv: false });
const browser = await startChromium();
try {
  const address = await firstAddress(server.stdout);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 900, height: 720 } });
    await page.goto(address);
    const question = page.locator('form.question');
    if (colorScheme === 'light') {
      await page.fill('#message-input', 'fix the failing test');
      await page.click('#send-btn');
      await question.getByText('npm test').first().waitFor();
      await question.getByRole('button', { name: 'Yes, once' }).click();
    }
    await question.getByText('FREE_SHIPPING_FROM').first().waitFor();
    await page.screenshot({ path: path.join(root, `docs/web-${colorScheme}.png`), animations: 'disabled' });
  }
} finally {
  await browser.close();
  server.kill('SIGINT');
  await server.catch(() => {});
  rmSync(home, { recursive: true, force: true });
}

async function firstAddress(output: Readable): Promise<string> {
  let text = '';
  output.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  for (;;) {
    const [, address] = /^Open (\S+)\n/m.exec(text) ?? [];
    if (address !== undefined) return address;
    await once(output, 'data');
  }
}
