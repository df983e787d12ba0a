import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { YumeEncoder } from '../../../../src/hosts/yume/encode.ts';
import { said } from '../../../support/agent/session-events.ts';
import { yumeProblems } from '../../../support/hosts/yume-lines.ts';

type Event<Type> = Extract<AgentEvent, { type: Type }>;

const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'small' };
const INIT = { model: 'small', cwd: '/work', permissionMode: 'default', tools: ['Read', 'Bash'] };
const INIT_LINE = { type: 'system', subtype: 'init', session_id: 's1', ...INIT };
const STOP = { type: 'message_stop' };

const prompt: AgentEvent = { type: 'user_message', text: 'Fix it' };
const turn = (number = 1): AgentEvent => ({ type: 'turn_start', turn: number, model: MODEL });
const delta = (text: string): AgentEvent => ({ type: 'text_delta', text });
const used = (inputTokens: number, outputTokens: number, more: Partial<Event<'usage'>> = {}): AgentEvent => ({
  ...{ type: 'usage', model: MODEL, inputTokens, outputTokens },
  ...more,
});
const called = (id: string, name: string, args: string): AgentEvent => ({
  type: 'tool_call',
  call: { id, name, arguments: args },
});
const settled = (callId: string, content: string, outcome: Event<'tool_result'>['outcome'] = 'ok'): AgentEvent => ({
  ...{ type: 'tool_result', callId, toolName: 'run_shell', outcome, content, summary: '', durationMs: 1 },
});
const end = (
  outcome: Event<'run_end'>['outcome'],
  message = '',
  code?: 'auth' | 'network' | 'answer_cut',
): AgentEvent => ({
  type: 'run_end',
  outcome,
  message,
  ...(code !== undefined && { error: { code, message } }),
});

/** The lines of events, one millisecond apart. */
function transcript(
  events: readonly AgentEvent[],
  sessionOf: (index: number) => string = () => 's1',
  hostSessionId?: string,
): readonly object[] {
  const encoder = new YumeEncoder();
  return events.flatMap((event, index) =>
    encoder.encode(event, {
      now: index,
      sessionId: sessionOf(index),
      hostSessionId,
      mode: 'ask',
      init: INIT,
      costOf: ({ outputTokens, purpose }) => (purpose === undefined ? outputTokens : undefined),
    }),
  );
}

const tokens = (input: number, output: number, cached = 0): object => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: 0,
});
const result = (fields: object): object => ({
  ...{
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: '',
    session_id: 's1',
    num_turns: 1,
    duration_ms: 2,
  },
  ...fields,
});
const failed = (subtype: string, message: string, fields: object = {}): object =>
  result({ subtype, is_error: true, result: message, errors: [message], ...fields });
const toolUse = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
const toolResult = (id: string, content: string, isError: boolean): object => ({
  ...{ type: 'tool_result', tool_use_id: id, content, is_error: isError },
});
const problem = (type: object, code: string, message: string): object => ({ ...type, code, message });

