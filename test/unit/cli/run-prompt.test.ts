import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, Approver } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent, RunOutcome } from '../../../src/agent/ports/events.ts';
import type { OpenSession, Settings } from '../../../src/app/settings.ts';
import type { Status } from '../../../src/app/terminal.ts';
import type { Wiring } from '../../../src/app/wiring.ts';
import { runPrompt } from '../../../src/cli/run-prompt.ts';
import { NOT_TRUSTED } from '../../../src/config/trust/project-trust.ts';
import type { LogReading } from '../../../src/session/log/read-log.ts';
import { NO_SCREEN, PLAIN, type UserConsole } from '../../../src/terminal/output.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { said } from '../../support/agent/session-events.ts';
import { answers, createFakeAgent, DONE, EMPTY_READING, type FakeRun } from '../../support/fakes/fake-agent.ts';
import { SCRIPTED } from '../../support/fakes/scripted-model.ts';
import { createScriptedTerminal } from '../../support/fakes/scripted-terminal.ts';

const SETTINGS: Settings = {
  config: configOf(),
  workspace: '/work',
  trust: NOT_TRUSTED,
  dryRun: false,
  model: {
    name: 'mock/scripted',
    embedded: true,
    open: () => Promise.reject(new Error('not opened')),
    openSmall: async () => undefined,
    close: async () => {},
  },
};

interface Script {
  readonly events: FakeRun;
  readonly outputFormat?: 'text' | 'json';
  readonly quiet?: true;
  readonly interactive?: boolean;
  readonly words?: string | undefined;
  /** Standard input; it is a terminal when absent. */
  readonly input?: string | 'endless';
  /** Number of writes before the reader leaves. */
  readonly readable?: number;
  /** The content of the session's log. */
  readonly restored?: LogReading;
}

async function run(script: Script) {
  const { events, outputFormat = 'text', interactive = false, readable = Infinity, input, restored } = script;
  const stops: (() => void)[] = [];
  const written: string[] = [];
  const statuses: (Status | undefined)[] = [];
  const warned: string[] = [];
  let approver: Approver | undefined;
  let closed = 0;
  const fake = createFakeAgent([events]);
  const request = { callId: 'a', toolName: 'run_shell', effect: { summary: 'run x', paths: [] }, reason: 'why' };
  let shown: readonly string[] = written;
  let decision: ApprovalDecision | undefined;
  const agent: typeof fake = {
    ...fake,
    record: { ...fake.record, restored },
    async *run(prompt, signal) {
      yield* fake.run(prompt, signal);
      shown = [...written];
      decision = await approver?.decide(request, new AbortController().signal);
    },
  };
  const wiring: Pick<Wiring, 'loadSettings' | 'setConfig' | 'chooseSession' | 'openSession'> = {
    setConfig: () => Promise.reject(new Error('a run changes no configuration')),
    loadSettings: async () => SETTINGS,
    chooseSession: async () => ({ type: 'new' }),
    async openSession(_settings, runApprover): Promise<OpenSession> {
      approver = runApprover;
      return {
        agent,
        async close() {
          closed += 1;
        },
      };
    },
  };
  const user: UserConsole = {
    interactive,
    columns: () => 80,
    palette: () => PLAIN,
    ...NO_SCREEN,
    showStatus: (status) => statuses.push(status),
    warn: async (message) => warned.push(message),
    openTerminal: async () => createScriptedTerminal(['y']),
    typesInput: input === undefined,
    async readInput(signal) {
      if (input === undefined) throw new Error('the user would have to type');
      if (input !== 'endless') return input;
      stops[0]?.();
      signal.throwIfAborted();
      throw new Error('not stopped');
    },
    readLines: () => {
      throw new Error('a run does not read lines');
    },
    onStop(listener) {
      stops.push(listener);
      return () => {};
    },
    async write(text) {
      if (written.length >= readable) return false;
      written.push(text);
      return true;
    },
  };
  const options = { outputFormat, dryRun: false, ...(script.quiet && { quiet: true }) };
  const code = await runPrompt('words' in script ? script.words : 'go', options, wiring, user);
  return { code, written: shown, decision, closed, received: fake.inputs, statuses, warned };
}

