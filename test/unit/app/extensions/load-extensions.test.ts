import { describe, expect, it } from 'vitest';
import { findExtensions, loadExtensions } from '../../../../src/app/extensions/load-extensions.ts';
import { findParts } from '../../../../src/config/trust/project-parts.ts';
import { digestParts, judgeProject, NOT_TRUSTED, partPlaces } from '../../../../src/config/trust/project-trust.ts';
import { computeDigest } from '../../../../src/node/system.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const PLACES = { platform: 'posix', home: '/home/user', workspace: '/work' } as const;
const NO_SETTINGS = { hasConfiguration: false, searchPaths: [], programs: [] };

/** The extensions of a trusted project; `change` changes it before they are read. */
async function load(
  files: Readonly<Record<string, string | Uint8Array>>,
  change: (volume: ReturnType<typeof createMemoryFileSystem>['volume']) => void = () => {},
  links: Readonly<Record<string, string>> = {},
) {
  const { fileSystem, volume } = createMemoryFileSystem({
    '/work/README.md': 'x',
    '/outside/evil.md': 'evil',
    ...files,
  });
  for (const [link, target] of Object.entries(links)) volume.symlinkSync(target, link);
  const ports = { fileSystem, digest: computeDigest };
  const { parts } = await findParts(partPlaces(PLACES, NO_SETTINGS), ports);
  const digests = await digestParts(parts);
  const trusted = new Map(digests.flatMap(({ path, digest }) => (digest === undefined ? [] : [[path, digest]])));
  change(volume);
  const { agents, commands, problems } = await loadExtensions({ ...PLACES, trusted }, ports);
  return {
    agents: agents.map(({ name, prompt, path }) => `${name}: ${prompt} [${path}]`),
    commands: commands.filter(({ path }) => path !== 'ybs').map(({ name, body, path }) => `${name}: ${body} [${path}]`),
    problems,
  };
}

describe('loadExtensions', () => {
  it('finds the agents and commands of the user and of the project, which take precedence', async () => {
    expect(
      await load({
        '/home/user/.config/ybs/agents/a.md': 'user',
        '/home/user/.config/ybs/agents/b.md': 'user',
        '/home/user/.eidolon/agents/b.md': 'eidolon',
        '/home/user/.eidolon/agents/c.md': 'eidolon',
        '/home/user/.config/ybs/commands/dev/plan.md': 'user',
        '/work/.ybs/agents/a.md': 'project',
        '/work/.eidolon/agents/a.md': 'project of eidolon',
        '/work/.eidolon/agents/d.md': 'project of eidolon',
        '/work/.eidolon/agents/deep/e.md': 'not here',
        '/work/.ybs/agents/note.txt': 'no agent',
        '/work/.ybs/commands/openspec/commands/apply.md': 'apply it',
        '/work/.eidolon/commands/run.md': 'run it',
      }),
    ).toEqual({
      agents: [
        'a: project [.ybs/agents/a.md]',
        'b: user [/home/user/.config/ybs/agents/b.md]',
        'c: eidolon [/home/user/.eidolon/agents/c.md]',
        'd: project of eidolon [.eidolon/agents/d.md]',
      ],
      commands: [
        'dev:plan: user [/home/user/.config/ybs/commands/dev/plan.md]',
        'openspec:commands:apply: apply it [.ybs/commands/openspec/commands/apply.md]',
        'run: run it [.eidolon/commands/run.md]',
      ],
      problems: [],
    });
  });

  it('reads all extensions of a project that a caller trusts', async () => {
    const { fileSystem } = createMemoryFileSystem({
      '/work/.ybs/agents/a.md': 'project',
      '/work/.eidolon/agents/a.md': 'project of eidolon',
      '/work/.eidolon/agents/deep/e.md': 'not here',
      '/work/.ybs/commands/dev/plan.md': 'plan it',
    });
    const { agents, commands, problems } = await loadExtensions(
      { ...PLACES, trusted: 'all' },
      { fileSystem, digest: computeDigest },
    );
    expect(agents).toMatchObject([{ name: 'a', path: '.ybs/agents/a.md' }]);
    expect(commands.find(({ name }) => name === 'dev:plan')).toMatchObject({ path: '.ybs/commands/dev/plan.md' });
    expect(problems).toEqual([]);
  });

  it('reads nothing of an untrusted project, and no file that has changed since it was trusted', async () => {
    const files = { '/work/.ybs/agents/a.md': 'trusted' };
    const { fileSystem } = createMemoryFileSystem(files);
    const ports = { fileSystem, digest: computeDigest };
    expect(await loadExtensions({ ...PLACES, trusted: new Map() }, ports)).toMatchObject({ agents: [], problems: [] });
    expect(
      await load({ ...files, '/work/.eidolon/commands/gone.md': 'x' }, (volume) => {
        volume.writeFileSync('/work/.ybs/agents/a.md', 'other');
        volume.writeFileSync('/work/.ybs/agents/new.md', 'new');
        volume.unlinkSync('/work/.eidolon/commands/gone.md');
      }),
    ).toEqual({
      agents: [],
      commands: [],
      problems: [
        '.ybs/agents/a.md: it has changed since you trusted the project. Look at it, then run: ybs trust',
        '.eidolon/commands/gone.md: it cannot be read: it does not exist',
      ],
    });
  });

  it('follows no link to a directory', async () => {
    const links = { '/work/.ybs/agents': '/outside', '/home/user/.config/ybs/agents/x': '/outside' };
    expect(await load({ '/work/.ybs/x': '', '/home/user/.config/ybs/agents/y.md': 'y' }, undefined, links)).toEqual({
      agents: ['y: y [/home/user/.config/ybs/agents/y.md]'],
      commands: [],
      problems: [],
    });
  });

  it('names the files that cannot be used', async () => {
    expect(
      await load({
        '/work/.ybs/agents/a.md': '',
        '/work/.ybs/agents/big.md': 'x'.repeat(64 * 1024 + 1),
        '/work/.ybs/agents/binary.md': Uint8Array.of(0xff, 0xfe, 0xfd),
        '/work/.ybs/commands/a b.md': 'x',
      }),
    ).toEqual({
      agents: [],
      commands: [],
      problems: [
        '.ybs/agents/a.md: it has no text for the model',
        '.ybs/agents/big.md: it has more than 65536 bytes',
        '.ybs/agents/binary.md: it is not text in UTF-8',
        '.ybs/commands/a b.md: its path may have letters, digits, ".", "_" and "-" only',
      ],
    });
  });

  it('gives the reason for each command file that cannot be used', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/work/.ybs/commands/dev/plan.md': 'changed' });
    const trusted = new Map([['.ybs/commands/dev/plan.md', computeDigest(new TextEncoder().encode('before'))]]);
    const { unusedCommands } = await loadExtensions({ ...PLACES, trusted }, { fileSystem, digest: computeDigest });
    expect(unusedCommands.get('dev:plan')).toMatch(/^\.ybs\/commands\/dev\/plan\.md: it has changed since/);
  });

  it('rethrows other errors', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/home/user/.eidolon/agents/a.md': 'x' });
    const broken = { ...fileSystem, readFile: () => Promise.reject(new RangeError('broken')) };
    const ports = { fileSystem: broken, digest: computeDigest };
    await expect(loadExtensions({ ...PLACES, trusted: new Map() }, ports)).rejects.toThrow(RangeError);
  });
});

