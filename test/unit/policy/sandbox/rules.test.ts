import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { gitDirectoryOf, pointsBack } from '../../../../src/policy/sandbox/git-links.ts';
import { socketPaths } from '../../../../src/policy/sandbox/host-sockets.ts';
import { buildSandboxRules, sandboxVariables, secretPlaces } from '../../../../src/policy/sandbox/rules.ts';
import {
  createFirstLook,
  type EntryUse,
  isLeftOut,
  lookForRepositories,
  REPOSITORY_SETTINGS,
  useOfEntry,
} from '../../../../src/policy/sandbox/workspace-entry.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES: PathRules = {
  workspace: '/w',
  home: '/home/u',
  allowedRoots: ['/w'],
  readOnlyRoots: [],
  blockedPaths: ['/home/u/.config', '/w/private'],
  ownDirectories: ['/home/u/.config/ybs'],
  platform: 'posix',
};

describe('the rules of the sandbox', () => {
  const settings: Parameters<typeof buildSandboxRules>[0] = {
    ...({
      workspace: '/data/shop',
      home: '/home/u',
      platform: 'posix',
      homeMode: 'hidden',
      localSockets: false,
      searchPath: '/bin:/opt/bin',
    } as const),
    ...{ allowedPaths: ['.', '~/lib'], blockedPaths: ['~/.ssh'], ownDirectories: ['~/.config/ybs'] },
    ...{ guardedPaths: ['./tools', '~/lint'], readablePaths: ['~/libs', '/srv/data'], secretVariables: [] },
    digest: () => '0123456789abcdef',
  };
  const { fileSystem } = createMemoryFileSystem({ '/data/shop/.git/config': '[core]\n\thooksPath = scripts/hooks\n' });

  it('contain real paths and a cache directory for the workspace', async () => {
    const rules = await buildSandboxRules(settings, async (path) => path.replace('/home', '/mnt/home'), fileSystem);
    expect(rules).toMatchObject({
      home: 'hidden',
      guardedPaths: ['/data/shop/tools', '/mnt/home/u/lint', '/data/shop/scripts/hooks'],
      readablePaths: ['/mnt/home/u/libs', '/srv/data'],
      cacheDirectory: '/home/u/.config/ybs/caches/shop-0123456789ab',
      programDirectories: ['/bin', '/opt/bin'],
      pathRules: {
        home: '/mnt/home/u',
        allowedRoots: ['/data/shop', '/mnt/mnt/home/u/lib'],
        guardedPaths: ['/data/shop/scripts/hooks'],
      },
    });
  });

  it('keep the path of a home directory that cannot be resolved', async () => {
    const { pathRules } = await buildSandboxRules(
      settings,
      async (path) => {
        if (path === '/home/u') throw new Error('no');
        return path;
      },
      fileSystem,
    );
    expect(pathRules.home).toBe('/home/u');
  });
});

describe('an entry of the workspace', () => {
  it.each<[string, Parameters<typeof useOfEntry>[1], EntryUse]>([
    ['src', 'directory', 'ordinary'],
    ['src/main.ts', 'file', 'ordinary'],
    ['.env', 'file', 'unreadable'],
    ['a/b/id_rsa', 'file', 'unreadable'],
    ['server.key', 'directory', 'ordinary'],
    ['.env.example', 'file', 'ordinary'],
    ['.git', 'directory', 'repository'],
    ['lib/.git', 'directory', 'repository'],
    ['.git', 'file', 'guarded'],
    ['.vscode', 'directory', 'guarded'],
    ['.envrc', 'file', 'private'],
    ['.envrc', 'directory', 'guarded'],
    ['.ybs.json', 'file', 'guarded'],
    ['.github', 'directory', 'ordinary'],
    ['.github/workflows', 'directory', 'guarded'],
    ['node_modules', 'directory', 'skipped'],
    ['Node_Modules', 'directory', 'ordinary'],
    ['target', 'directory', 'skipped'],
    ['.venv', 'directory', 'skipped'],
    ['venv', 'directory', 'skipped'],
    ['__pycache__', 'directory', 'skipped'],
    ['.yarn', 'directory', 'skipped'],
    ['.bundle', 'directory', 'skipped'],
    ['.hg', 'directory', 'skipped'],
    ['.svn', 'directory', 'skipped'],
    ['.jj', 'directory', 'skipped'],
    ['.direnv', 'directory', 'skipped'],
    ['private', 'directory', 'ordinary'],
  ])('%s (%s) is %s', (name, kind, use) => {
    expect(useOfEntry(`/w/${name}`, kind, RULES)).toBe(use);
  });

  it('is guarded in a directory of git if it determines programs that git runs', () => {
    expect(REPOSITORY_SETTINGS).toEqual(['hooks', 'config', 'config.worktree', 'commondir']);
  });
});

describe('the first check of an entry', () => {
  const isSpecial = createFirstLook({ ...RULES, guardedPaths: ['/w/scripts/Hooks'] });

  it.each<[string, string, boolean]>([
    ['/w', 'main.ts', false],
    ['/w', '.env', true],
    ['/w', '.ENV.', true],
    ['/w', '.Git', true],
    ['/w', 'Node_Modules', false],
    ['/w', '.yarn', true],
    ['/w/.github', 'workflows', true],
    ['/w', 'workflows', false],
    ['/w/.docker', 'config.json', true],
    ['/w/docker', 'config.json', false],
    ['/w/.git/modules/lib', 'config', true],
    ['/w/scripts', 'hooks', true],
    ['/w/scripts', 'hook', false],
    ['/w', 'AGENTS.md', true],
  ])('in %s at %s finds it special: %s', (directory, name, expected) => {
    expect(isSpecial(directory, name)).toBe(expected);
  });

  it('does not need guarded paths', () => {
    expect(createFirstLook(RULES)('/w/scripts', 'hooks')).toBe(false);
  });
});