describe('one run', () => {
  const OUTCOMES: readonly (readonly [RunOutcome, number])[] = [
    ['done', 0],
    ['failed', 1],
    ['denied', 3],
    ['limit', 4],
    ['stuck', 5],
    ['aborted', 130],
  ];

  it.each(OUTCOMES)('that ends as %s has the exit code %i', async (outcome, code) => {
    const end: AgentEvent = { type: 'run_end', outcome, message: 'Over.' };
    expect(await run({ events: [end] })).toMatchObject({ code, closed: 1 });
    expect(await run({ events: [end], words: undefined, input: 'go' })).toMatchObject({ code, closed: 1 });
  });

  it('is preceded by warnings about a damaged session on standard error', async () => {
    const restored: LogReading = {
      ...EMPTY_READING,
      ...{ damage: [{ line: 3, reason: 'not JSON' }], ending: { size: 9, rest: new Uint8Array(2) } },
    };
    const { warned, written } = await run({ events: answers('Hello.'), restored, outputFormat: 'json' });
    expect(warned).toEqual([
      'Skipped damaged lines: line 3 (not JSON).',
      'Cut an incomplete last line; it is kept in session-fake.jsonl.torn.',
    ]);
    expect(written.join('')).not.toContain('damaged');
    expect((await run({ events: answers('Hello.') })).warned).toEqual([]);
  });

  const WARNING: AgentEvent = { type: 'warning', code: 'redacted', message: 'A secret was removed.' };
  const LIMIT: AgentEvent = { type: 'run_end', outcome: 'limit', message: 'Stopped after 2 turns.' };
  const TURNS: FakeRun = [{ type: 'text_delta', text: 'Reading.' }, said('Reading.'), said('Fix\r\nthe \u001b[1msum')];

  it.each<readonly [FakeRun, { readonly code: number; readonly written: string[]; readonly warned: string[] }]>([
    [[...TURNS, DONE], { code: 0, written: ['Fix\nthe \\u{1b}[1msum\n'], warned: [] }],
    [[said('One line.\n'), WARNING, DONE], { code: 0, written: ['One line.\n'], warned: ['A secret was removed.'] }],
    [[...TURNS, LIMIT], { code: 4, written: [], warned: ['Stopped after 2 turns.'] }],
  ])('prints only the complete answer with --quiet: %#', async (events, expected) => {
    expect(await run({ events, quiet: true })).toMatchObject(expected);
  });

  it('is printed as one JSON object per line', async () => {
    const text = 'a\nb\u0085\u2028\u2029\u009b31m\u007f\ud800\ud83d\udc69';
    const { written } = await run({ events: [{ type: 'text_delta', text }, DONE], outputFormat: 'json' });
    // Some readers end a line at U+0085, U+2028 or U+2029, too.
    expect(written.map((line) => line.search(/[\n\u007f-\u009f\u2028\u2029]/) === line.length - 1)).toEqual([
      true,
      true,
    ]);
    expect(written.map((line): unknown => JSON.parse(line))).toEqual([{ type: 'text_delta', text }, DONE]);
  });

  it('is stopped when the output has been closed', async () => {
    const events: FakeRun = [{ type: 'text_delta', text: 'a' }, { type: 'text_delta', text: 'b' }, 'hang', DONE];
    const stopped = await run({ events, outputFormat: 'json', readable: 1 });
    expect(stopped).toMatchObject({ code: 130, written: [expect.stringContaining('"a"')] });
  });

  it.each([
    ['asks the user at a terminal', 'text', true, 'once'],
    ['asks no questions without a terminal', 'text', false, 'unavailable'],
    ['asks no questions when programs read the output', 'json', true, 'unavailable'],
  ] as const)('%s', async (_name, outputFormat, interactive, type) => {
    expect((await run({ events: [DONE], outputFormat, interactive })).decision).toEqual({ type });
  });
});

