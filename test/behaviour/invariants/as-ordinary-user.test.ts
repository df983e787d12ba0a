import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { SANDBOX_USERS } from '../../support/sandbox/sandbox-users.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Settings of git with a program that creates a file outside the workspace. */
const MONITOR = '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = "touch $HOME/sprung; false"\\n';

/** The number of the system call `unshare`. */
const UNSHARE = process.arch === 'arm64' ? 97 : 272;

/** The servers of this machine that commands try to reach. */
interface Servers {
  readonly port: number;
  readonly socket: string;
}

/** Attacks that print ESCAPED when they succeed. Each works for a user without privileges, without the sandbox. */
const ATTACKS: readonly (readonly [name: string, command: (servers: Servers) => string])[] = [
  ['a secret of the home directory', () => 'cat "$HOME/.ssh/id_ed25519"'],
  ['a secret through the root of another process', () => 'cat /proc/[0-9]*/root"$HOME"/.ssh/id_ed25519 2>/dev/null'],
  ['a secret of the workspace', () => 'cat .env'],
  ['a secret of the workspace by another name', () => 'ln .env copy; cat copy; mv sub other; cat other/.env'],
  ['a secret in a directory that cannot be listed', () => 'cat closed/.env'],
  ['the environment of ybs', () => "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep ^YBS_ATTACK"],
  ['an inherited descriptor', () => 'cat <&58'],
  [
    'a signal to ybs',
    () =>
      'for p in /proc/[0-9]*; do case "$(readlink "$p/exe")" in */node) kill -0 "${p#/proc/}" && echo ESCAPED;; esac; done',
  ],
  ['the network of this machine', ({ port }) => `curl -s --max-time 3 http://127.0.0.1:${port}/`],
  [
    'a local socket',
    ({ socket }) =>
      `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; connect($s, pack_sockaddr_un("\\0${socket}")) or die; print <$s>'`,
  ],
  ['a namespace', () => `perl -e 'syscall(${UNSHARE}, 0x10000000) == 0 and print "ESCAPED"'`],
  ['a guarded file', () => 'echo ESCAPED > .git/hooks/pre-commit; cat .git/hooks/pre-commit'],
  ['a guarded file by the name of its directory', () => 'mv .git moved && echo ESCAPED'],
];

async function serve(): Promise<Servers> {
  const web = http.createServer((_request, response) => response.end('ESCAPED\n'));
  const local = net.createServer((client) => void client.on('error', () => {}).end('ESCAPED\n'));
  const socket = `ybs-ordinary-${process.pid}`;
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => local.listen(`\0${socket}`, resolve));
  onTestFinished(() => {
    web.closeAllConnections();
    web.close();
    local.close();
  });
  const address = web.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, socket };
}

/** The results of the attacks, and the home of the user. */
async function play(options: readonly string[]) {
  const servers = await serve();
  const last = [
    'echo ESCAPED > "$HOME/outside"',
    'mkdir -p deep/x; chmod 311 deep',
    `cp -r .git own; printf '${MONITOR}' > own/config; mkdir lib; echo 'gitdir: ../own' > lib/.git`,
    `mkdir room; cp -r .git room/.git; printf '${MONITOR}' > room/.git/config; chmod 311 room`,
    `cp -r .git deep/x/.git; printf '${MONITOR}' > deep/x/.git/config; touch closed/new`,
  ];
  const commands = [...ATTACKS.map(([, command]) => command(servers)), ...last];
  const { home, calls } = await playDecisions([commands.map((command) => run(command, { timeout: 20 }))], {
    options: ['--permission-mode', 'full-access', ...options],
    asOrdinaryUser: true,
    files: {
      '.ssh/id_ed25519': 'ESCAPED\n',
      secret: 'ESCAPED\n',
      'ws/.env': 'ESCAPED\n',
      'ws/sub/.env': 'ESCAPED\n',
      'ws/closed/.env': 'ESCAPED\n',
      'ws/a.txt': 'one\n',
    },
    environment: { YBS_ATTACK: 'ESCAPED' },
    descriptors: (directory) => `58<'${path.join(directory, 'secret')}'`,
    prepare(directory) {
      execFileSync('git', ['init', '-q', path.join(directory, 'ws')]);
      chmodSync(path.join(directory, 'ws/closed'), 0o311);
    },
  });
  // An attack that the rules deny would prove nothing about the sandbox.
  expect(calls.filter(({ decision }) => decision !== 'allow')).toEqual([]);
  return { home, reads: calls.map(({ reads }) => reads) };
}

