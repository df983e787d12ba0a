import { expect, test } from 'vitest';
import { snapshotWorkspace } from '../../../../src/stories/play/snapshot-workspace.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

async function namesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const absolute = Object.entries(files).map(([name, text]) => [`/work/${name}`, text] as const);
  const { fileSystem } = createMemoryFileSystem(Object.fromEntries(absolute));
  return [...(await snapshotWorkspace('/work', fileSystem, 'posix')).keys()].sort();
}

test('the snapshot of a workspace omits ignored files, dependencies, git itself and other stories', async () => {
  const names = await namesOf({
    'a.txt': 'a',
    '.gitignore': '*.log\n/build/\n',
    'x.log': 'log',
    'build/out.js': 'out',
    'src/.gitignore': 'cache\n!kept.log\n',
    'src/cache/1': 'one',
    'src/kept.log': 'kept',
    'src/b.ts': 'b',
    'node_modules/lib/index.js': 'lib',
    '.git/HEAD': 'ref',
    'scenarios/one/scenario.json': '{}',
    'scenarios/one/workspace/c.txt': 'c',
  });
  expect(names).toEqual(['.gitignore', 'a.txt', 'src/.gitignore', 'src/b.ts', 'src/kept.log']);
});

test('the snapshot of a workspace with too many files is rejected with advice', async () => {
  const files = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`f${index}`, '']));
  await expect(namesOf(files)).rejects.toThrow(/too large for a story: more than 2000 files or 20 MiB.*--cwd/);
});
