import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../agent/errors.ts';
import type { ShellCommand } from '../../agent/ports/shell.ts';
import type { SandboxTrial } from '../../policy/sandbox/describe-sandbox.ts';
import { buildSandboxRules } from '../../policy/sandbox/rules.ts';
import { createNodeFileSystem } from '../files/node-file-system.ts';
import { type Confine, createNodeShell } from '../shell/node-shell.ts';
import type { ShellProgram } from '../shell/shell-program.ts';
import { computeDigest, trustedEnvironment } from '../system.ts';
import { attempt } from './real-files.ts';
import type { Sandbox } from './sandbox.ts';

/** A home with a workspace in a directory of its own, and servers that stand for those of the machine. */
interface Bench {
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
}

/** An attempt to break an invariant: a command, and the sign that it has succeeded. */
interface Attempt {
  readonly invariant: string;
  readonly command: (bench: Bench) => string;
  readonly view?: ShellCommand['view'];
  /** Files below the home that the attempt changes or creates. Without one, it prints the mark. */
  readonly changes?: readonly string[];
  /** Nothing can be tried without the sandbox. */
  readonly hasNoControl?: true;
  /** The sandbox grants a host, which does not exist. */
  readonly hasHost?: true;
}

const MARK = 'ESCAPED';
const TIME_LIMIT_MS = 20_000;

function node(code: string): string {
  return `${JSON.stringify(process.execPath)} -e ${JSON.stringify(code)}`;
}

function connect(where: string): string {
  return node(`require('net').connect(${where}).on('data', (d) => console.log(String(d))).on('error', () => {})`);
}

/** The invariants of docs/security.md, each with an attempt that succeeds where the protection is missing. */
const ATTEMPTS: readonly Attempt[] = [
  {
    invariant: 'a command inherits nothing',
    command: () => `for fd in $(seq 3 254); do [ -e /proc/$$/fd/$fd ] && echo ${MARK}; done; true`,
    hasNoControl: true,
  },
  {
    invariant: 'git follows only settings that you trusted',
    command: () => `echo ${MARK} > .git/commondir; mkdir .git/remotes .git/branches; echo ${MARK} > .git/remotes/a
      echo ${MARK} > .git/branches/a; echo ${MARK} > a; ln -s "$PWD/a" .git/COMMIT_EDITMSG; mkdir venv
      cp -R .git/. venv/.git; echo "[core] fsmonitor = ${MARK}" > venv/.git/config; mkdir -p tree; ln -s .. tree/up
      echo "gitdir: up/../${MARK}" > tree/.git`,
    changes: [
      '.git/commondir',
      '.git/remotes/a',
      '.git/branches/a',
      '.git/COMMIT_EDITMSG',
      'venv/.git/config',
      'tree/.git',
    ].map((file) => `ws/${file}`),
  },
  {
    invariant: 'guarded files stay guarded',
    command: () => `mv app moved; mkdir app; echo ${MARK} > app/AGENTS.md; echo ${MARK} > .vscode/tasks.json`,
    changes: ['ws/app/AGENTS.md', 'ws/.vscode/tasks.json'],
  },
  {
    invariant: 'a command that runs without a question changes nothing',
    command: () => `echo ${MARK} > created; echo ${MARK} > README.md; cat .env`,
    view: 'files',
    changes: ['ws/created', 'ws/README.md'],
  },
  {
    invariant: 'no local socket outside the sandbox',
    command: ({ workspace }) => connect(`'${workspace}/server.sock'`),
  },
  {
    invariant: 'only granted hosts are reachable',
    command: ({ port }) =>
      node(
        `for (const to of [61080, ${port}]) require('net').connect(to, '127.0.0.1', function () { if (to === 61080) this.write('CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n'); }).on('data', (d) => console.log(String(d))).on('error', () => {})`,
      ),
    hasHost: true,
  },
  { invariant: 'the home directory stays hidden', command: () => 'cat ../notes.txt' },
  { invariant: 'no network', command: ({ port }) => connect(`${port}, '127.0.0.1'`) },
  {
    invariant: 'files outside the workspace stay as they are',
    command: () => `echo ${MARK} > ../outside`,
    changes: ['outside'],
  },
  { invariant: 'secrets cannot be read', command: () => 'cat .env ../.ssh/id_rsa' },
  { invariant: 'processes outside are out of reach', command: () => `kill -0 ${process.pid} && echo ${MARK}` },
  {
    invariant: 'nothing of a command stays behind',
    command: ({ workspace }) =>
      `setsid sh -c 'while [ -d "${workspace}" ]; do sleep 1; done' ${MARK} > /dev/null 2>&1 < /dev/null &`,
  },
  { invariant: 'no new namespaces and mounts', command: () => `unshare --user --mount true && echo ${MARK}` },
  {
    invariant: 'settings of the kernel stay as they are',
    // It opens the file for writing, and writes nothing.
    command: () => `: >> /proc/sys/kernel/core_pattern && echo ${MARK}`,
  },
];

