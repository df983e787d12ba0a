import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Shell, ShellCommand } from '../../../src/agent/ports/shell.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/node/shell/shell-program.ts';
import { shellEnvironment } from '../../../src/tools/shell/shell-environment.ts';
import { collect } from '../../support/contracts/shell.ts';
import { KILL_CASES, runKillCase } from '../../support/kills/kill-cases.ts';
import { isProcessRunning, waitUntil } from '../../support/processes/process-state.ts';

const NOBODY = 65_534;
const program = chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync });
const shell = createNodeShell({ program });
const never = new AbortController().signal;
const isLinux = process.platform === 'linux';
let directory = '';

beforeAll(() => {
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'node-shell-')));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function commandOf(command: string, change: Partial<ShellCommand> = {}): ShellCommand {
  const environment = { PATH: process.env['PATH'] ?? '' };
  return { command, workingDirectory: directory, environment, timeoutMs: 600_000, ...change };
}

// Windows has neither the signals nor the programs of these cases.
describe.skipIf(process.platform === 'win32')('node shell', { concurrent: true }, () => {
  it.for(KILL_CASES.filter(({ command }) => isLinux || !command.includes('setsid')))('ends $name', (killCase) =>
    runKillCase(killCase),
  );

  it('fails the kill cases if it ends only the shell itself', async () => {
    const naive: Shell = {
      async *run(started) {
        const { command, workingDirectory } = { command: '', ...started };
        const child = spawn('/bin/sh', ['-c', command], { cwd: workingDirectory, stdio: ['ignore', 'pipe', 'ignore'] });
        const [text] = await once(child.stdout, 'data');
        yield { type: 'output', stream: 'stdout', text: String(text) };
        child.stdout.destroy();
        yield { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 0, leftProcesses: true };
      },
    };
    const left = KILL_CASES.filter(({ stop, timeoutMs }) => stop === undefined && timeoutMs === undefined).slice(0, 2);
    for (const killCase of left) await expect(runKillCase(killCase, naive, 3)).rejects.toThrow('to be gone');
    expect(left).toHaveLength(2);
  });

  // Only root may signal every process.
  it.skipIf(!isLinux || process.getuid?.() !== 0)('also ends all kill cases as an ordinary user', async () => {
    const script = path.resolve('test/support/kills/run-kill-cases.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script], { uid: NOBODY, gid: NOBODY, cwd: '/tmp' });
    expect(JSON.parse(stdout)).toEqual({ user: NOBODY, cases: KILL_CASES.length, problems: [] });
  });

  it('blocks a command whose output is not read, but still ends it at its timeout', async () => {
    const events = shell.run(commandOf('echo $$; exec yes', { timeoutMs: 300 }), never)[Symbol.asyncIterator]();
    const first = await events.next();
    const text = first.value?.type === 'output' ? first.value.text : '';
    const pid = Number.parseInt(text, 10);
    await waitUntil(() => !isProcessRunning(pid), 'the timeout to end the command unread');
    let unread = 0;
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      if (next.value.type === 'output') unread += next.value.text.length;
      else expect(next.value).toMatchObject({ cause: 'timed_out', signal: 'SIGTERM' });
    }
    // Without backpressure, yes writes gigabytes in that time.
    expect(unread).toBeLessThan(2 * 1024 * 1024);
  });

  it('delivers all of 10 MB', async () => {
    let size = 0;
    for await (const event of shell.run(commandOf('yes 123456789 | head -n 1000000'), never)) {
      if (event.type === 'output') size += event.text.length;
    }
    expect(size).toBe(10_000_000);
  });

  it('delivers all output to a slow reader, even after the command has ended', async () => {
    let size = 0;
    for await (const event of shell.run(commandOf('head -c 400000 /dev/zero'), never)) {
      if (event.type !== 'output') continue;
      size += event.text.length;
      // Longer than the shell waits for the pipes.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(size).toBe(400_000);
  });

  it('lets a background process finish its output', async () => {
    const { stdout } = await collect(shell.run(commandOf('echo words > >(cat)'), never));
    expect(stdout).toBe('words\n');
  });

  it('ends its commands when the program exits', async () => {
    const script = `
      import { createNodeShell } from ${JSON.stringify(path.resolve('src/node/shell/node-shell.ts'))};
      const command = { command: 'sleep 600 & echo $!; wait', workingDirectory: '/', environment: {}, timeoutMs: 600_000 };
      const shell = createNodeShell({ program: ${JSON.stringify(program)} });
      for await (const { text } of shell.run(command, new AbortController().signal)) {
        process.stdout.write(text, () => process.exit());
      }`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const pid = Number.parseInt(stdout, 10);
    expect(pid).toBeGreaterThan(1);
    await waitUntil(() => !isProcessRunning(pid), `process ${pid} to be gone`);
  });

  it('never splits a character, and replaces invalid bytes', async () => {
    const command = `printf 'a\\xe2\\x82'; sleep 0.1; printf '\\xac\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80 \\xff \\xe2'`;
    const pieces: string[] = [];
    for await (const event of shell.run(commandOf(command), never)) {
      if (event.type === 'output') pieces.push(event.text);
    }
    expect(pieces.join('')).toBe('a€😀 \ufffd \ufffd');
    expect(pieces.length).toBeGreaterThan(1);
  });

  it.each([
    ['gives cat an empty input', 'cat; echo $?', '0\n'],
    ['gives read no answer', 'read -r answer; echo "$? [$answer]"', '1 []\n'],
    ['runs a command in the working directory', 'pwd', () => `${directory}\n`],
    ['reads no start-up file', 'echo "$FROM_BASHRC"', '\n'],
    ['has no terminal', '(: < /dev/tty) 2>/dev/null; echo $?', '1\n'],
  ] as const)('%s', async (_, command, expected) => {
    writeFileSync(path.join(directory, '.bashrc'), 'FROM_BASHRC=yes\n');
    const environment = { PATH: process.env['PATH'] ?? '', HOME: directory };
    const { stdout, exit } = await collect(shell.run(commandOf(command, { environment, timeoutMs: 600_000 }), never));
    expect(stdout).toBe(typeof expected === 'string' ? expected : expected());
    expect(exit.cause).toBe('exited');
  });

  it('is stopped while its sandbox is prepared, and while the sandbox starts', async () => {
    const stop = new AbortController();
    const preparing = createNodeShell({ program, confine: () => new Promise(() => stop.abort()) });
    const { exit } = await collect(preparing.run(commandOf('true'), stop.signal));
    expect(exit).toMatchObject({ cause: 'aborted', leftProcesses: false });

    const later = new AbortController();
    const check = vi.fn(async () => ({}));
    const starting = createNodeShell({
      program,
      async confine({ environment }) {
        setTimeout(() => later.abort(), 50);
        return { program: 'sleep', args: ['600'], environment, hasMonitor: true, check };
      },
    });
    const run = await collect(starting.run(commandOf('true'), later.signal));
    expect(run.exit).toMatchObject({ cause: 'aborted', leftProcesses: false });
    expect(check).not.toHaveBeenCalled();
  });

  it('passes exactly the given environment', async () => {
    // Node passes this variable to children by default.
    vi.stubEnv('NODE_V8_COVERAGE', directory);
    const { stdout } = await collect(
      shell.run(commandOf('env', { environment: { PATH: '/usr/bin:/bin', A: 'b' } }), never),
    ).finally(() => vi.unstubAllEnvs());
    const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '');
    // macOS adds its own variable to every program.
    expect(names.filter((name) => !name.startsWith('__CF')).sort()).toEqual(['', 'A', 'PATH', 'PWD', 'SHLVL', '_']);
  });

  it('runs commands of the tools without keys, pager or editor in their environment', async () => {
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: directory });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'first');
    const user = {
      PATH: process.env['PATH'],
      HOME: directory,
      OPENAI_API_KEY: 'canary',
      MY_PROVIDER: 'canary',
      PAGER: 'sleep 600',
      GIT_PAGER: 'sleep 600',
      GIT_EDITOR: 'sleep 600',
      EDITOR: 'sleep 600',
    };
    const environment = shellEnvironment(user, ['MY_PROVIDER']);
    const command =
      'git log --format=%s; echo page | $PAGER; git -c user.name=a -c user.email=a@b.c commit --allow-empty 2>&1; echo $?; env';
    const { stdout, exit } = await collect(shell.run(commandOf(command, { environment, timeoutMs: 600_000 }), never));
    expect(exit.cause).toBe('exited');
    expect(stdout).toMatch(/^first\npage\nAborting commit due to empty commit message\.\n1\n/);
    expect(stdout).not.toContain('canary');
    expect(stdout).not.toContain('sleep 600');
  });

  it.each([
    ['a missing directory', { workingDirectory: '/nowhere/at/all' }, /\/nowhere\/at\/all/],
    ['a command that is too long', { command: 'x'.repeat(3_000_000) }, /E2BIG/],
    ['a null character', { command: 'a\0b' }, /null bytes/],
  ])('reports why a command cannot start: %s', async (_, change, reason) => {
    const { exit } = await collect(shell.run(commandOf('true', change), never));
    expect(exit).toMatchObject({
      cause: 'failed_to_start',
      reason: expect.stringMatching(reason),
      leftProcesses: false,
    });
  });

  it.each([
    ['cat', [], '{"a":"é"}'],
    ['cat', ['/dev/stdin'], '{"a":"é"}'],
    ['sh', ['-c', 'readlink /proc/$$/fd/0 | sed "s/.*(deleted)/no name/"'], 'no name\n'],
    ['true', [], ''],
  ])('gives a program its input as a file: %s %j', async (name, args, expected) => {
    const input = '{"a":"é"}';
    const { stdout, exit } = await collect(shell.run({ ...commandOf(''), program: name, args, input }, never));
    expect({ stdout, exitCode: exit.exitCode }).toEqual({ stdout: expected, exitCode: 0 });
  });

  it('gives a program an input of megabytes that the program does not read', async () => {
    const surroundings = { ...commandOf(''), input: 'x'.repeat(5_000_000) };
    const counted = await collect(shell.run({ ...surroundings, program: 'wc', args: ['-c'] }, never));
    const unread = await collect(shell.run({ ...surroundings, program: 'echo', args: ['done'] }, never));
    expect([counted.stdout.trim(), unread.stdout]).toEqual(['5000000', 'done\n']);
  });

  it('reports a shell that does not exist', async () => {
    const missing = createNodeShell({ program: { ...program, program: '/nowhere/bash' } });
    const { exit } = await collect(missing.run(commandOf('true'), never));
    expect(exit).toMatchObject({ cause: 'failed_to_start', reason: 'not found (ENOENT)' });
  });
});
