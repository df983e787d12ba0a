import { describe, expect, it } from 'vitest';
import type { ShellCommand, ShellExit, ShellOutput } from '../../../../src/agent/ports/shell.ts';
import {
  type ClientTerminal,
  type ClientTerminals,
  terminalCommand,
  withClientTerminals,
} from '../../../../src/hosts/acp/client-terminals.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createScriptedShell } from '../../../support/fakes/scripted-shell.ts';

const COMMAND: ShellCommand = {
  ...{ command: 'make', workingDirectory: '/w', environment: { PATH: '/bin', NPM_TOKEN: 'given' }, timeoutMs: 60_000 },
  callId: 'c',
};

const never = () => new Promise<never>(() => {});
const refuse = () => Promise.reject(new Error('no pty'));

interface Client {
  readonly terminal?: Partial<ClientTerminal>;
  readonly create?: ClientTerminals['create'];
  /** Stops the command, or lets its time pass, as soon as it runs. */
  readonly stop?: 'abort' | 'timeout';
  /** Milliseconds that pass after the stop. */
  readonly graceMs?: number;
}

/** Runs a command in a terminal of a client, to its end. */
async function run({ terminal = {}, create, stop, graceMs = 0 }: Client) {
  const clock = createManualClock();
  const calls: string[] = [];
  const abort = new AbortController();
  const opened: ClientTerminal = {
    id: 't',
    currentOutput: async () => ({ output: 'out\n', truncated: false }),
    waitForExit: stop === undefined ? async () => ({ exitCode: 0 }) : never,
    kill: async () => void calls.push('kill'),
    release: async () => void calls.push('release'),
    ...terminal,
  };
  const own = createScriptedShell(clock);
  const shell = withClientTerminals(
    { shell: own, name: 'bash' },
    {
      clock,
      secrets: [],
      create: create ?? (async () => opened),
      onOpen: (callId, id) => void calls.push(`open ${callId} ${id}`),
    },
  );
  const pass = async (ms: number) => {
    // The command waits for its client before it waits for time.
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    await clock.advance(ms);
  };
  const events: (ShellOutput | ShellExit)[] = [];
  const running = (async () => {
    for await (const event of shell.run(COMMAND, abort.signal)) events.push(event);
  })();
  if (stop !== undefined) {
    await pass(stop === 'timeout' ? COMMAND.timeoutMs : 0);
    if (stop === 'abort') abort.abort();
    await pass(graceMs);
    await pass(graceMs === 0 ? 0 : 2_000);
  }
  await running;
  return { events, calls };
}

const exit = (ending: Partial<ShellExit>) => ({ type: 'exit', leftProcesses: false, ...ending });
const stdout = (text: string) => ({ type: 'output', stream: 'stdout', text });
const ENDED = ['open c t', 'release'];
const KILLED = ['open c t', 'kill', 'release'];

