import { describe, expect, it } from 'vitest';
import { findParts } from '../../../../src/config/trust/project-parts.ts';
import {
  digestParts,
  judgeProject,
  type ProjectSettings,
  partPlaces,
} from '../../../../src/config/trust/project-trust.ts';
import { writeTrust } from '../../../../src/config/trust/trust-store.ts';
import { computeDigest } from '../../../../src/node/system.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const places = { platform: 'posix', home: '/home/ada', workspace: '/home/ada/shop' } as const;
const SETTINGS: ProjectSettings = {
  hasConfiguration: true,
  searchPaths: ['~/.config/ybs/tools', '~/.ybs/tools', './tools'],
  programs: [],
};
const SHOP = '/home/ada/shop';
const MONITOR = '[core]\n\tfsmonitor = x\n';
const FILES = {
  [`${SHOP}/.ybs.json`]: '{}',
  [`${SHOP}/.git/config`]: MONITOR,
  [`${SHOP}/tools/deploy`]: '#!/bin/sh\n',
  [`${SHOP}/tools/deploy.tool.json`]: '{}',
  [`${SHOP}/tools/lib/deep`]: '',
  [`${SHOP}/scripts/run`]: '#!/bin/sh\n',
  [`${SHOP}/.ybs/agents/a/b.md`]: 'agent',
  [`${SHOP}/.ybs/one.md`]: 'one',
  [`${SHOP}/src/index.ts`]: '',
  '/home/ada/.config/ybs/tools/mine': '',
};

async function partsOf(
  files: Readonly<Record<string, string>>,
  settings: Partial<ProjectSettings> = {},
  prepare: (volume: MemoryFileSystem['volume']) => void = () => {},
  changed: Partial<Parameters<typeof partPlaces>[0]> = {},
) {
  const { fileSystem, volume } = createMemoryFileSystem(files);
  prepare(volume);
  const ports = { fileSystem, digest: computeDigest };
  const { parts, isRepository } = await findParts(
    partPlaces({ ...places, ...changed }, { ...SETTINGS, ...settings }),
    ports,
  );
  return { isRepository, parts: await digestParts(parts), settings: parts.flatMap((part) => part.settings ?? []) };
}

const pathsOf = async (...args: Parameters<typeof partsOf>): Promise<readonly string[]> =>
  (await partsOf(...args)).parts.map(({ path, kind, digest }) => `${path} ${kind}${digest === undefined ? ' !' : ''}`);