const TRANSCRIPTS: readonly (readonly [string, readonly AgentEvent[], readonly object[]])[] = [
  [
    'a plain answer',
    [prompt, turn(), delta('Do'), delta('ne.'), used(10, 2, { cachedTokens: 4 }), said('Done.'), end('done')],
    [
      INIT_LINE,
      { type: 'text', content: 'Do' },
      { type: 'text', content: 'ne.' },
      { type: 'usage', ...tokens(6, 2, 4) },
      result({ result: 'Done.', duration_ms: 6, total_cost_usd: 2, usage: tokens(6, 2, 4) }),
      STOP,
    ],
  ],
  [
    'a call whose input has unknown fields, and two requests',
    [
      ...[prompt, turn(), used(10, 5), said(''), called('c1', 'Bash', '{"command":"ls","description":"List","x":1}')],
      { type: 'tool_output', callId: 'c1', stream: 'stdout', text: 'a' },
      ...[settled('c1', 'a'), turn(2), used(20, 1), delta('Ok'), said('Ok'), end('done', 'Done.')],
    ],
    [
      INIT_LINE,
      { type: 'usage', ...tokens(10, 5) },
      toolUse('c1', 'Bash', { command: 'ls', description: 'List', x: 1 }),
      toolResult('c1', 'a', false),
      { type: 'usage', ...tokens(20, 1) },
      { type: 'text', content: 'Ok' },
      result({ result: 'Ok', num_turns: 2, duration_ms: 11, total_cost_usd: 6, usage: tokens(30, 6) }),
      STOP,
    ],
  ],
  [
    'calls that failed, were denied, were planned twice, and have no JSON',
    [
      ...[prompt, turn(), called('c1', 'Read', '[1]'), settled('c1', 'No such file', 'failed')],
      called('c2', 'Bash', '{"command":"x"}'),
      called('c2', 'Bash', '{"command":"x"}'),
      settled('c2', 'No', 'denied'),
      ...[called('c3', 'Bash', '{"comm'), settled('c3', 'Cut', 'not_run'), end('denied', 'Nobody answered.')],
    ],
    [
      INIT_LINE,
      toolUse('c1', 'Read', {}),
      toolResult('c1', 'No such file', true),
      toolUse('c2', 'Bash', { command: 'x' }),
      toolResult('c2', 'No', true),
      toolUse('c3', 'Bash', {}),
      toolResult('c3', 'Cut', true),
      result({ result: 'Nobody answered.', duration_ms: 9 }),
      STOP,
    ],
  ],
  [
    'an interrupt',
    [prompt, turn(), delta('Wo'), said('Wo'), end('aborted', 'Stopped.')],
    [
      INIT_LINE,
      { type: 'text', content: 'Wo' },
      { type: 'interrupt' },
      failed('cancelled', 'Stopped.', { duration_ms: 4 }),
      STOP,
    ],
  ],
  [
    'a failed request: the error comes after the result, because Yume stops reading at it',
    [
      ...[prompt, turn()],
      { type: 'retry', attempt: 1, delayMs: 500, code: 'network', message: 'No connection.' },
      { type: 'warning', code: 'slow', message: 'Slow.' },
      end('failed', 'No connection.', 'network'),
    ],
    [
      INIT_LINE,
      {
        type: 'system',
        subtype: 'api_retry',
        attempt: 1,
        retry_delay_ms: 500,
        code: 'network',
        message: 'No connection.',
      },
      problem({ type: 'system', subtype: 'warning' }, 'slow', 'Slow.'),
      failed('error_during_execution', 'No connection.', { duration_ms: 4 }),
      problem({ type: 'error' }, 'network', 'No connection.'),
      STOP,
    ],
  ],
  [
    'a key that the provider rejects',
    [prompt, turn(), end('failed', 'The key is invalid.', 'auth')],
    [
      INIT_LINE,
      problem({ type: 'system', subtype: 'error' }, 'auth', 'The key is invalid.'),
      failed('error_during_execution', 'The key is invalid.'),
      problem({ type: 'error' }, 'auth', 'The key is invalid.'),
      STOP,
    ],
  ],
  [
    'a failure without a code',
    [prompt, end('failed', 'Not saved.')],
    [
      INIT_LINE,
      failed('error_during_execution', 'Not saved.', { num_turns: 0, duration_ms: 1 }),
      problem({ type: 'error' }, 'internal', 'Not saved.'),
      STOP,
    ],
  ],
  ['too many turns', [prompt, turn(), end('limit', 'Many.')], [INIT_LINE, failed('error_max_turns', 'Many.'), STOP]],
  [
    'an answer that is cut off at its limit',
    [prompt, turn(), end('limit', 'Cut.', 'answer_cut')],
    [INIT_LINE, failed('error_during_execution', 'Cut.'), STOP],
  ],
  [
    'repeated calls',
    [prompt, turn(), end('stuck', 'Stuck.')],
    [INIT_LINE, failed('error_during_execution', 'Stuck.'), STOP],
  ],
  [
    'a compaction, a reminder, another mode, and a second run, which counts from nothing',
    [
      prompt,
      { type: 'compaction', tokensBefore: 100, tokensAfter: 10, messages: [] },
      used(9, 1, { purpose: 'summary' }),
      { type: 'user_message', text: 'Tasks are open', reminder: true },
      { type: 'permission_mode', mode: 'read-only' },
      { type: 'permission_mode', mode: 'plan' },
      ...[turn(), said('One'), end('done'), prompt, turn(), end('done', 'Done.')],
    ],
    [
      INIT_LINE,
      {
        type: 'system',
        subtype: 'compact_boundary',
        compact_metadata: { trigger: 'auto', pre_tokens: 100, post_tokens: 10 },
      },
      { type: 'usage', ...tokens(9, 1) },
      { type: 'system', subtype: 'permission_mode', permissionMode: 'deny' },
      { type: 'system', subtype: 'permission_mode', permissionMode: 'plan' },
      result({ result: 'One', duration_ms: 8, usage: tokens(9, 1) }),
      STOP,
      result({ result: 'Done.' }),
      STOP,
    ],
  ],
];

