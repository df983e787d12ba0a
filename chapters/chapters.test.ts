import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { TOOL_LAYERS } from '../src/app/tool-layers.ts';

const names = readdirSync(import.meta.dirname).filter((name) => /^\d\d-/.test(name));
const read = (...file: readonly string[]) => readFileSync(path.join(import.meta.dirname, ...file), 'utf8');

describe.each(names)('chapter %s', (name) => {
  it('prints what its page shows', async () => {
    const [, shown] = read(name, 'README.md').match(/^```text\n([\s\S]*?)^```$/m) ?? [];
    expect(await outputOf(name)).toBe(shown);
  });

  it('has at most 80 lines', () => {
    expect(read(name, 'main.ts').split('\n').length - 1).toBeLessThanOrEqual(80);
  });

  it('has a row on the front page', () => {
    expect(read('README.md')).toContain(`](${name}/README.md)`);
  });
});

it('the pages link to every file of src/agent', () => {
  const agent = path.join(import.meta.dirname, '../src/agent');
  const files = globSync('**/*.ts', { cwd: agent }).map((file) => file.replaceAll('\\', '/'));
  const pages = names.map((name) => read(name, 'README.md')).join('\n');
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !pages.includes(`](../../src/agent/${file})`))).toEqual([]);
});

it('the page of the product lists the layers of a call', () => {
  const rows = [...read('10-product', 'README.md').matchAll(/^\| \[(.*)\]\(.*?\) \| (.*) \|$/gm)];
  const layers = Object.entries(TOOL_LAYERS).map(([name, [adds]]) => [name, adds]);
  expect(rows.map(([, name, adds]) => [name, adds])).toEqual(layers.toReversed());
});

/** The text that the program of a chapter prints. */
async function outputOf(name: string): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(`./${name}/main.ts`);
    return log.mock.calls.map((parts) => `${parts.join(' ')}\n`).join('');
  } finally {
    log.mockRestore();
  }
}