describe('the prompt of a run', () => {
  it.each<[string, Omit<Script, 'events'>, string]>([
    ['words at a terminal', { words: 'explain' }, 'explain'],
    ['words and empty input', { words: 'explain', input: ' \n' }, 'explain'],
    ['words and input', { words: 'explain', input: 'a\nb' }, 'explain\n\n<stdin>\na\nb\n</stdin>'],
    ['words and a complete line', { words: 'explain', input: '!ls\n' }, 'explain\n\n<stdin>\n!ls\n</stdin>'],
    ['input alone', { words: undefined, input: '!ls\n/quit\n' }, '!ls\n/quit'],
    ['input of lines with carriage returns', { words: undefined, input: 'a\r\n\r\n' }, 'a\r\n'],
    ['input alone, as JSON', { words: undefined, input: ' !ls\n', outputFormat: 'json' }, ' !ls'],
  ])('is made of %s', async (_name, script, prompt) => {
    expect((await run({ events: [DONE], ...script })).received).toEqual([prompt]);
  });

  it.each<[string, Omit<Script, 'events'>, readonly string[]]>([
    ['an argument', { words: 'read @file:a.md' }, ['  @file:a.md']],
    ['an argument, but not in the input after it', { words: '@file:a.md', input: '@file:b.md' }, ['  @file:a.md']],
    ['no input', { words: undefined, input: 'read @file:a.md' }, []],
  ])('names files in %s', async (_name, script, files) => {
    expect((await run({ events: [DONE], ...script })).received.slice(1)).toEqual(files);
  });

  it.each(['', '\n'])('must not be empty, like %j', async (input) => {
    await expect(run({ events: [DONE], words: undefined, input })).rejects.toThrow('There is no prompt');
  });

  it('is not awaited after a stop', async () => {
    expect(await run({ events: [DONE], input: 'endless' })).toMatchObject({ code: 130, received: [] });
  });
});

describe('the activity of a run', () => {
  const call = { id: 'c', name: 'run_shell', arguments: '{}' };
  const effect = { summary: 'run x', paths: [] };
  const asks = { type: 'ask', rule: 'r', reason: 'x' } as const;
  const waiting = { label: 'waiting for the server', detail: undefined };
  const quiet = { detail: undefined, quiet: 'waiting for the server' };
  const running = { label: 'running', detail: undefined };
  const RESULT: AgentEvent = {
    type: 'tool_result',
    callId: 'c',
    toolName: 'run_shell',
    outcome: 'ok',
    content: '',
    summary: 'done',
    durationMs: 1,
  };
  const output = (text: string): AgentEvent => ({ type: 'tool_output', callId: 'c', stream: 'stdout', text });

  it.each<[string, AgentEvent[], (Status | undefined)[]]>([
    [
      'the model',
      [
        { type: 'user_message', text: 'go' },
        { type: 'turn_start', turn: 1, model: SCRIPTED },
      ],
      [waiting, waiting],
    ],
    [
      'the rest of an answer',
      [
        { type: 'reasoning_delta', text: 'a' },
        { type: 'text_delta', text: 'a' },
      ],
      [
        { label: 'thinking', ...quiet },
        { label: 'answering', ...quiet },
      ],
    ],
    [
      'the next attempt',
      [{ type: 'retry', attempt: 1, delayMs: 9, code: 'network', message: 'No.' }],
      [{ label: 'waiting to try again', detail: undefined }],
    ],
    [
      'a command, with its unfinished line, and then the model',
      [
        { type: 'tool_call', call, effect, permission: { type: 'allow', rule: 'r' } },
        output('one\n10%\r\u001b2'),
        output('0%'),
        RESULT,
      ],
      [running, { label: 'running', detail: '\\u{1b}2' }, { label: 'running', detail: '\\u{1b}20%' }, waiting],
    ],
    [
      'nothing at a question, and then the command',
      [
        { type: 'turn_start', turn: 1, model: SCRIPTED },
        { type: 'tool_call', call, effect, permission: asks },
        { type: 'approval_request', request: { callId: 'c', toolName: 't', effect, reason: 'r' } },
        { type: 'approval_decision', callId: 'c', decision: { type: 'once' } },
      ],
      [waiting, waiting, undefined, running],
    ],
  ])('is %s', async (_name, events, expected) => {
    const { statuses } = await run({ events: [...events, DONE] });
    expect(statuses).toEqual([...expected, undefined]);
  });

  it('is not shown as JSON', async () => {
    expect((await run({ events: answers('x'), outputFormat: 'json' })).statuses).toEqual([]);
  });
});
