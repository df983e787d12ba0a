import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { checkCommand, parseBlockList } from '../../../../src/policy/shell/shell-policy.ts';
import { resolveNamedPaths } from '../../../../src/tools/shell/named-paths.ts';
import { linkedPlaces } from '../../../../src/tools/shell/removed-links.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  workspace: '/home/u/app',
  allowedRoots: ['/home/u/app'],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
  home: '/home/u',
};

const { fileSystem: FILE_SYSTEM, volume } = createMemoryFileSystem({
  '/home/u/app/src/a': 'x',
  '/home/u/app/dist/a': 'x',
  '/home/u/app/d/a': 'x',
  '/home/u/other/a': 'x',
  '/etc/passwd': 'x',
});
for (const [link, target] of [
  ['hl', '/home/u'],
  ['again', 'hl'],
  ['d/rootl', '/'],
  ['d/up', '..'],
  ['out', 'dist'],
  ['gone', 'missing'],
  ['loop', 'loop'],
] as const) {
  volume.symlinkSync(target, `/home/u/app/${link}`);
}

const PORTS = { fileSystem: FILE_SYSTEM, pathRules: RULES };

describe('the links on the path to removed files', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['rm -rf hl/*', ['hl > /home/u']],
    ['rm -rf again/x d/rootl/x', ['again > /home/u', 'd/rootl > /']],
    ['cd d/rootl && rm -rf *', ['d/rootl > /']],
    ['rm -rf d/up/../x', ['d/up > /home/u/app']],
    ['rm -rf hl', undefined],
    ['rm -rf hl/', ['hl > /home/u']],
    ['rm -rf h*/*', ['hl > /home/u']],
    ['rm -rf ??/*', ['hl > /home/u']],
    ['rm -rf [h]l/x d/root*/x', ['hl > /home/u', 'd/rootl > /']],
    ['rm -rf h*', undefined],
    ['rm -rf missing/*/x src/a/*/x', undefined],
    ['ln -s hl z && rm -rf z/*', ['hl > /home/u']],
    ['mv hl m && rm -rf m/*', ['hl > /home/u']],
    ['cp -P hl z; rm -rf z/*', ['hl > /home/u']],
    ['find hl -delete', undefined],
    ['find -L hl -delete', ['hl > /home/u']],
    ['rsync -a --delete src/ out', ['out > /home/u/app/dist']],
    ['git -C hl clean -fdx', ['hl > /home/u']],
    ['rm -rf "hl/$X"', ['hl > /home/u']],
    ['rm -rf gone/x loop/x missing/hl/x src/hl/x', undefined],
    ['rm hl/a', undefined],
    ['ls hl', undefined],
    // Reading it takes too many steps.
    [`rm -rf hl/{${'a,'.repeat(1_000)}b}`, undefined],
  ])('of %j are resolved', async (command, expected) => {
    const { links } = await resolveNamedPaths(command, RULES.workspace, PORTS);
    const shown = links?.map(({ requested, realPath, access }) => {
      expect(access).toBe('read');
      return `${requested.replace('/home/u/app/', '')} > ${realPath}`;
    });
    expect(shown).toEqual(expected);
  });

  it('are looked up once for each directory', async () => {
    const looked: string[] = [];
    const fileSystem = {
      ...FILE_SYSTEM,
      realPath: (path: string) => {
        looked.push(path);
        return FILE_SYSTEM.realPath(path);
      },
    };
    await resolveNamedPaths('rm -rf src/a src/b src/../src/c dist/a', RULES.workspace, { ...PORTS, fileSystem });
    expect(looked).toEqual(['/home', '/home/u', '/home/u/app', '/home/u/app/src', '/home/u/app/dist']);
  });

  it('are not looked up in a directory of more entries than are read', async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}`, kind: 'link' as const }));
    const ports = { ...PORTS, fileSystem: { ...FILE_SYSTEM, list: async () => entries } };
    await expect(resolveNamedPaths('rm -rf src/a*/x', RULES.workspace, ports)).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  const removal = (count: number): string =>
    `rm -rf ${Array.from({ length: count }, (_, index) => `d${index}/x`).join(' ')}`;

  it('are looked up in at most 256 directories', async () => {
    expect(await resolveNamedPaths(removal(256), RULES.workspace, PORTS)).toEqual({});
    await expect(resolveNamedPaths(removal(257), RULES.workspace, PORTS)).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: 'The command removes files in more than 256 directories. Split it into several commands.',
    });
    // The user is not asked to split a command.
    expect((await linkedPlaces(removal(257), RULES.workspace, PORTS)).links).toEqual(new Map());
  });

  it.each([
    ['rm -rf hl/*', 'blocked'],
    ['rm -rf again/*', 'blocked'],
    ['cd d/rootl && rm -rf *', 'blocked'],
    ['cd d/rootl && rm -rf home', 'blocked'],
    ['cd d/up && rm -rf *', 'blocked'],
    ['rm -rf d/up/*', 'blocked'],
    ['rm -rf d/up/../app', 'blocked'],
    ['rm -rf d/rootl/etc', 'blocked'],
    ['find hl/ -delete', 'blocked'],
    ['find -H hl -delete', 'blocked'],
    ['rsync -a --delete x/ hl', 'blocked'],
    ['git -C d/up clean -fdx', 'blocked'],
    ['mv d/rootl/* x', 'blocked'],
    ['rm -rf "hl/$X"', 'unclear'],
    ['rm -rf hl', 'unlisted'],
    ['rm -rf d/rootl', 'unlisted'],
    ['rm -rf out/*', 'unlisted'],
    ['rm -rf hl/other', 'unlisted'],
    ['find hl -delete', 'unlisted'],
    ['mv hl x', 'unlisted'],
    ['mv d/up/* x', 'unlisted'],
  ])('decide about %j', async (command, type) => {
    const places = await linkedPlaces(command, RULES.workspace, PORTS);
    expect(checkCommand(command, parseBlockList([]), places).type).toBe(type);
  });
});
