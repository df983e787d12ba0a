import { describe, expect, it } from 'vitest';
import { FileSystemError, ToolError } from '../../../../src/agent/errors.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import type { CommandEnd, Shell } from '../../../../src/agent/ports/shell.ts';
import type { PlannedCall, ToolProgress, ToolResult } from '../../../../src/agent/ports/tool.ts';
import { ReadLedger } from '../../../../src/tools/files/read-ledger.ts';
import { createRunShell } from '../../../../src/tools/shell/run-shell.ts';
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import {
  createScriptedShell,
  type ScriptedCommand,
  type ScriptedShell,
} from '../../../support/fakes/scripted-shell.ts';

const FILES = { '/work/app/main.js': 'x', '/work/README': 'x', '/secret/key': 'x' };

interface Bench extends MemoryFileSystem {
  readonly clock: ManualClock;
  readonly shell: ScriptedShell;
  readonly plan: (args: unknown, signal?: AbortSignal) => Promise<PlannedCall>;
  readonly run: (planned: PlannedCall) => Promise<{ result: ToolResult; progress: ToolProgress[] }>;
  /** Plans and runs a call, and plays the script. */
  readonly call: (args: unknown) => Promise<ToolResult>;
}

interface BenchOptions {
  readonly maxOutputChars?: number;
  readonly change?: (fileSystem: FileSystem) => FileSystem;
  readonly shell?: Shell;
  readonly ports?: Partial<Parameters<typeof createRunShell>[0]>;
}

