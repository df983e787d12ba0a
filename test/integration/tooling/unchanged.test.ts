import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runUnlessUnchanged } from '../../../tooling/run/unchanged.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'ybs-unchanged-'));
  mkdirSync(path.join(root, 'sources/deep'), { recursive: true });
  writeFileSync(path.join(root, 'sources/deep/a.ts'), 'one');
  writeFileSync(path.join(root, 'settings.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Work that copies its name to out/result, and by default succeeds. */
function work({ version = '1', run = build } = {}): Promise<boolean> {
  return runUnlessUnchanged({
    root,
    record: 'cache/record.txt',
    inputs: ['sources', 'settings.json', 'absent.json'],
    outputs: ['out'],
    versions: [version],
    run,
  });
}

async function build(): Promise<void> {
  mkdirSync(path.join(root, 'out'), { recursive: true });
  writeFileSync(path.join(root, 'out/result'), 'result', { mode: 0o755 });
}

const at = (name: string): string => path.join(root, name);
const changes: readonly [what: string, change: () => void][] = [
  [
    'a file in a directory has different content of the same length',
    () => writeFileSync(at('sources/deep/a.ts'), 'two'),
  ],
  ['a file has a different name', () => renameSync(at('sources/deep/a.ts'), at('sources/deep/b.ts'))],
  ['a file is in a different directory', () => renameSync(at('sources/deep/a.ts'), at('sources/a.ts'))],
  ['a file is added', () => writeFileSync(at('sources/b.ts'), '')],
  ['a file is removed', () => rmSync(at('sources/deep/a.ts'))],
  ['an empty directory is added', () => mkdirSync(at('sources/empty'))],
  ['an input that did not exist exists', () => writeFileSync(at('absent.json'), '')],
  ['an input is removed', () => rmSync(at('settings.json'))],
  ['the output is removed', () => rmSync(at('out'), { recursive: true })],
  ['the output has different content', () => writeFileSync(at('out/result'), 'edited')],
  ['the output has a different mode', () => chmodSync(at('out/result'), 0o644)],
  ['the output has an additional file', () => writeFileSync(at('out/more'), '')],
  ['the record is damaged', () => writeFileSync(at('cache/record.txt'), 'x')],
];

describe('work whose inputs are unchanged', () => {
  it('does not run a second time', async () => {
    expect([await work(), await work(), await work()]).toEqual([true, false, false]);
  });

  it.each(changes)('runs again when %s', async (_what, change) => {
    await work();
    change();
    expect([await work(), await work()]).toEqual([true, false]);
  });

  it('runs again with another version of a program', async () => {
    await work();
    expect([await work({ version: '2' }), await work({ version: '2' })]).toEqual([true, false]);
  });

  it('runs again after a failure, even if an earlier run with the same inputs succeeded', async () => {
    const fail = () => Promise.reject(new Error('broken'));
    await expect(work({ run: fail })).rejects.toThrow('broken');
    expect(await work()).toBe(true);
    writeFileSync(at('settings.json'), '[]');
    await expect(work({ run: fail })).rejects.toThrow('broken');
    writeFileSync(at('settings.json'), '{}');
    expect(await work()).toBe(true);
  });

  it('runs again when an input has changed while it ran', async () => {
    const edit = async () => {
      writeFileSync(at('settings.json'), '[1]');
      await build();
    };
    expect([await work({ run: edit }), await work(), await work()]).toEqual([true, true, false]);
  });
});