/** Tries each invariant on this machine, in a directory of its own below `home`, which is removed. Never throws. */
export async function trySandbox(
  sandbox: Pick<Sandbox, 'confine' | 'probe'>,
  { shell, home, searchPath }: { readonly shell: ShellProgram; readonly home: string; readonly searchPath: string },
): Promise<readonly SandboxTrial[]> {
  const state = await sandbox.probe();
  const trials: SandboxTrial[] = [];
  for (const attempt of ATTEMPTS) {
    const { invariant } = attempt;
    if (state.type === 'off') {
      trials.push({ invariant, result: 'unavailable', reason: state.reason });
      continue;
    }
    try {
      const inside = await tryIn(home, attempt, async (bench) => {
        const rules = await rulesOf(bench, searchPath, attempt);
        const confine: Confine = (command) => sandbox.confine(command, rules);
        return createNodeShell({ program: shell, confine });
      });
      const isProof =
        attempt.hasNoControl ?? (await tryIn(home, attempt, async () => createNodeShell({ program: shell })));
      if (inside) trials.push({ invariant, result: 'broken' });
      else if (isProof) trials.push({ invariant, result: 'held' });
      else trials.push({ invariant, result: 'untried', reason: 'the attempt fails here also without the sandbox' });
    } catch (error) {
      trials.push({ invariant, result: 'untried', reason: messageOf(error) });
    }
  }
  trials.push(tryOwnPrograms(home));
  return trials;
}

/** Looks for git where a project has a program of this name. */
function tryOwnPrograms(home: string): SandboxTrial {
  const invariant = 'ybs starts no program of a project';
  const place = attempt(() => realpathSync(mkdtempSync(path.join(home, '.ybs-trial-'))));
  if (place === undefined) return { invariant, result: 'untried', reason: 'the home directory cannot be written' };
  const environment = { ...process.env, PATH: `${place}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const isStarted = (env: NodeJS.ProcessEnv): boolean =>
    String(spawnSync('git', ['--version'], { env }).stdout).includes(MARK);
  try {
    writeFileSync(path.join(place, 'git'), `#!/bin/sh\necho ${MARK}\n`, { mode: 0o755 });
    if (isStarted(trustedEnvironment(new Set([place]), environment))) return { invariant, result: 'broken' };
    if (isStarted(environment)) return { invariant, result: 'held' };
    return { invariant, result: 'untried', reason: 'no program can be started in the home directory' };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** True if an attempt succeeds in a new bench. Rejects if it cannot be made. */
async function tryIn(
  home: string,
  { command, view, changes }: Attempt,
  openShell: (bench: Bench) => Promise<ReturnType<typeof createNodeShell>>,
): Promise<boolean> {
  const place = realpathSync(mkdtempSync(path.join(home, '.ybs-trial-')));
  const workspace = path.join(place, 'ws');
  const servers = [net.createServer(answer), net.createServer(answer)] as const;
  try {
    fill(place);
    const port = await listen(servers[0], { host: '127.0.0.1', port: 0 });
    await listen(servers[1], { path: path.join(workspace, 'server.sock') });
    const bench = { home: place, workspace, port };
    const shell = await openShell(bench);
    const request = {
      command: command(bench),
      workingDirectory: workspace,
      environment: { PATH: process.env['PATH'] ?? '', HOME: place },
      timeoutMs: TIME_LIMIT_MS,
      ...(view !== undefined && { view }),
    };
    let output = '';
    for await (const event of shell.run(request, new AbortController().signal)) {
      if (event.type === 'output') output += event.text;
      else if (event.cause === 'failed_to_start') throw new Error(event.reason ?? 'the command did not start');
    }
    const isChanged = changes?.some((file) => textOf(path.join(place, file)).includes(MARK)) === true;
    return isChanged || output.includes(MARK) || (await staysRunning(workspace));
  } finally {
    for (const server of servers) server.close();
    rmSync(place, { recursive: true, force: true });
  }
}

function fill(place: string): void {
  const files = {
    '.ssh/id_rsa': MARK,
    'notes.txt': MARK,
    'ws/.env': MARK,
    'ws/README.md': 'A shop.\n',
    'ws/.vscode/tasks.json': '{}',
    'ws/app/AGENTS.md': 'Rules.\n',
    'ws/.git/HEAD': 'ref: refs/heads/main\n',
    'ws/.git/config': '[core]\n',
    'ws/.git/objects/info/a': '',
    'ws/.git/refs/a': '',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
    writeFileSync(path.join(place, file), text);
  }
}

function answer(socket: net.Socket): void {
  socket.on('error', () => {}).end(`${MARK}\n`);
}

async function listen(server: net.Server, where: net.ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function rulesOf(
  { home, workspace }: Bench,
  searchPath: string,
  { hasHost }: Attempt,
): ReturnType<typeof buildSandboxRules> {
  return buildSandboxRules(
    {
      ...{ workspace, home, searchPath, platform: 'posix', homeMode: 'hidden', localSockets: false },
      ...(hasHost && { hosts: ['host.invalid'] }),
      ...{ allowedPaths: ['.'], blockedPaths: ['~/.ssh'], ownDirectories: [], guardedPaths: [], secretVariables: [] },
      digest: computeDigest,
    },
    async (file) => (existsSync(file) ? realpathSync(file) : file),
    createNodeFileSystem(),
  );
}

function textOf(file: string): string {
  return attempt(() => readFileSync(file, 'utf8')) ?? '';
}

/** The kernel ends the processes of a sandbox a moment after its first one, which may be longer on a busy machine. */
async function staysRunning(workspace: string): Promise<boolean> {
  for (let tries = 0; tries < 20 && isRunning(workspace); tries += 1) await setTimeout(50);
  return isRunning(workspace);
}

/** True if a process outlived the command that started it in this workspace. */
function isRunning(workspace: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      const words = textOf(`/proc/${name}/cmdline`).split('\0');
      return words.includes(MARK) && words.some((word) => word.includes(workspace));
    });
}