function setUp(script: readonly ScriptedCommand[] = [], options: BenchOptions = {}): Bench {
  const memory = createMemoryFileSystem(FILES);
  const clock = createManualClock();
  const shell = createScriptedShell(clock, ...script);
  const tool = createRunShell({
    fileSystem: options.change?.(memory.fileSystem) ?? memory.fileSystem,
    shell: options.shell ?? shell,
    outputDirectory: '/out',
    environment: { PATH: '/bin', PAGER: 'cat' },
    maxOutputChars: options.maxOutputChars ?? 200,
    ...options.ports,
    digest: String,
    ledger: new ReadLedger(),
    pathRules: {
      workspace: '/work',
      allowedRoots: ['/work'],
      readOnlyRoots: ['/out'],
      blockedPaths: [],
      platform: 'posix',
    },
  });
  const plan: Bench['plan'] = (args, signal = new AbortController().signal) =>
    tool.plan(args, { callId: 'call_1', signal, pause: async () => {} });
  const run: Bench['run'] = async (planned) => {
    const steps = planned.run();
    const progress: ToolProgress[] = [];
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return { result: step.value, progress };
      progress.push(step.value);
    }
  };
  const call: Bench['call'] = async (args) => {
    const running = run(await plan(args));
    const waits = script.flatMap(({ steps = [] }) => steps.map((step) => ('wait' in step ? step.wait : 0)));
    await clock.advance(script.some(({ end }) => end === 'never') ? 600_000 : waits.reduce((a, b) => a + b, 0));
    const { result } = await running;
    shell.assertExhausted();
    return result;
  };
  return { ...memory, clock, shell, plan, run, call };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await work)}`;
  } catch (error) {
    if (error instanceof ToolError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

it('a command may remove what an earlier one has made', async () => {
  let names = '';
  const shell: Shell = {
    async *run() {
      bench.volume.writeFileSync('/work/out', 'x');
      names = 'out\0';
      yield { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 1, leftProcesses: false };
    },
  };
  const runGit = async () => ({ type: 'ended' as const, exitCode: 0, stdout: names, stderr: '' });
  const bench = setUp([], { shell, ports: { runGit, clock: { now: () => 0, sleep: async () => {} } } });
  await bench.run(await bench.plan({ command: 'npm run build' }));
  expect((await bench.plan({ command: 'rm out README' })).effect.overwrites).toEqual(['README']);
});

describe('run_shell', () => {
  it.each<[string, ScriptedCommand, Readonly<Record<string, unknown>>, string, string, CommandEnd]>([
    [
      'a command that succeeds',
      { command: 'npm test', steps: [{ wait: 320 }, { stdout: 'all green\n' }] },
      {},
      'exit_code: 0\nduration: 0.3 s\ndirectory: .\n\nall green\n',
      'exit code 0 after 0.3 s',
      { cause: 'exited', exitCode: 0 },
    ],
    [
      'a command that fails, with both streams in order',
      { command: 'npm test', steps: [{ stdout: 'a\n' }, { stderr: 'b\n' }, { stdout: 'c\n' }], end: 1 },
      { working_dir: 'app' },
      'exit_code: 1\nduration: 0.0 s\ndirectory: app\n\na\n[stderr]\nb\n[stdout]\nc\n',
      'exit code 1 after 0.0 s',
      { cause: 'exited', exitCode: 1 },
    ],
    [
      'a command without output',
      { command: 'npm test' },
      {},
      'exit_code: 0\nduration: 0.0 s\ndirectory: .\n\n(no output)',
      'exit code 0 after 0.0 s',
      { cause: 'exited', exitCode: 0 },
    ],
    [
      'colours and progress',
      { command: 'npm test', steps: [{ stdout: '\u001b[32m10 %\r' }, { stdout: '99 %\u001b[0m\n' }] },
      {},
      'exit_code: 0\nduration: 0.0 s\ndirectory: .\n\n99 %\n',
      'exit code 0 after 0.0 s',
      { cause: 'exited', exitCode: 0 },
    ],
    [
      'a command that a signal ended',
      { command: 'npm test', end: { signal: 'SIGSEGV' } },
      {},
      'exit_code: none, ended by SIGSEGV\nduration: 0.0 s\ndirectory: .\n\n(no output)',
      'ended by SIGSEGV after 0.0 s',
      { cause: 'signalled', signal: 'SIGSEGV' },
    ],
    [
      'a silent command that timed out',
      { command: 'npm test', end: 'never', timeoutMs: 60_000 },
      {},
      'exit_code: none, timed out after 60 s, ended by SIGTERM\nduration: 60 s\ndirectory: .\nnote: the command printed nothing and may have waited for input. Standard input is closed, so pass answers as arguments or read them from a file.\n\n(no output)',
      'timed out after 60 s',
      { cause: 'timed_out', signal: 'SIGTERM' },
    ],
    [
      'a busy command that timed out and ignored TERM',
      { command: 'npm test', steps: [{ stdout: 'busy' }], end: 'never', ignoresTerm: true, timeoutMs: 5_000 },
      { timeout: 5 },
      'exit_code: none, timed out after 5 s, ended by SIGKILL\nduration: 7.0 s\ndirectory: .\nnote: if the command needs more time, set timeout, or run a part of it.\n\nbusy',
      'timed out after 7.0 s',
      { cause: 'timed_out', signal: 'SIGKILL' },
    ],
    [
      'a command that left processes',
      { command: 'npm test', leftProcesses: true },
      {},
      'exit_code: 0\nduration: 0.0 s\ndirectory: .\nnote: the command left background processes. Those that were found were ended, so the next call cannot use them. Their later output is not shown.\n\n(no output)',
      'exit code 0 after 0.0 s; processes in the background were ended',
      { cause: 'exited', exitCode: 0 },
    ],
  ])('reports %s', async (_, script, args, content, summary, exit) => {
    const bench = setUp([script]);
    const { comparable, ...shown } = await bench.call({ command: 'npm test', ...args });
    const timedOut = exit.cause === 'timed_out';
    expect(shown).toEqual({ content, summary, isError: timedOut, exit, ...(timedOut && { code: 'timed_out' }) });
    expect(comparable).toBe(content.replace(/^duration: .* s$/m, 'duration: 0.0 s'));
    expect(bench.volume.existsSync('/out')).toBe(false);
  });

  it('reports a command that the user stopped', async () => {
    const bench = setUp([{ command: 'npm test', steps: [{ stdout: 'busy\n' }], end: 'never' }]);
    const controller = new AbortController();
    const running = bench.run(await bench.plan({ command: 'npm test' }, controller.signal));
    await bench.clock.advance(1_500);
    controller.abort();
    expect((await running).result).toMatchObject({
      content:
        'exit_code: none, stopped by the user, ended by SIGTERM. The command may have had effects.\nduration: 1.5 s\ndirectory: .\n\nbusy\n',
      summary: 'stopped after 1.5 s',
      isError: true,
    });
  });

  it('has equal comparable results for equal commands, regardless of their durations and logs', async () => {
    const script = [{ wait: 10 }, { stdout: 'x'.repeat(500) }];
    const quick = await setUp([{ command: 'make', steps: script }]).call({ command: 'make' });
    const slow = await setUp([{ command: 'make', steps: [{ wait: 7_000 }, ...script] }]).call({ command: 'make' });
    expect(slow.content).not.toBe(quick.content);
    expect(slow.comparable).toBe(quick.comparable);
    expect(slow.comparable).not.toContain('.log');
  });

  it('yields the output as progress', async () => {
    const bench = setUp([{ command: 'make', steps: [{ stdout: 'a\r' }, { stderr: '\u001b[31mb' }] }]);
    const { progress } = await bench.run(await bench.plan({ command: 'make' }));
    expect(progress).toEqual([
      { stream: 'stdout', text: 'a\r' },
      { stream: 'stderr', text: '\u001b[31mb' },
    ]);
  });
});

describe('long output of run_shell', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`);
  const script: ScriptedCommand = { command: 'seq', steps: lines.map((stdout) => ({ stdout })) };

  it('is truncated in the middle and saved completely to a log', async () => {
    const bench = setUp([script]);
    const { content, summary } = await bench.call({ command: 'seq' });
    expect(summary).toBe('exit code 0 after 0.0 s; the whole output is in /out/call_1.log');
    expect(content).toBe(
      [
        'exit_code: 0\nduration: 0.0 s\ndirectory: .\n\n',
        ...lines.slice(0, 7),
        '[lines 8 to 82 of 100 omitted (598 characters). Read the rest with read_file from /out/call_1.log.]\n',
        ...lines.slice(82),
      ].join(''),
    );
    expect(bench.volume.toJSON('/out')).toEqual({ '/out/call_1.log': lines.join('') });
  });

  it('is complete in the log, with a marker where the stream changes', async () => {
    const steps = lines.map((text, index) => (index % 2 === 0 ? { stdout: text } : { stderr: text }));
    const bench = setUp([{ command: 'seq', steps }]);
    await bench.call({ command: 'seq' });
    const expected = lines.map(
      (text, index) => `${index % 2 === 1 ? '[stderr]\n' : index > 0 ? '[stdout]\n' : ''}${text}`,
    );
    expect(bench.volume.toJSON('/out')).toEqual({ '/out/call_1.log': expected.join('') });
  });

  it('is truncated within a line if there is only one, but never inside a character', async () => {
    const bench = setUp([{ command: 'seq', steps: [{ stdout: `a${'😀'.repeat(200)}` }] }]);
    const { content } = await bench.call({ command: 'seq' });
    expect(content).toContain(
      '\n[part of line 1 of 1 omitted (202 characters). Read the rest with read_file from /out/call_1.log.]\n',
    );
    expect(content).not.toMatch(/\p{Surrogate}/u);
  });

  it.each([
    [0, /^$/, 'The full output was not saved: the disk is full.'],
    [
      1,
      /^(?:line\n){2000,}/,
      'Read the rest with read_file from /out/call_1.log, which is incomplete: the disk is full.',
    ],
  ])('does not cause a failure when the disk is full after %d writes', async (room, log, reference) => {
    let left = room;
    const change = (fileSystem: FileSystem): FileSystem => ({
      ...fileSystem,
      appendFile: (file, bytes) =>
        left-- > 0 ? fileSystem.appendFile(file, bytes) : Promise.reject(new FileSystemError('no_space', file)),
    });
    const stdout = `${'line\n'.repeat(3276)}1234`;
    const bench = setUp([{ command: 'seq', steps: [{ stdout }, { stdout }] }], { change });
    const result = await bench.call({ command: 'seq' });
    expect(result.content).toContain(`characters). ${reference}]`);
    expect(result.summary).toBe('exit code 0 after 0.0 s');
    expect(result.isError).toBe(false);
    expect(bench.volume.toJSON('/out')['/out/call_1.log'] ?? '').toMatch(log);
  });
});