/** Ways in which a command takes the right to change a new repository away, by the name of its directory. */
const SHUT: Readonly<Record<string, string>> = {
  written: 'chmod 555 .git',
  all: 'chmod -R a-w .',
  searched: 'chmod 111 .git .',
  read: 'chmod 000 .git/config',
  ...Object.fromEntries(
    ['000', '200', '400', '600'].flatMap((mode) => [
      [`own${mode}`, `chmod ${mode} .git`],
      [`room${mode}`, `chmod ${mode} .git .`],
    ]),
  ),
  bare: `mv .git/* . && rmdir .git && printf '\\tworktree = .\\n\\tbare = false\\n' >> config; chmod 555 .`,
  // A name that is not UTF-8
  "$'own\\xff'": 'chmod 555 .git .',
};

/** The repositories in which git of the user then runs the program of their settings. */
async function shutAndTry(options: readonly string[]): Promise<readonly string[]> {
  const plant = `git init -q && printf '${MONITOR}' > .git/config`;
  const commands = Object.entries(SHUT).map(([at, shut]) => `mkdir ${at}; cd ${at} && ${plant} && ${shut}`);
  const later = 'chmod 644 read/.git/config';
  const { home, calls } = await playDecisions([commands.map((command) => run(command)), [run(later)], [run('true')]], {
    options: ['--permission-mode', 'full-access', ...options],
    asOrdinaryUser: true,
  });
  // What a command leaves keeps no later one from its start, and is told once.
  expect(calls.filter(({ reads }) => reads.includes('could not be started'))).toEqual([]);
  expect(calls.at(-1)?.reads).not.toContain('note: ');
  const sprung = path.join(home, 'sprung');
  return Object.keys(SHUT).filter((at) => {
    const asUser = SANDBOX_USERS.find(({ isRoot }) => !isRoot)?.prefix ?? [];
    // The user opens them again.
    const status = `cd ${at} && chmod -f 755 . .git; exec ${asUser.join(' ')} git -c 'safe.directory=*' status`;
    const env = { ...process.env, HOME: home };
    spawnSync('bash', ['-c', status], { cwd: path.join(home, 'ws'), env, stdio: 'ignore' });
    const isSprung = existsSync(sprung);
    rmSync(sprung, { force: true });
    return isSprung;
  });
}

function modeOf(directory: string): number {
  return statSync(directory).mode & 0o777;
}

/** The names of the attacks that succeeded. */
function escaped(reads: readonly string[]): readonly string[] {
  return ATTACKS.flatMap(([name], index) => (reads[index]?.includes('ESCAPED') === true ? [name] : []));
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('for a user without privileges', () => {
  // > docs/security.md: The file as-ordinary-user.test.ts repeats attacks as a user without privileges.
  it('no attack leaves the sandbox', async () => {
    const { home, reads } = await play([]);
    expect(escaped(reads)).toEqual([]);
    expect(existsSync(path.join(home, 'outside'))).toBe(false);
    for (const [index, directory] of ['lib', 'room', 'deep/x'].entries()) {
      expect(reads.at(index - 3)).toContain('put back as it was before the command');
      execFileSync('git', ['-C', path.join(home, 'ws', directory), '-c', 'safe.directory=*', 'status'], {
        env: { ...process.env, HOME: home },
        stdio: 'ignore',
      });
    }
    expect(existsSync(path.join(home, 'sprung'))).toBe(false);
    expect(['closed', 'room', 'deep'].map((name) => modeOf(path.join(home, 'ws', name)))).toEqual([
      0o311, 0o311, 0o311,
    ]);
  });

  it('git runs no program of a repository that the command has shut against a change', async () => {
    expect(await shutAndTry([])).toEqual([]);
    // Control
    expect(await shutAndTry(['--no-sandbox'])).toEqual(Object.keys(SHUT));
  });

  // A command that only reads runs in a view, without a question.
  it('a view leaves the directories that the user has closed as they are', async () => {
    const { home, calls } = await playDecisions([[run('cat a.txt')]], {
      options: ['--permission-mode', 'plan'],
      asOrdinaryUser: true,
      trusted: true,
      files: { 'ws/closed/.env': 'ESCAPED\n', 'ws/a.txt': 'one\n' },
      prepare: (directory) => chmodSync(path.join(directory, 'ws/closed'), 0o311),
    });
    expect(calls[0]?.reads).toContain('one');
    expect(modeOf(path.join(home, 'ws/closed'))).toBe(0o311);
  });

  it('control: the attacks succeed without the sandbox', async () => {
    const { home, reads } = await play(['--no-sandbox']);
    expect(readFileSync(path.join(home, 'outside'), 'utf8')).toBe('ESCAPED\n');
    // ybs passes no descriptor on, with or without a sandbox.
    const failed = ATTACKS.map(([name]) => name).filter((name) => !escaped(reads).includes(name));
    expect(failed).toEqual(['an inherited descriptor']);
  });
});