describe('the secrets outside the workspace', () => {
  it('are those of the user, of ybs and of the system', () => {
    const places = secretPlaces(RULES);
    expect(places).toEqual(
      expect.arrayContaining([
        '/home/u/.ssh',
        '/home/u/.netrc',
        '/home/u/.cargo/credentials.toml',
        ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history']
          .concat(['.local/share/fish/fish_history', '.viminfo', '.lesshst', '.claude', '.claude.json', '.codex'])
          .concat(['.gemini', '.m2/settings.xml', '.gradle/gradle.properties', '.cargo/credentials', '.terraform.d'])
          .concat(['.subversion/auth'])
          .map((name) => `/home/u/${name}`),
        '/home/u/.config',
        '/home/u/.config/ybs',
        '/w/private',
        ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
        ...['/etc/ssl/private', '/etc/krb5.keytab', '/etc/wireguard', '/var/lib/docker', '/var/lib/containerd'],
        ...['rsa', 'ecdsa', 'ed25519'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
      ]),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  it('are empty for an unknown home directory', () => {
    const { home: _home, ownDirectories: _own, ...rules } = RULES;
    expect(secretPlaces(rules).filter((path) => path.startsWith('/home'))).toEqual(['/home/u/.config']);
  });
});

it('the variables of commands name the cache directories of the workspace', () => {
  const lists = { guardedPaths: [], programDirectories: [], secretVariables: [] };
  const places = { cacheDirectory: '/c', ...lists, localSockets: false };
  const rules = { ...places, pathRules: RULES, home: 'read-only' } as const;
  expect(sandboxVariables(rules)).toEqual({
    XDG_CACHE_HOME: '/c',
    npm_config_cache: '/c/npm',
    PNPM_HOME: '/c/pnpm',
    CARGO_HOME: '/c/cargo',
    GOMODCACHE: '/c/go-mod',
    BUN_INSTALL_CACHE_DIR: '/c/bun',
    YARN_GLOBAL_FOLDER: '/c/yarn-berry',
    GRADLE_USER_HOME: '/c/gradle',
    NUGET_PACKAGES: '/c/nuget',
    TMPDIR: '/tmp',
    PLAYWRIGHT_BROWSERS_PATH: '/home/u/.cache/ms-playwright',
  });
  const { home: _home, ...homeless } = RULES;
  expect(sandboxVariables({ ...rules, pathRules: homeless })).not.toHaveProperty('PLAYWRIGHT_BROWSERS_PATH');
});

it('the sockets of the machine are those with a path', () => {
  const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/docker.sock
0000000000000000: 00000003 00000000 00000000 0001 03   547
0000000000000000: 00000002 00000000 00000000 0002 01 12346 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 12347 /home/u/a b.sock
0000000000000000: 00000003 00000000 00000000 0001 03 12348 /home/u/a b.sock
`;
  expect(socketPaths(table)).toEqual(['/run/docker.sock', '/home/u/a b.sock']);
});

describe('the file .git of a worktree', () => {
  it.each([
    ['gitdir: /r/.git/worktrees/w\n', '/r/.git/worktrees/w'],
    ['gitdir: ../r/.git/modules/w', '/r/.git/modules/w'],
    ['gitdir: ../r\r\n', '/r'],
    ['gitdir: a\nb', undefined],
    ['', undefined],
  ])('%j names %s', (text, expected) => {
    expect(gitDirectoryOf(text, '/w')).toBe(expected);
  });

  it.each([
    ['the file of a worktree', { gitdir: '/w/.git\n' }, true],
    ['a relative file of a worktree', { gitdir: '../w/.git' }, true],
    ['the file of another worktree', { gitdir: '/v/.git\n', config: '[core]\n\tworktree = /w\n' }, false],
    ['the settings of a submodule', { config: '[core]\n\tbare = false\n\tworktree = ../w\n' }, true],
    ['the settings of another submodule', { config: '[core]\n\tworktree = ../v\n' }, false],
    ['settings without a worktree', { config: '[core]\n' }, false],
    ['nothing', {}, false],
  ])('is confirmed by %s: %j', (_name, files, expected) => {
    expect(pointsBack('/w', { directory: '/r', ...files })).toBe(expected);
  });
});

it.each([
  ['node_modules', true],
  ['lib/Node_Modules/own', false],
  ['.git/objects', true],
  ['.GIT', true],
  ['a/.yarn/b', true],
  ['src/lib', false],
  ['node_modules.txt', false],
  ['', false],
])('a scan leaves out %j: %s', (relative, leftOut) => {
  expect(isLeftOut(relative)).toBe(leftOut);
});

it('within a directory of git, only further repositories are special', () => {
  expect(['.git', '.GIT', 'hooks', '.env'].map((name) => lookForRepositories('/w/.git', name))).toEqual([
    ...[true, true, false, false],
  ]);
});