describe('the plan of run_shell', () => {
  it.each<[unknown, object]>([
    [{ command: 'npm test' }, { summary: 'run npm test', workingDirectory: '/work' }],
    [
      { command: 'ls', working_dir: 'app' },
      { summary: 'run ls in app', workingDirectory: '/work/app' },
    ],
    [{ command: 'ls', working_dir: '/work/app/', timeout: 600 }, { workingDirectory: '/work/app' }],
    [{ command: 'ls', description: 'of other agents' }, { summary: 'run ls' }],
    [{ command: ' a\nb ' }, { summary: 'run a …', command: ' a\nb ' }],
    [{ command: '😀'.repeat(101) }, { summary: `run ${'😀'.repeat(100)} …` }],
  ])('fixes the command of %j and runs no program', async (args, expected) => {
    const bench = setUp();
    expect((await bench.plan(args)).effect).toMatchObject(expected);
    expect(bench.shell.commands).toEqual([]);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['cat a b/main.js', ['/work/a > /work/app/main.js', '/work/b/main.js > /work/app/main.js']],
    ['cd app && cat main.js', ['/work/app > /work/app', '/work/app/main.js > /work/app/main.js']],
    ['cat key missing loop', ['/work/key > /secret/key', '/work/missing > /work/missing']],
    ['ls', []],
    ['rm a', undefined],
    [`cat ${Array.from({ length: 64 }, (_, index) => index).join(' ')}`, expect.objectContaining({ length: 64 })],
    [`cat ${Array.from({ length: 65 }, (_, index) => index).join(' ')}`, undefined],
  ])('resolves the files that the command %j reads', async (command, expected) => {
    const bench = setUp();
    for (const [link, target] of [
      ['a', 'app/main.js'],
      ['b', 'app'],
      ['key', '/secret/key'],
      ['loop', 'loop'],
    ] as const) {
      bench.volume.symlinkSync(target, `/work/${link}`);
    }
    const { effect } = await bench.plan({ command });
    const shown = effect.reads?.map(({ requested, realPath, access }) => {
      expect(access).toBe('read');
      return `${requested} > ${realPath}`;
    });
    expect(shown).toEqual(expected);
  });

  it('resolves the links on the path to removed files', async () => {
    const bench = setUp();
    bench.volume.symlinkSync('/secret', '/work/away');
    const { effect } = await bench.plan({ command: 'rm -rf away/*' });
    expect(effect.links).toEqual([{ requested: '/work/away', realPath: '/secret', access: 'read' }]);
  });

  it.each<[string, readonly string[] | undefined, readonly string[] | undefined]>([
    // command                  what it reads          the directories that it searches
    ['ls', [], []],
    ['grep -r x', ['/work'], ['/work']],
    ['cd app && rg x', ['/work/app'], ['/work/app']],
    ['grep -r x app README', ['/work/app', '/work/README'], ['/work/app', '/work/README']],
    ['grep -r x app missing', ['/work/app', '/work/missing'], ['/work/app', '/work/missing']],
    ['diff README app/main.js', ['/work/README', '/work/app/main.js'], []],
    ['diff README app', ['/work/README'], undefined],
    ['cat .env; grep -r x app', ['/work/.env', '/work/app'], undefined],
    ['grep -r x large', [], undefined],
    ['grep -r x app half half', ['/work/app', '/work/half'], ['/work/app', '/work/half']],
    ['grep -r x half more', ['/work/half'], undefined],
    ['npm test', undefined, undefined],
  ])('searches the directories of %j', async (command, reads, searched) => {
    const bench = setUp([{ command }]);
    const fill = (directory: string, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        bench.volume.mkdirSync(`/work/${directory}/${index % 100}/${index}`, { recursive: true });
      }
    };
    if (command.includes('large')) fill('large', 5_000);
    if (command.includes('half')) fill('half', 2_600);
    if (command.includes('more')) fill('more', 2_600);
    const planned = await bench.plan({ command });
    expect(planned.effect.reads?.map(({ requested }) => requested).toSorted()).toEqual(reads?.toSorted());
    await bench.run(planned);
    expect(bench.shell.commands[0]?.searched).toEqual(searched);
  });

  it('rethrows an unknown failure of a search', async () => {
    const list = () => Promise.reject(new Error('broken'));
    const bench = setUp([], { change: (fileSystem) => ({ ...fileSystem, list }) });
    await expect(bench.plan({ command: 'grep -r x app' })).rejects.toThrow('broken');
  });

  it('declares the directory as a written path', async () => {
    const { effect } = await setUp().plan({ command: 'ls', working_dir: 'app' });
    expect(effect.paths).toEqual([{ requested: 'app', realPath: '/work/app', access: 'write' }]);
  });

  it('runs exactly as planned, in the environment of commands', async () => {
    const bench = setUp([{ command: ' a\nb ' }]);
    await bench.run(await bench.plan({ command: ' a\nb ', working_dir: 'app', timeout: 7 }));
    expect(bench.shell.commands).toEqual([
      {
        command: ' a\nb ',
        callId: 'call_1',
        workingDirectory: '/work/app',
        environment: { PATH: '/bin', PAGER: 'cat' },
        timeoutMs: 7_000,
      },
    ]);
  });

  it.each([
    ['with local sockets', { local_sockets: true }, {}, { localSockets: true }],
    ['with hosts', { hosts: ['a.test'] }, {}, { hosts: ['a.test'] }],
    ['with the hosts of the session', {}, { sessionHosts: () => ['b.test'] }, { hosts: ['b.test'] }],
  ])('runs in the sandbox %s', async (_name, args, ports, expected) => {
    const bench = setUp([{ command: 'npm test' }], { ports: { sandboxed: true, grantsHosts: true, ...ports } });
    await bench.run(await bench.plan({ command: 'npm test', ...args }));
    expect(bench.shell.commands).toMatchObject([expected]);
  });

  it('accepts a timeout in milliseconds by the name of another agent', async () => {
    const bench = setUp([{ command: 'npm test' }]);
    await bench.run(await bench.plan({ command: 'npm test', timeoutMs: 2_500 }));
    expect(bench.shell.commands).toMatchObject([{ timeoutMs: 2_500 }]);
  });

  it.each([
    ['a missing command', {}, /^invalid_arguments: [\s\S]*command/],
    ['an empty command', { command: ' \n' }, /^invalid_arguments: [\s\S]*The command is empty/],
    ['a null character', { command: 'a\0b' }, /^invalid_arguments: [\s\S]*no program can receive/],
    ['a lone surrogate', { command: 'a\ud800b' }, /^invalid_arguments: [\s\S]*contains a lone surrogate/],
    ['a timeout of zero', { command: 'a', timeout: 0 }, /^invalid_arguments: [\s\S]*timeout/],
    ['a timeout that is too long', { command: 'a', timeout: 601 }, /^invalid_arguments: [\s\S]*timeout/],
    ['a timeout that is not an integer', { command: 'a', timeout: 0.5 }, /^invalid_arguments: [\s\S]*timeout/],
    ['a directory outside', { command: 'a', working_dir: '/secret' }, /^path_outside_workspace: /],
    ['the parent directory', { command: 'a', working_dir: '..' }, /^path_outside_workspace: /],
    ['a link to the outside', { command: 'a', working_dir: 'link' }, /^path_outside_workspace: /],
    ['a read-only directory', { command: 'a', working_dir: '/out' }, /^path_outside_workspace: /],
    ['a missing directory', { command: 'a', working_dir: 'src' }, /^not_found: The directory src does not exist/],
    ['a file', { command: 'a', working_dir: 'README' }, /^not_a_directory: README is not a directory/],
  ])('refuses %s', async (_, args, expected) => {
    const bench = setUp();
    bench.volume.symlinkSync('/secret', '/work/link');
    bench.volume.mkdirSync('/out');
    expect(await failureOf(bench.plan(args))).toMatch(expected);
  });
});