it('the trust in a project covers its agents and commands', async () => {
  const files = {
    '/work/.eidolon/agents/a.md': 'x',
    '/work/.eidolon/commands/b/c.md': 'x',
    '/work/.eidolon/config.json': '{}',
  };
  const { fileSystem } = createMemoryFileSystem(files);
  const { parts } = await judgeProject(PLACES, NO_SETTINGS, { fileSystem, digest: computeDigest });
  expect(parts.map(({ path }) => path)).toEqual(['.eidolon/agents/a.md', '.eidolon/commands/b/c.md']);
});

it('the directories of the user depend on the machine', async () => {
  const { fileSystem } = createMemoryFileSystem({ '/xdg/ybs/agents/a.md': 'x' });
  const machine = {
    ...{ fileSystem, digest: computeDigest, platform: 'darwin', home: '/home/user' },
    environment: { XDG_CONFIG_HOME: '/xdg' },
  };
  const { agents } = await findExtensions({ workspace: '/work', trust: NOT_TRUSTED }, machine);
  expect(agents.map(({ path }) => path)).toEqual(['/xdg/ybs/agents/a.md']);
});

it.each([
  [1, '.ybs/agents/1.md, .ybs/commands/dev/plan.md'],
  [7, '.ybs/agents/1.md, .ybs/agents/2.md, .ybs/agents/3.md, .ybs/agents/4.md, .ybs/agents/5.md and 3 more'],
])('the files of an untrusted project are named: %d of them', async (count, names) => {
  const paths = Array.from({ length: count }, (_, index) => `.ybs/agents/${index + 1}.md`);
  const { fileSystem } = createMemoryFileSystem(Object.fromEntries(paths.map((path) => [`/work/${path}`, 'x'])));
  const machine = { fileSystem, digest: computeDigest, platform: 'linux', home: '/home/user', environment: {} };
  const parts = paths.map((path) => ({ path, kind: 'extension' as const }));
  const others = [
    { path: 'tools/x', kind: 'tool' },
    { path: '.ybs/commands/dev/plan.md', kind: 'extension' },
  ] as const;
  const { agents, problems, unusedCommands } = await findExtensions(
    { workspace: '/work', trust: { ...NOT_TRUSTED, parts: [...parts, ...others] } },
    machine,
  );
  expect(agents).toEqual([]);
  expect(problems).toEqual([
    `Not used, because the project is not trusted: ${names}. Look at them, then run: ybs trust`,
  ]);
  const reason = '.ybs/commands/dev/plan.md: the project is not trusted. Look at the file, then run: ybs trust';
  expect([...unusedCommands]).toEqual([['dev:plan', reason]]);
});

it('files are named on one line, whatever their names contain', async () => {
  const path = '.ybs/agents/a.md\n! b.md';
  const { fileSystem } = createMemoryFileSystem({ [`/work/${path}`]: 'x' });
  const machine = { fileSystem, digest: computeDigest, platform: 'linux', home: '/home/user', environment: {} };
  const waiting = { ...NOT_TRUSTED, parts: [{ path, kind: 'extension' as const }] };
  const { problems } = await findExtensions({ workspace: '/work', trust: waiting }, machine);
  expect(problems).toEqual([expect.stringContaining('.ybs/agents/a.md\\u{a}! b.md')]);
  const all = await loadExtensions({ ...PLACES, trusted: 'all' }, machine);
  expect([...all.problems, ...all.agents.map((agent) => agent.path)]).toEqual([
    expect.stringContaining('.ybs/agents/a.md\\u{a}! b.md'),
  ]);
});
