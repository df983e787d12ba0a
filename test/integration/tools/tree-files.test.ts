import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTreeFiles } from '../../../src/node/search/node-tree-files.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

/** A tree with `a/b/inside`, and a directory beside it with `b/outside`. */
function openTree() {
  const directory = temporaryDirectory();
  const [root, outside] = [path.join(directory, 'root'), path.join(directory, 'outside')];
  for (const file of [path.join(root, 'a/b/inside'), path.join(outside, 'b/outside')]) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, path.basename(file));
  }
  const files = createTreeFiles();
  onTestFinished(() => files.close());
  /** Puts a link to the directory outside, or in it, in the place of a directory. */
  const swap = (place: string, target: string): void => {
    renameSync(path.join(root, place), path.join(directory, 'old'));
    symlinkSync(path.join(outside, target), path.join(root, place));
  };
  const names = (place: string): readonly string[] => files.list(path.join(root, place)).map(({ name }) => name);
  return { root, files, swap, names };
}

it('reads a tree from above, and its directories again in another order', () => {
  const { root, files, names } = openTree();
  expect(['', 'a', 'a/b', 'a', 'a/b', ''].map(names)).toEqual([['a'], ['b'], ['inside'], ['b'], ['inside'], ['a']]);
  expect(String(files.read(path.join(root, 'a/b/inside'), 100).bytes)).toBe('inside');
});

it.runIf(process.platform === 'linux').each([
  { moved: 'a directory that is read first', before: [], place: 'a/b', target: 'b' },
  { moved: 'a directory above the one that is read first', before: [], place: 'a', target: '' },
  { moved: 'a directory beneath a verified one', before: ['', 'a'], place: 'a/b', target: 'b' },
])('leads nowhere else when $moved has become a link', ({ before, place, target }) => {
  const { root, files, swap, names } = openTree();
  for (const directory of before) names(directory);
  swap(place, target);
  expect(() => names('a/b')).toThrow();
  expect(() => files.read(path.join(root, 'a/b/outside'), 100)).toThrow();
});

it.runIf(process.platform === 'linux')('stays in a verified directory in whose place a link is put', () => {
  const { swap, names } = openTree();
  names('');
  names('a');
  swap('a', '');
  expect(names('a/b')).toEqual(['inside']);
});
