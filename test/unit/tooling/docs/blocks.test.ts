import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTIONS, optionForm } from '../../../../src/cli/command-line/options.ts';
import { PAGES, writeBlocks } from '../../../../tooling/docs/blocks.ts';
import { fieldRows } from '../../../../tooling/docs/field-rows.ts';

const root = path.join(import.meta.dirname, '../../../..');

describe('the documentation', () => {
  it.each(Object.entries(PAGES))('has up-to-date blocks in %s', async (page, blocks) => {
    const text = await readFile(path.join(root, page), 'utf8');
    expect(text, `${page} is out of date: run npm run docs`).toBe(await writeBlocks(text, blocks));
  });
});

it.each(OPTIONS.flatMap((option) => (option.subcommands ?? ['']).map((command) => [command, option] as const)))(
  'the documentation of "ybs %s" has the option %o',
  async (command, option) => {
    const row = `| \`${optionForm(option)}\` |`;
    const blocks = Object.values(PAGES).flatMap((page) => Object.entries(page));
    const find = (name: string) => blocks.find(([block]) => block === name)?.[1];
    const own = await find(command === '' ? 'options' : `options of ybs ${command}`)?.();
    const others = String(await find('options of other commands')?.()).split('\n');
    const rows = own?.split('\n') ?? others.filter((each) => each.includes(`\`ybs ${command}\``));
    expect(rows.some((each) => each.startsWith(row))).toBe(true);
  },
);

describe('writeBlocks', () => {
  const block = (text: string) => `before\n<!-- a b: written by npm run docs -->\n${text}<!-- /a b -->\nafter\n`;

  it('replaces a block and keeps the rest of the page', async () => {
    expect(await writeBlocks(block('old\n'), { 'a b': () => 'new $&' })).toBe(block('\nnew $&\n\n'));
  });

  it.each([
    ['a block that no function renders', block(''), {}],
    ['no block for a function', 'text', { a: () => '' }],
    ['a block without an end', '<!-- a: written by npm run docs -->\n', { a: () => '' }],
  ])('rejects a page with %s', async (_name, page, blocks) => {
    await expect(writeBlocks(page, blocks)).rejects.toThrow(/block/);
  });
});

describe('fieldRows', () => {
  it('describes the values of each field in words', () => {
    const schema = {
      properties: {
        names: { type: 'array', items: { type: 'string' }, description: 'Names.' },
        status: {
          anyOf: [{ const: 429 }, { type: 'object', properties: { rate: { type: 'number', minimum: 0, maximum: 1 } } }],
        },
        count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        kind: { enum: ['a', 'b'] },
      },
      required: ['names'],
    };
    expect(fieldRows(schema)).toEqual([
      '| `names` | list: string | yes | Names. |',
      '| `status` | `429` or object |  | undefined |',
      '| `status.rate` | number, 0 or more, at most 1 |  | undefined |',
      '| `count` | integer, 1 or more |  | undefined |',
      '| `kind` | `a`, `b` |  | undefined |',
    ]);
  });
});
