import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { storyListing } from '../../../src/node/files/story-listing.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

it('the listing of stories reads files, and treats inaccessible ones as missing', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'a.json': '{}', 'b/c.txt': 'text' });
  const at = (name: string) => storyListing.resolve(directory, name);
  expect([...(await storyListing.list(directory))].sort()).toEqual(['a.json', 'b']);
  expect(await storyListing.readFile(at('a.json'))).toBe('{}');
  await expect(storyListing.readFile(at('no.json'))).rejects.toThrow('ENOENT');
  symlinkSync('loop', path.join(directory, 'loop'));
  const kinds = await Promise.all(
    ['a.json', 'b', 'no', 'a.json/x', 'loop'].map((name) => storyListing.kindOf(at(name))),
  );
  expect(kinds).toEqual(['file', 'directory', 'missing', 'missing', 'missing']);
});
