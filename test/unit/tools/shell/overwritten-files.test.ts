import { expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { findOverwritten } from '../../../../src/tools/shell/overwritten-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  ...{ workspace: '/w', home: '/home/u', allowedRoots: ['/w'], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
};
const MANY = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/w/src/${name}.ts`, '']));

function find(command: string, sandboxed = true, tracked: readonly string[] = ['/w/kept.ts']) {
  const { fileSystem } = createMemoryFileSystem({ ...MANY, '/w/own.ts': '', '/w/kept.ts': '', '/tmp/old': '' });
  const findTracked = async (files: readonly string[]) => new Set(files.filter((file) => tracked.includes(file)));
  return findOverwritten(command, '/w', { fileSystem: { ...fileSystem, findTracked }, pathRules: RULES, sandboxed });
}

it.each<[string, readonly string[]]>([
  ['x > own.ts', ['own.ts']],
  ['x > new.ts', []],
  ['x > kept.ts', []],
  ['sed -i s/a/b/ own.ts kept.ts', ['own.ts']],
  ['mv new own.ts', ['own.ts']],
  ['mv own.ts src', []],
  ['cp lib/a.ts src', ['src/a.ts']],
  ['sed -i s/a/b/ src/*.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts', '2 more']],
  ['sed -i s/a/b/ */a.ts', ['files whose names it computes']],
  ['sed -i s/a/b/ $(ls)', ['files whose names it computes']],
  ['x > /tmp/old', []],
  ['x > missing/*', []],
])('the command %s overwrites %j', async (command, files) => {
  expect(await find(command)).toEqual(files);
});

it('a command without the sandbox overwrites files in a directory for temporary files', async () => {
  expect(await find('x > /tmp/old', false)).toEqual(['/tmp/old']);
});

it('a command overwrites every file if the files in git are unknown', async () => {
  const { fileSystem } = createMemoryFileSystem({ '/w/kept.ts': '' });
  expect(await findOverwritten('x > kept.ts', '/w', { fileSystem, pathRules: RULES })).toEqual(['kept.ts']);
});