describe('the parts of a project', () => {
  it('are its configuration, its tools, the files below .ybs and the settings of git that start programs', async () => {
    const { parts, isRepository, settings } = await partsOf(FILES);
    expect(parts.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      '.git/config git',
      '.ybs.json configuration',
      '.ybs/agents/a/b.md extension',
      '.ybs/one.md extension',
      'tools/deploy tool',
      'tools/deploy.tool.json tool',
    ]);
    expect({ isRepository, settings }).toEqual({ isRepository: true, settings: ['core.fsmonitor = x'] });
    expect(parts.map(({ digest }) => digest)).toEqual([
      computeDigest(new TextEncoder().encode('core.fsmonitor = x')),
      ...['{}', 'agent', 'one', '#!/bin/sh\n', '{}'].map((text) => computeDigest(new TextEncoder().encode(text))),
    ]);
  });

  it.each<[string, Partial<ProjectSettings>, readonly string[]]>([
    ['without a configuration of its own', { hasConfiguration: false, searchPaths: [] }, []],
    [
      'with a choice in the file of Eidolon, which is missing now',
      { hasConfiguration: false, hasEidolon: true, searchPaths: [] },
      ['.eidolon/config.json configuration !'],
    ],
    [
      'with configured programs',
      { searchPaths: [], programs: ['./scripts/run', '/bin/sh'] },
      ['.ybs.json configuration', 'scripts/run tool'],
    ],
    ['with a missing program', { searchPaths: [], programs: ['gone'] }, ['.ybs.json configuration', 'gone tool !']],
    [
      'with directories outside',
      { searchPaths: ['../shop', '..', '../shop-2', '/bin', '~/x'] },
      ['.ybs.json configuration'],
    ],
    [
      'with an absolute directory inside',
      { searchPaths: [`${SHOP}/scripts`, './scripts/'] },
      ['.ybs.json configuration', 'scripts/run tool'],
    ],
    [
      'with a directory of the home directory inside',
      { searchPaths: ['~/shop/scripts'] },
      ['.ybs.json configuration', 'scripts/run tool'],
    ],
    ['with a name that begins with ~', { searchPaths: [], programs: ['~x'] }, ['.ybs.json configuration', '~x tool !']],
  ])('are found in a project %s', async (_name, settings, paths) => {
    const files = { [`${SHOP}/.ybs.json`]: '{}', [`${SHOP}/scripts/run`]: '' };
    expect(await pathsOf(files, settings)).toEqual(paths);
  });

  it('exclude those of ybs when it is the home directory', async () => {
    const files = { '/home/ada/.config/ybs/tools/mine': '', '/home/ada/.ybs/tools/x': '', '/home/ada/tools/y': '' };
    const paths = await pathsOf(files, { hasConfiguration: false }, undefined, { workspace: '/home/ada' });
    expect(paths).toEqual(['.ybs/tools/x tool', 'tools/y tool']);
  });

  it('include the content of the target of a link, but no link that does not lead to a file', async () => {
    const paths = await pathsOf({ [`${SHOP}/src/x`]: 'x' }, { hasConfiguration: false }, (volume) => {
      volume.mkdirSync(`${SHOP}/tools`);
      volume.symlinkSync('../src/x', `${SHOP}/tools/x`);
      volume.symlinkSync('../src', `${SHOP}/tools/directory`);
      volume.symlinkSync('nowhere', `${SHOP}/tools/broken`);
    });
    expect(paths).toEqual(['tools/x tool']);
  });

  it('consist of the directory, which cannot be trusted, if it has too many entries or levels', async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${SHOP}/tools/${index}`, '']));
    expect(await pathsOf(many, { hasConfiguration: false })).toEqual(['tools tool !']);
    const levels = (count: number) => `.ybs${'/d'.repeat(count)}`;
    const deep = { [`${SHOP}/${levels(16)}/x`]: '', [`${SHOP}/${levels(15)}/x`]: '' };
    expect(await pathsOf(deep, { hasConfiguration: false })).toEqual([
      `${levels(16)} extension !`,
      `${levels(15)}/x extension`,
    ]);
  });

  it('are not looked for beyond 2,000 entries, such as those of all files of the machine', async () => {
    const wide = Array.from({ length: 50 }, (_, index) =>
      Array.from({ length: 50 }, (_each, file) => `${index}/${file}`),
    );
    const files = Object.fromEntries(wide.flat().map((name) => [`/srv/${name}`, '']));
    const paths = await pathsOf(files, { hasConfiguration: false }, (volume) => {
      volume.mkdirSync(SHOP, { recursive: true });
      volume.symlinkSync('/srv', `${SHOP}/.ybs`);
    });
    expect(paths.filter((each) => each.endsWith(' extension'))).toHaveLength(39 * 50);
    expect(paths.filter((each) => each.endsWith(' extension !'))).toHaveLength(11);
  });

  it.each<[string, Readonly<Record<string, string>>, boolean, readonly string[]]>([
    ['no repository', {}, false, []],
    ['a repository without such settings', { [`${SHOP}/.git/config`]: '[core]\nbare = false' }, true, []],
    ['a repository above', { '/home/ada/.git/config': '[core]\nfsmonitor = x' }, true, ['../.git/config git']],
    ['a missing repository', { [`${SHOP}/.git`]: 'gitdir: /x' }, true, []],
    [
      'a repository that .git names',
      { [`${SHOP}/.git`]: 'gitdir: .g\n', [`${SHOP}/.g/config`]: MONITOR },
      true,
      ['.g/config git'],
    ],
    ['a .git that names no directory', { [`${SHOP}/.git`]: 'nonsense', [`${SHOP}/config`]: 'x' }, true, []],
    [
      'a linked working directory',
      {
        [`${SHOP}/.git`]: 'gitdir: /main/.git/worktrees/shop',
        '/main/.git/worktrees/shop/commondir': '../..\n',
        '/main/.git/worktrees/shop/config.worktree': MONITOR,
        '/main/.git/config': MONITOR,
      },
      true,
      ['../../../main/.git/config git', '../../../main/.git/worktrees/shop/config.worktree git'],
    ],
    [
      'a directory of settings for all working directories',
      { [`${SHOP}/.git/commondir`]: '../common', [`${SHOP}/common/config`]: MONITOR, [`${SHOP}/.git/config`]: MONITOR },
      true,
      ['common/config git'],
    ],
    [
      'this working directory alone',
      { [`${SHOP}/.git/config`]: '', [`${SHOP}/.git/config.worktree`]: MONITOR },
      true,
      ['.git/config.worktree git'],
    ],
    [
      'submodules',
      { [`${SHOP}/.git/config`]: '', [`${SHOP}/.gitmodules`]: '[submodule "a"]\npath = a\nurl = b\nignore = none' },
      true,
      ['.gitmodules git'],
    ],
    [
      'submodules with nothing else',
      { [`${SHOP}/.git/config`]: '', [`${SHOP}/.gitmodules`]: '[submodule "a"]\npath = a\nurl = b' },
      true,
      [],
    ],
    [
      'files that its settings include',
      {
        [`${SHOP}/.git/config`]: '[include]\npath = more\n[includeIf "gitdir:/"]\npath = "../two"\n',
        [`${SHOP}/.git/more`]: '[include]\npath = config\npath = harmless\npath = gone\npath = ~/mine',
        [`${SHOP}/.git/harmless`]: '[core]\nbare = false',
        [`${SHOP}/two`]: MONITOR,
      },
      true,
      ['.git/config git', '.git/more git', 'two git'],
    ],
    ['a path through a link', { [`${SHOP}/.git`]: 'gitdir: a./../b' }, true, ['.git git !']],
    ['settings through a link', { [`${SHOP}/.git/commondir`]: 'a/./..' }, true, ['.git git !']],
    ...['path = a/../b', 'path'].map((line): [string, Readonly<Record<string, string>>, boolean, readonly string[]] => [
      `an include of an unknown file: ${line}`,
      { [`${SHOP}/.git/config`]: `[include]\n${line}` },
      true,
      ['.git/config git !'],
    ]),
    ...['\npath = a # b', '\npath = \\\na', ' path = "a"'].map(
      (line): [string, Readonly<Record<string, string>>, boolean, readonly string[]] => [
        `an include that git reads: ${line}`,
        { [`${SHOP}/.git/config`]: `[include]${line}`, [`${SHOP}/.git/a`]: MONITOR },
        true,
        ['.git/a git', '.git/config git'],
      ],
    ),
  ])('include the settings of %s', async (_name, files, isRepository, paths) => {
    const found = await partsOf({ [`${SHOP}/x`]: '', ...files }, { hasConfiguration: false });
    expect(found.isRepository).toBe(isRepository);
    expect(found.parts.map(({ path, kind, digest }) => `${path} ${kind}${digest === undefined ? ' !' : ''}`)).toEqual(
      paths,
    );
  });

  it('include the settings of a .git that is a link', async () => {
    const files = { '/main/.git/worktrees/x/commondir': '../..', '/main/.git/config': MONITOR };
    const paths = await pathsOf(files, { hasConfiguration: false }, (volume) => {
      volume.mkdirSync(SHOP, { recursive: true });
      volume.symlinkSync('/main/.git/worktrees/x', `${SHOP}/.git`);
    });
    expect(paths).toEqual(['../../../main/.git/config git']);
  });

  it('are not listed after an unexpected error, which is rethrown', async () => {
    const { fileSystem } = createMemoryFileSystem(FILES);
    const broken = { ...fileSystem, list: () => Promise.reject(new TypeError('a bug')) };
    await expect(
      findParts(partPlaces(places, SETTINGS), { fileSystem: broken, digest: computeDigest }),
    ).rejects.toThrow(TypeError);
  });

  it.each(['deploy', 'config'])('cannot be larger than 16 MB: %s', async (name) => {
    const { fileSystem } = createMemoryFileSystem(FILES);
    const readFile = async (file: string, maxBytes: number) => ({
      ...(await fileSystem.readFile(file, maxBytes)),
      ...(file.endsWith(`/${name}`) && { size: 16 * 1024 * 1024 + 1 }),
    });
    const ports = { fileSystem: { ...fileSystem, readFile }, digest: computeDigest };
    const parts = await digestParts((await findParts(partPlaces(places, SETTINGS), ports)).parts);
    expect(parts.flatMap(({ path, digest }) => (digest === undefined ? [path] : []))).toEqual([
      name === 'config' ? '.git/config' : 'tools/deploy',
    ]);
  });
});

describe('the trust in a project', () => {
  /** Trusts the project, changes it, and judges it. */
  async function judgeAfter(change: (machine: MemoryFileSystem) => unknown, judged: string = SHOP) {
    const machine = createMemoryFileSystem(FILES);
    const ports = { fileSystem: machine.fileSystem, digest: computeDigest };
    const { parts } = await findParts(partPlaces(places, SETTINGS), ports);
    const digests = (await digestParts(parts)).map(({ path, digest }) => [path, digest ?? ''] as const);
    const stored = { trustedAt: '2026-11-22T10:00:00.000Z', parts: new Map(digests) };
    await writeTrust(machine.fileSystem, places, new Map([[SHOP, stored]]));
    await change(machine);
    return judgeProject({ ...places, workspace: judged }, SETTINGS, ports);
  }
  const DIGEST = computeDigest(new TextEncoder().encode('#!/bin/sh\n'));

  it('applies to its earlier state, with the digests of its tools', async () => {
    const trust = await judgeAfter(() => {});
    expect(trust.verdict).toEqual({ type: 'trusted' });
    expect([...trust.programs]).toEqual([
      [`${SHOP}/tools/deploy`, DIGEST],
      [`${SHOP}/tools/deploy.tool.json`, computeDigest(new TextEncoder().encode('{}'))],
    ]);
  });

  it.each<[string, (machine: MemoryFileSystem) => unknown, string]>([
    [
      'its configuration changes',
      ({ volume }) => volume.writeFileSync(`${SHOP}/.ybs.json`, '{ }'),
      '.ybs.json changed',
    ],
    ['a tool changes', ({ volume }) => volume.writeFileSync(`${SHOP}/tools/deploy`, 'x'), 'tools/deploy changed'],
    ['a tool is added', ({ volume }) => volume.writeFileSync(`${SHOP}/tools/x`, 'x'), 'tools/x new'],
    ['a tool is removed', ({ volume }) => volume.unlinkSync(`${SHOP}/tools/deploy`), 'tools/deploy removed'],
    [
      'a file below .ybs changes',
      ({ volume }) => volume.writeFileSync(`${SHOP}/.ybs/one.md`, 'x'),
      '.ybs/one.md changed',
    ],
    [
      'git gets a program',
      ({ volume }) => volume.appendFileSync(`${SHOP}/.git/config`, 'pager = x'),
      '.git/config changed',
    ],
  ])('ends when %s', async (_name, change, expected) => {
    const { verdict, programs } = await judgeAfter(change);
    const changes = verdict.type === 'changed' ? verdict.changes : [];
    expect(changes.map(({ path, change }) => `${path} ${change}`)).toEqual([expected]);
    expect(programs.size).toBe(0);
  });

  it.each<[string, (machine: MemoryFileSystem) => unknown]>([
    ['a file without effect changes', ({ volume }) => volume.writeFileSync(`${SHOP}/src/index.ts`, 'x')],
    ['git gets a submodule', ({ volume }) => volume.writeFileSync(`${SHOP}/.gitmodules`, '[submodule "a"]\npath = a')],
    ['git gets a branch', ({ volume }) => volume.appendFileSync(`${SHOP}/.git/config`, '[branch "x"]\nmerge = x\n')],
  ])('remains when %s', async (_name, change) => {
    expect((await judgeAfter(change)).verdict).toEqual({ type: 'trusted' });
  });

  it.each([`${SHOP}/src`, '/home/ada', '/home/ada/shop-2'])('is not inherited by %s', async (workspace) => {
    const trust = await judgeAfter(({ volume }) => volume.mkdirSync('/home/ada/shop-2'), workspace);
    expect(trust.verdict).toEqual({ type: 'untrusted' });
  });

  it('is denied without reading a project that was never trusted', async () => {
    const { fileSystem } = createMemoryFileSystem(FILES);
    const read: string[] = [];
    const readFile = (file: string, maxBytes: number) => {
      read.push(file);
      return fileSystem.readFile(file, maxBytes);
    };
    const ports = { fileSystem: { ...fileSystem, readFile }, digest: () => expect.unreachable() };
    expect((await judgeProject(places, SETTINGS, ports)).verdict).toEqual({ type: 'untrusted' });
    expect(read.toSorted()).toEqual([
      '/home/ada/.config/ybs/trust.json',
      ...['.git', '.git/commondir', '.git/config', '.git/config.worktree', '.gitmodules'].map((at) => `${SHOP}/${at}`),
    ]);
  });
});
