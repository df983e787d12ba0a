import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserPage } from './browser-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of accessibility that the page breaks, with their elements. */
export async function violations({ context, page }: BrowserPage): Promise<unknown> {
  // The policy of the page lets no script run that is added to it.
  const session = await context.newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const expression = `axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]))`;
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  return result.value;
}
