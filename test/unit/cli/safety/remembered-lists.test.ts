import { expect, it } from 'vitest';
import { rememberLists } from '../../../../src/cli/subcommands/safety/remembered-lists.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

it('a whole directory is read once until it is forgotten', async () => {
  const { fileSystem } = createMemoryFileSystem({ '/a/b': '', '/a/c': '' });
  const read: string[] = [];
  const counted: typeof fileSystem = {
    ...fileSystem,
    list(path, ...more) {
      read.push(path);
      return fileSystem.list(path, ...more);
    },
  };
  const remembered = rememberLists(counted);
  const names = async (max?: number) => (await remembered.fileSystem.list('/a', max)).map(({ name }) => name);
  expect([await names(), await names(), await names(1)]).toEqual([['b', 'c'], ['b', 'c'], ['b']]);
  expect(read).toHaveLength(2);
  await names(1);
  remembered.forget();
  await names();
  expect(read).toHaveLength(4);
});
