import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The files of the corpus, beneath an empty directory. Links and names may contain `{T}`, that directory. */
export const PATH_TREE = {
  directories: ['w/empty', 'w/src', 'w/loops', 'w/closed', 'w/.git/hooks', 'w/Caf\u00e9', 'out/sub', 'home/.ssh', 'w2'],
  files: [
    ...['w/a.txt', 'w/src/b.ts', 'w/..notes', 'w/.env', 'w/.env.example', 'w/.git/config', 'w/.git/HEAD', 'w/id_rsa'],
    ...['w/id_utils.py', 'w/.npmrc', 'w/with space.txt', 'w/closed/a', 'w/-rf', 'w/$HOME', 'w/*', 'w/%2e%2e', 'w/~'],
    'w/locked.txt',
    'w2/a',
    'out/a.txt',
    'out/sub/b.txt',
    'out/.env',
    'home/.ssh/id_rsa',
    'home/notes.txt',
    'home/.netrc',
    ...['home/.config/app/token', 'w/.github/workflows/ci.yml', 'w/Caf\u00e9/a.txt', 'w/key.pem', 'w/back\\slash'],
  ],
  links: {
    'w/to-file': '{T}/w/a.txt',
    'w/to-src': 'src',
    'w/to-out': '{T}/out',
    'w/to-out-file': '../out/a.txt',
    'w/to-ssh': '../home/.ssh',
    'w/to-env': '.env',
    'w/to-env-out': '../out/.env',
    'w/to-config': '.git/config',
    'w/to-hooks': '.git/hooks',
    'w/readme.md': 'id_rsa',
    'w/to-root': '/',
    'w/to-etc': '/etc',
    'w/to-proc': '/proc/self',
    'w/to-zero': '/dev/zero',
    'w/to-self': '.',
    'w/to-parent': '..',
    'w/chain-1': 'chain-2',
    'w/chain-2': 'chain-3',
    'w/chain-3': '{T}/out/sub',
    'w/dangling': '{T}/out/new',
    'w/dangling-inside': 'src/new',
    'w/dangling-chain': 'dangling',
    'w/loops/a': 'b',
    'w/loops/b': 'a',
    'w/loops/self': 'self',
    'w/loops/under': 'under/x',
    'out/back': '{T}/w',
    'home/to-work': '{T}/w/a.txt',
  },
  /** Other names of files. */
  hardLinks: { 'w/hard-in': 'w/a.txt', 'w/hard-out': 'out/a.txt' },
  fifos: ['w/fifo', 'out/fifo'],
  modes: { 'w/closed': 0o700, 'w/locked.txt': 0o000 },
} as const;

/** Creates the tree. */
export function createPathTree(root: string): void {
  const at = (name: string): string => path.join(root, name);
  for (const name of PATH_TREE.directories) fs.mkdirSync(at(name), { recursive: true });
  for (const name of PATH_TREE.files) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), 'x');
  }
  fs.writeFileSync(at('w/.git/config'), '[core]\n\thooksPath = scripts/checks\n');
  for (const [name, target] of Object.entries(PATH_TREE.links)) fs.symlinkSync(target.replace('{T}', root), at(name));
  for (const [name, target] of Object.entries(PATH_TREE.hardLinks)) fs.linkSync(at(target), at(name));
  execFileSync('mkfifo', PATH_TREE.fifos.map(at));
  for (const [name, mode] of Object.entries(PATH_TREE.modes)) fs.chmodSync(at(name), mode);
}

/**
 * A path as a model may write it, and the verdict of the rules. The workspace is `{T}/w`, the home directory
 * `{T}/home`.
 */
export interface PathCase {
  readonly access: 'read' | 'write';
  readonly path: string;
  readonly verdict: 'allow' | 'ask' | 'deny';
}

const cases = (
  access: PathCase['access'],
  verdict: PathCase['verdict'],
  paths: readonly string[],
): readonly PathCase[] => paths.map((each) => ({ access, verdict, path: each }));

/** Paths in the workspace by any spelling, through any link. */
const ORDINARY = [
  ...['a.txt', './a.txt', './/src///b.ts', 'src/b.ts', '{T}/w/a.txt', '{T}//w/./a.txt', 'src/../a.txt', '../w/a.txt'],
  '../../{N}/w/a.txt',
  '..notes',
  'with space.txt',
  'to-file',
  'to-src/b.ts',
  'to-self/to-self/a.txt',
  '-rf',
  '$HOME',
  'to-parent/w/a.txt',
  '../out/back/a.txt',
  '~/to-work',
  '*',
  '%2e%2e',
  './~',
  'hard-in',
  'hard-out',
  'back\\slash',
  ...['.env.example', 'id_utils.py', 'Caf\u00e9/a.txt', 'to-root/{R}/w/a.txt'],
];

/** Paths that do not exist yet. */
const NEW = [
  'new.txt',
  'new/deeper/file.txt',
  'to-src/new.txt',
  'file://a',
  '%2e%2e-x',
  '...',
  'A.TXT',
  'Cafe\u0301/new',
  '~x/a',
];