describe('a command in a terminal of a client', () => {
  it.each<readonly [string, Client, readonly unknown[], readonly string[]]>([
    ['ends with its exit code', {}, [stdout('out\n'), exit({ cause: 'exited', exitCode: 0 })], ENDED],
    [
      'ends by a signal',
      { terminal: { waitForExit: async () => ({ exitCode: null, signal: 'SIGSEGV' }) } },
      [stdout('out\n'), exit({ cause: 'signalled', signal: 'SIGSEGV' })],
      ENDED,
    ],
    [
      'ends without a code',
      { terminal: { waitForExit: async () => ({}) } },
      [stdout('out\n'), exit({ cause: 'exited' })],
      ENDED,
    ],
    [
      'prints nothing',
      { terminal: { currentOutput: async () => ({ output: '', truncated: false }) } },
      [exit({ cause: 'exited', exitCode: 0 })],
      ENDED,
    ],
    [
      'prints more than the client keeps',
      { terminal: { currentOutput: async () => ({ output: 'end\n', truncated: true }) } },
      [stdout('[The editor kept only the end of the output, 1 MB.]\nend\n'), exit({ cause: 'exited' })],
      ENDED,
    ],
    [
      'has an output that the client does not send',
      { terminal: { currentOutput: refuse } },
      [stdout('[The editor did not send the output: no pty]\n'), exit({ cause: 'exited', exitCode: 0 })],
      ENDED,
    ],
    [
      'has an end that the client does not know',
      { terminal: { waitForExit: refuse } },
      [
        stdout('out\n'),
        {
          ...{ type: 'output', stream: 'stderr' },
          text: '[The editor did not report the end of the command: no pty. It may still run.]\n',
        },
        exit({ cause: 'exited' }),
      ],
      ENDED,
    ],
    [
      'does not start',
      { create: refuse },
      [exit({ cause: 'failed_to_start', reason: 'the editor: no pty', durationMs: 0 })],
      [],
    ],
    [
      'is stopped while the client creates the terminal',
      { create: never, stop: 'abort' },
      [exit({ cause: 'aborted' })],
      [],
    ],
    [
      'times out while the client creates the terminal',
      { create: never, stop: 'timeout' },
      [exit({ cause: 'timed_out', durationMs: 60_000 })],
      [],
    ],
    [
      'is killed at its timeout, and never ends for the client',
      { stop: 'timeout', graceMs: 2_000, terminal: { kill: refuse, currentOutput: never } },
      [
        stdout('[The editor did not send the output: no answer]\n'),
        {
          ...{ type: 'output', stream: 'stderr' },
          text: '[The editor did not report the end of the command: no answer. It may still run.]\n',
        },
        exit({ cause: 'timed_out', durationMs: 64_000 }),
      ],
      ENDED,
    ],
    [
      'is killed at an abort, and never ends for the client',
      { stop: 'abort', graceMs: 500 },
      [
        stdout('out\n'),
        expect.objectContaining({ stream: 'stderr' }),
        exit({ cause: 'aborted', durationMs: expect.any(Number) }),
      ],
      KILLED,
    ],
  ])('%s', async (_name, client, events, calls) => {
    expect(await run(client)).toMatchObject({ events, calls });
  });

  it('is released when the client creates its terminal too late', async () => {
    const abort = new AbortController();
    const clock = createManualClock();
    const released: string[] = [];
    let open: (terminal: ClientTerminal) => void = () => {};
    const create = () =>
      new Promise<ClientTerminal>((resolve) => {
        open = resolve;
      });
    const shell = withClientTerminals(
      { shell: createScriptedShell(clock), name: 'sh' },
      { clock, secrets: [], create, onOpen: () => void released.push('opened') },
    );
    const events = shell.run(COMMAND, abort.signal)[Symbol.asyncIterator]();
    const first = events.next();
    abort.abort();
    expect((await first).value).toMatchObject({ cause: 'aborted' });
    await events.next();
    open({
      ...{ id: 't', currentOutput: never, waitForExit: never, kill: never },
      release: async () => void released.push('released'),
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(released).toEqual(['released']);
  });

  it('is not started after an abort', async () => {
    const events = [];
    const clock = createManualClock();
    const ports = { clock, secrets: [], create: refuse, onOpen: () => {} };
    const shell = withClientTerminals({ shell: createScriptedShell(clock), name: 'bash' }, ports);
    for await (const event of shell.run(COMMAND, AbortSignal.abort())) events.push(event);
    expect(events).toEqual([{ type: 'exit', cause: 'aborted', durationMs: 0, leftProcesses: false }]);
  });
});

describe('the shell of ybs runs', () => {
  const { callId: _callId, ...uncalled } = COMMAND;
  const { command: _command, ...surroundings } = uncalled;

  it.each<readonly [string, string, Parameters<ReturnType<typeof withClientTerminals>['run']>[0], string]>([
    ['programs', 'bash', { ...surroundings, program: '/bin/x', args: ['a'] }, '/bin/x a'],
    ['commands that are not calls', 'bash', uncalled, 'make'],
    ['commands for Git Bash', 'Git Bash', COMMAND, 'make'],
    ['commands for PowerShell', 'PowerShell', COMMAND, 'make'],
  ])('%s', async (_name, name, command, expected) => {
    const clock = createManualClock();
    const own = createScriptedShell(clock, { command: expected });
    const ports = { clock, secrets: [], create: refuse, onOpen: () => {} };
    const events = [];
    for await (const event of withClientTerminals({ shell: own, name }, ports).run(
      command,
      new AbortController().signal,
    )) {
      events.push(event);
    }
    expect(events).toMatchObject([{ cause: 'exited', exitCode: 0 }]);
    own.assertExhausted();
  });
});

it('the request for a command closes its input, and clears the secrets of the editor unless they are given', () => {
  expect(terminalCommand(COMMAND, ['/bin/sh', '-c'], ['API_KEY', 'NPM_TOKEN'])).toEqual({
    command: '/bin/sh',
    args: ['-c', 'exec </dev/null; make'],
    env: [
      { name: 'API_KEY', value: '' },
      { name: 'NPM_TOKEN', value: 'given' },
      { name: 'PATH', value: '/bin' },
    ],
    cwd: '/w',
    outputByteLimit: 1_048_576,
  });
});