describe('YumeEncoder', () => {
  it.each(TRANSCRIPTS)('writes the lines of %s', (_name, events, lines) => {
    expect(transcript(events)).toEqual(lines);
    expect(yumeProblems(lines)).toEqual([]);
  });

  it('names a new session', () => {
    const run = [prompt, turn(), end('done', 'Done.')];
    const lines = transcript([...run, ...run], (index) => (index < 3 ? 's1' : 's2'));
    expect(lines).toEqual([
      ...[INIT_LINE, result({ result: 'Done.' }), STOP],
      { type: 'system', subtype: 'session_id', session_id: 's2', previous_session_id: 's1' },
      ...[result({ result: 'Done.', session_id: 's2' }), STOP],
    ]);
    expect(yumeProblems(lines)).toEqual([]);
  });

  it.each<readonly [hostSessionId: string | undefined, renamed: readonly object[]]>([
    [undefined, []],
    ['s1', []],
    ['s0', [{ type: 'system', subtype: 'session_id', session_id: 's1', previous_session_id: 's0' }]],
  ])('names the session that the host has named with %s', (hostSessionId, renamed) => {
    const lines = transcript([prompt, turn(), end('done', 'Done.')], () => 's1', hostSessionId);
    expect(lines.slice(0, -2)).toEqual([INIT_LINE, ...renamed]);
    expect(yumeProblems(lines)).toEqual([]);
  });

  it('splits long texts between characters', () => {
    const text = `${'x'.repeat(29_999)}😀${'y'.repeat(30_000)}`;
    const pieces = transcript([delta(text)]).flatMap((line) => ('content' in line ? [String(line.content)] : []));
    expect(pieces.map((piece) => piece.length)).toEqual([29_999, 30_000, 2]);
    expect(pieces.join('')).toBe(text);
  });

  it('writes nothing for events without a line in the format of Yume', () => {
    const silent: AgentEvent[] = [
      { type: 'reasoning_delta', text: 'Hm' },
      { type: 'tasks', tasks: [] },
      { type: 'turn_end', turn: 1 },
    ];
    expect(transcript(silent)).toEqual([INIT_LINE]);
  });
});

describe('yumeProblems', () => {
  const error = problem({ type: 'error' }, 'x', 'x');
  it.each<readonly [string, readonly object[], string]>([
    ['another field', [{ type: 'text', content: 'a', text: 'a' }], 'Unrecognized key'],
    ['a line after the end', [result({}), STOP, { type: 'text', content: 'a' }], 'the order of a turn: text '],
    ['an error before the result', [error, result({}), STOP], 'the order of a turn'],
    ['two errors', [result({}), error, error, STOP], 'the order of a turn'],
    ['a result without a call', [toolResult('c', '', false), result({}), STOP], 'without its tool_use'],
  ])('finds %s', (_name, lines, found) => {
    expect(yumeProblems(lines).join('\n')).toContain(found);
  });
});

describe('a call that the model is writing', () => {
  const piece = (id: string | undefined, size: number, path?: string): AgentEvent => ({
    ...{ type: 'tool_call_delta', text: '', ...(id !== undefined && { callId: id, name: 'Write' }) },
    written: { ...(id !== undefined && { name: 'Write' }), ...(path !== undefined && { path }), size, tail: '' },
  });
  const progress = (id: string, size: number, path?: string) => ({
    ...{
      type: 'system',
      subtype: 'tool_progress',
      id,
      name: 'Write',
      ...(path !== undefined && { file_path: path }),
      size,
    },
  });

  it('is reported when it begins, with its path, and for each KB', () => {
    const sizes = [100, 1_100, 1_200, 2_200].map((size) => piece('a', size, 'x'));
    const events = [prompt, piece('a', 0), piece('a', 0, 'x'), ...sizes, piece('b', 0), piece(undefined, 9)];
    const lines = transcript([...events, { type: 'tool_call_delta', callId: 'b', name: 'Write', text: '' }]);
    expect(lines).toEqual([
      INIT_LINE,
      progress('a', 0),
      progress('a', 0, 'x'),
      progress('a', 1_100, 'x'),
      progress('a', 2_200, 'x'),
      progress('b', 0),
    ]);
  });
});