describe('run_shell, if it cannot run', () => {
  it.each([
    ['was deleted', () => {}],
    ['was replaced by a link', (bench: Bench) => bench.volume.symlinkSync('/secret', '/work/app')],
  ])('refuses a directory that %s after the plan', async (_, change) => {
    const bench = setUp();
    const plan = await bench.plan({ command: 'ls', working_dir: 'app' });
    bench.volume.rmSync('/work/app', { recursive: true });
    change(bench);
    expect(await failureOf(bench.run(plan))).toBe(
      'file_changed: app was replaced after this call was planned. Check it with list_files.',
    );
    expect(bench.shell.commands).toEqual([]);
  });

  it('reports why the shell did not start', async () => {
    const bench = setUp([{ command: 'ls', end: { failedToStart: 'spawn /bin/bash EAGAIN' } }]);
    expect(await failureOf(bench.run(await bench.plan({ command: 'ls' })))).toBe(
      'io_error: The command could not be started: spawn /bin/bash EAGAIN.',
    );
  });

  it('reports that the shell did not start for an unknown reason', async () => {
    const end = { type: 'exit', cause: 'failed_to_start', durationMs: 0, leftProcesses: false } as const;
    const shell: Shell = {
      run: async function* () {
        yield end;
      },
    };
    const bench = setUp([], { shell });
    expect(await failureOf(bench.run(await bench.plan({ command: 'ls' })))).toBe(
      'io_error: The command could not be started: unknown reason.',
    );
  });

  it('fails when the shell reports no exit', async () => {
    const silent: Shell = { run: async function* () {} };
    const bench = setUp([], { shell: silent });
    await expect(bench.run(await bench.plan({ command: 'ls' }))).rejects.toThrow(
      'The shell ended without an exit event.',
    );
  });

  it('rethrows an error that is not a FileSystemError', async () => {
    const change = (fileSystem: FileSystem): FileSystem => ({
      ...fileSystem,
      stat: () => Promise.reject(new TypeError('broken')),
    });
    await expect(setUp([], { change }).plan({ command: 'ls' })).rejects.toThrow('broken');
  });
});
