import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { keyTable } from '../../../src/config/key-table.ts';

it('docs/configuration.md has the table of the keys', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
  const [, table] = page.split(/<!-- keys: (?:start|end) -->/);
  expect(table?.trim()).toBe(keyTable());
});