/** Paths outside the workspace that hold no secrets. */
const OUTSIDE = [
  ...['../out/a.txt', '{T}/out/a.txt', 'to-out/a.txt', 'to-out-file', 'to-out/sub/b.txt', 'chain-1/b.txt', '../w2/a'],
  '../out/fifo',
  '~/notes.txt',
  '../out/new',
  'to-out/new/x',
  'to-parent/out/a.txt',
  '../{U}/a',
  '/usr/share/x',
  '../../../..',
  '/',
  ...['to-root/usr', '../W/a.txt', '{T}/w2', '../../{N}/out/a.txt'],
];

/** Files of the system that many programs read. */
const SETTINGS = ['/etc/passwd', 'to-etc/hosts', '/var/log/x', '/ETC/passwd', 'to-root/etc/passwd', '/etc/new'];

/** Files with secrets. */
const SECRETS = [
  ...['.env', './.ENV', 'to-env', 'to-env-out', '../out/.env', '.git/config', 'to-config', '.GIT/config', 'id_rsa'],
  ...['readme.md', '.npmrc', 'key.pem', 'KEY.PEM', '.env.local', 'src/.env.production', 'lib/.git/config', '.env.'],
  ...['src/id_ed25519', '\uff0eenv', '.netrc', 'server.\u212aey', '.git/modules/a/config', '.docker/config.json'],
];

/** Secrets of the home directory, and files that no tool uses. */
const PROTECTED = [
  '~/.ssh/id_rsa',
  '~/.ssh',
  'to-ssh/id_rsa',
  '{T}/home/.ssh/config',
  '../home/.SSH/id_rsa',
  '~/.netrc',
  '~/.aws/x',
  '~/.config/app/token',
  '~/.gnupg/x',
  '~/.kube/config',
  '~/.docker/config.json',
  '~/.mozilla/x',
  '~/.config/ybs/x',
  '/proc/self/environ',
  'to-proc/environ',
  '/proc/1/mem',
  '/sys/kernel',
  '/dev/zero',
  'to-zero',
  '/dev/stdin',
  '/PROC/1',
  ...['to-root/proc/self/environ', 'to-root/dev/null'],
];

/** Files that other programs run or follow. */
const GUARDED = [
  ...['.git/hooks/pre-commit', '.git/HEAD', 'to-hooks/pre-commit', '.GIT/hooks/x', 'vendor/.git/hooks/x', '.git'],
  'scripts/checks/pre-commit',
  '.github/workflows/ci.yml',
  '.ybs.json',
  '.vscode/tasks.json',
  'sub/.idea/x',
  '.bashrc',
  'pyvenv.cfg',
  'x/HEAD',
  'lib/sitecustomize.py',
  '.husky/pre-push',
  '.gitmodules',
  '.mcp.json',
  '\uff0egit/hooks/x',
  '.git./hooks/x',
  'x.pth',
  ...['.claude/settings.json', '.cargo/config.toml', 'node_modules/.bin/x', '.devcontainer/x', 'run/docker.sock'],
];

/** Paths that are always rejected. */
const IMPOSSIBLE = [
  ...['loops/a', 'loops/a/x', 'loops/self', 'loops/under', 'fifo', 'a.txt/x', 'to-file/x', 'dangling', 'dangling/x'],
  ...['dangling-inside', 'dangling-chain', 'missing/../a.txt', 'x/y/../../a.txt', 'to-out/../a.txt', 'a.txt/../a.txt'],
  ...['a\u0000.txt', '.env\u0000.txt', 'a\u202etxt', 'a\u200b.txt', 'a\u0007', '\u001b[2Ja', 'a\n', 'x'.repeat(5_000)],
  ...['y'.repeat(300), `${'z/'.repeat(2_050)}a`, 'a\u2028b', '.e\u00adnv', '.g\u00adit/hooks/x', 'loops/a/../../a.txt'],
];

/** The corpus. `ask` for a write in the workspace is the decision of the permission mode. */
export const PATH_CASES: readonly PathCase[] = [
  ...cases(
    'read',
    'allow',
    [...ORDINARY, ...NEW, '.', 'src', 'empty', '', ...GUARDED].filter((each) => each !== ''),
  ),
  ...cases('write', 'ask', [...ORDINARY, ...NEW, ...GUARDED.filter((each) => each !== '.git')]),
  ...cases('read', 'ask', [...OUTSIDE, ...SETTINGS, ...SECRETS]),
  ...cases('write', 'deny', [
    ...OUTSIDE,
    ...SETTINGS,
    ...SECRETS,
    ...PROTECTED,
    ...IMPOSSIBLE,
    '.',
    'src',
    '.git',
    'to-src',
  ]),
  ...cases('read', 'deny', [...PROTECTED, ...IMPOSSIBLE]),
];

/** Cases whose verdict depends on the permissions of the user: as root, and as an ordinary user. */
export const USER_CASES: readonly (PathCase & { readonly ordinary: PathCase['verdict'] })[] = [
  { access: 'read', path: 'closed/a', verdict: 'allow', ordinary: 'deny' },
  { access: 'read', path: 'locked.txt', verdict: 'allow', ordinary: 'allow' },
  { access: 'write', path: 'locked.txt', verdict: 'ask', ordinary: 'deny' },
  { access: 'write', path: 'closed/a', verdict: 'ask', ordinary: 'deny' },
  { access: 'write', path: 'closed/new', verdict: 'ask', ordinary: 'deny' },
];
