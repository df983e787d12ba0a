import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { PlannedEffect } from '../../../../src/agent/ports/tool.ts';
import { contentOf, locationsOf, toolKindOf } from '../../../../src/hosts/acp/call-content.ts';
import { createUpdateEncoder, type EncoderFacts } from '../../../../src/hosts/acp/updates.ts';
import { unifiedDiff } from '../../../../src/text/diff/unified-diff.ts';
import { runAtOnce } from '../../../../src/text/steps.ts';
import { updateProblems } from '../../../support/agent/published-schema.ts';

const MODEL = { provider: 'p', wire: 'w', model: 'm' };
const READ = { requested: 'a.js', realPath: '/w/a.js', access: 'read' } as const;
const WRITE = { ...READ, access: 'write' } as const;

function encode(events: readonly AgentEvent[], facts?: EncoderFacts): readonly SessionUpdate[] {
  return events.flatMap(createUpdateEncoder(facts));
}

function edit(before: string | undefined, after: string): PlannedEffect {
  return { summary: 'edit a.js', paths: [WRITE], preview: runAtOnce(unifiedDiff('a.js', before, after)) };
}

const text = (kind: string, content: string) => ({ sessionUpdate: kind, content: { type: 'text', text: content } });
const result = (fields: Partial<Extract<AgentEvent, { type: 'tool_result' }>>): AgentEvent => ({
  type: 'tool_result',
  callId: 'c',
  toolName: 'read_file',
  outcome: 'ok',
  content: 'for the model',
  summary: '3 lines',
  durationMs: 1,
  ...fields,
});
const call = (args: string, effect?: PlannedEffect): AgentEvent => ({
  type: 'tool_call',
  call: { id: 'c', name: 'edit_file', arguments: args },
  ...(effect !== undefined && { effect }),
});
const answer = (content: string, reasoning?: string): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content, toolCalls: [], ...(reasoning !== undefined && { reasoning }) },
  finish: 'stop',
});

describe('an event as updates of the Agent Client Protocol', () => {
  const NOTICES = { notices: true };
  const REPLAY = { replays: true };
  const image = { mediaType: 'image/png', data: 'AAAA' } as const;

  it.each<readonly [string, AgentEvent, EncoderFacts, readonly unknown[]]>([
    ['a piece of the answer', { type: 'text_delta', text: 'a' }, {}, [text('agent_message_chunk', 'a')]],
    ['an empty piece', { type: 'text_delta', text: '' }, {}, []],
    ['a thought', { type: 'reasoning_delta', text: 'b' }, {}, [text('agent_thought_chunk', 'b')]],
    ['an empty thought', { type: 'reasoning_delta', text: '' }, {}, []],
    ['a whole answer, whose pieces were sent', answer('a', 'b'), {}, []],
    ['a stored answer', answer('a', 'b'), REPLAY, [text('agent_thought_chunk', 'b'), text('agent_message_chunk', 'a')]],
    ['a stored answer without text', answer(''), REPLAY, []],
    ['a prompt, which the client has shown', { type: 'user_message', text: 'a' }, {}, []],
    ['a stored prompt', { type: 'user_message', text: 'a' }, REPLAY, [text('user_message_chunk', 'a')]],
    ['a stored reminder', { type: 'user_message', text: 'a', reminder: true }, REPLAY, []],
    [
      'a stored picture',
      { type: 'user_message', text: '', images: [image] },
      REPLAY,
      [{ sessionUpdate: 'user_message_chunk', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } }],
    ],
    [
      'another mode',
      { type: 'permission_mode', mode: 'read-only' },
      {},
      [{ sessionUpdate: 'current_mode_update', currentModeId: 'read-only' }],
    ],
    [
      'the list of tasks',
      { type: 'tasks', tasks: [{ content: 'a', status: 'completed' }] },
      {},
      [{ sessionUpdate: 'plan', entries: [{ content: 'a', status: 'completed', priority: 'medium' }] }],
    ],
    [
      'tokens with a known window',
      { type: 'usage', model: MODEL, inputTokens: 5, outputTokens: 2 },
      { window: 9 },
      [{ sessionUpdate: 'usage_update', used: 7, size: 9 }],
    ],
    ['tokens with an unknown window', { type: 'usage', model: MODEL, inputTokens: 5, outputTokens: 2 }, {}, []],
    [
      'tokens of a summary',
      { type: 'usage', model: MODEL, purpose: 'summary', inputTokens: 5, outputTokens: 2 },
      { window: 9 },
      [],
    ],
    ['a warning to a client without notices', { type: 'warning', code: 'x', message: 'a' }, {}, []],
    [
      'a warning',
      { type: 'warning', code: 'x', message: 'a' },
      NOTICES,
      [{ sessionUpdate: 'notice', severity: 'warning', title: 'a' }],
    ],
    ['the end of a run', { type: 'run_end', outcome: 'done', message: 'Done.' }, {}, []],
    [
      'the end at a limit',
      { type: 'run_end', outcome: 'limit', message: 'Stopped after 9 turns.' },
      {},
      [text('agent_message_chunk', '\n\nStopped after 9 turns.')],
    ],
    ['the output of an unknown call', { type: 'tool_output', callId: 'x', stream: 'stdout', text: 'a' }, {}, []],
    ['the end of a turn', { type: 'turn_end', turn: 1 }, {}, []],
  ])('%s', (_name, event, facts, expected) => {
    expect(encode([event], facts)).toEqual(expected);
    expect(expected.flatMap(updateProblems)).toEqual([]);
  });

  it.each<readonly ['ok' | 'failed', readonly unknown[]]>([
    ['ok', []],
    ['failed', [{ type: 'content', content: { type: 'text', text: 'RESULT' } }]],
  ])('a call in a terminal of the client shows it, and with the outcome %s the result %j', (outcome, more) => {
    const ended = result({ outcome, content: 'RESULT' });
    const terminals = new Map([['c', 't']]);
    const output: AgentEvent = { type: 'tool_output', callId: 'c', stream: 'stdout', text: 'out' };
    const updates = encode([call('{}'), output, ended], { terminals });
    expect(updates.flatMap(updateProblems)).toEqual([]);
    expect(updates).toMatchObject([
      { sessionUpdate: 'tool_call' },
      { sessionUpdate: 'tool_call_update', content: [{ type: 'terminal', terminalId: 't' }, ...more] },
    ]);
  });

  it('an edit shows its change when it is planned, while it runs and when it is done', () => {
    const updates = encode([
      call('{"path":"a.js"}', edit('a\n', 'b\n')),
      { ...DECISION, verdict: 'allow' },
      { type: 'tool_output', callId: 'c', stream: 'stdout', text: 'out' },
      result({ images: [image] }),
    ]);
    const diff = { type: 'diff', path: '/w/a.js', oldText: 'a\n', newText: 'b\n' };
    const id = { toolCallId: 'c' };
    expect(updates).toEqual([
      {
        ...{
          sessionUpdate: 'tool_call',
          ...id,
          title: 'edit a.js',
          name: 'edit_file',
          kind: 'edit',
          status: 'pending',
        },
        ...{ rawInput: { path: 'a.js' }, content: [diff], locations: [{ path: '/w/a.js', line: 1 }] },
      },
      { sessionUpdate: 'tool_call_update', ...id, status: 'in_progress' },
      {
        sessionUpdate: 'tool_call_update',
        ...id,
        content: [diff, { type: 'content', content: { type: 'text', text: 'out' } }],
      },
      {
        ...{
          sessionUpdate: 'tool_call_update',
          ...id,
          status: 'completed',
          rawOutput: { outcome: 'ok', summary: '3 lines' },
        },
        content: [diff, { type: 'content', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } }],
      },
    ]);
  });

  it('a call that could not be planned or was denied has failed, with its reason', () => {
    const updates = encode([
      call('{"path":'),
      { ...DECISION, verdict: 'deny' },
      result({ outcome: 'failed', code: 'invalid_arguments', content: 'why' }),
    ]);
    expect(updates).toMatchObject([
      { title: 'edit_file', kind: 'other', rawInput: '{"path":' },
      {
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'why' } }],
        rawOutput: { outcome: 'failed', code: 'invalid_arguments' },
      },
    ]);
  });

  it('the schema of the protocol rejects a message that is not an update', () => {
    expect(updateProblems({ sessionUpdate: 'agent_message_chunk', content: { type: 'text' } })).not.toEqual([]);
  });

  it('the output of a running command is truncated to its end', () => {
    const output = (part: string): AgentEvent => ({ type: 'tool_output', callId: 'c', stream: 'stdout', text: part });
    const updates = encode([call('{}'), output('a'.repeat(9_000)), output('end')]);
    expect(JSON.stringify(updates.at(-1)).length).toBeLessThan(9_000);
    expect(JSON.stringify(updates.at(-1))).toContain('aend"');
  });

  const DECISION = { type: 'decision', callId: 'c', rule: 'r', by: 'rule', digest: 'd', sandbox: 'on' } as const;
});

describe('a change', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

  it.each<readonly [string, string | undefined, string, readonly (readonly [string | undefined, string])[], number[]]>([
    ['of a new file', undefined, 'a\nb', [[undefined, 'a\nb']], [1]],
    ['that empties a file', 'a\n', '', [['a\n', '']], [1]],
    ['of the last line without a line feed', 'a\nb', 'a\nc', [['a\nb', 'a\nc']], [2]],
    ['that ends the last line', 'a\nb', 'a\nb\n', [['a\nb', 'a\nb\n']], [2]],
    ['of a line that begins with a sign', '-a\n+b\n', '--a\n+b\n', [['-a\n+b\n', '--a\n+b\n']], [1]],
    [
      'of two places',
      lines(30),
      lines(30).replace('line 2\n', 'two\n').replace('line 20\n', ''),
      [
        ['line 1\nline 2\nline 3\nline 4\nline 5\n', 'line 1\ntwo\nline 3\nline 4\nline 5\n'],
        [
          'line 17\nline 18\nline 19\nline 20\nline 21\nline 22\nline 23\n',
          'line 17\nline 18\nline 19\nline 21\nline 22\nline 23\n',
        ],
      ],
      [2, 20],
    ],
  ])('%s has its texts and its lines', (_name, before, after, texts, numbers) => {
    const effect = edit(before, after);
    expect(contentOf(effect)).toEqual(
      texts.map(([oldText, newText]) => ({
        ...{ type: 'diff', path: '/w/a.js', newText },
        ...(oldText !== undefined && { oldText }),
      })),
    );
    expect(locationsOf(effect)).toEqual(numbers.map((line) => ({ path: '/w/a.js', line })));
  });

  it.each<readonly [string, PlannedEffect | undefined, string]>([
    ['present_plan', { summary: 's', paths: [], plan: '1. Edit' }, 'switch_mode'],
    ['run_shell', { summary: 's', paths: [], command: 'ls' }, 'execute'],
    ['mine', { summary: 's', paths: [], program: { path: '/p', input: '{}' } }, 'execute'],
    ['search_files', { summary: 's', paths: [READ] }, 'search'],
    ['update_tasks', { summary: 's', paths: [] }, 'think'],
    ['mine', { summary: 's', paths: [READ, WRITE] }, 'edit'],
    ['read_file', { summary: 's', paths: [READ] }, 'read'],
    ['mine', { summary: 's', paths: [] }, 'other'],
    ['constructor', undefined, 'other'],
  ])('of %s has the kind of its effect', (name, effect, kind) => {
    expect(toolKindOf(name, effect)).toBe(kind);
    if (effect !== undefined) expect(locationsOf(effect)).toHaveLength(effect.paths.length);
  });
});

describe('a call that the model is writing', () => {
  const piece = (size: number, path?: string): AgentEvent => ({
    ...{ type: 'tool_call_delta', callId: 'c', name: 'edit_file', text: '' },
    written: { name: 'edit_file', effect: 'write', ...(path !== undefined && { path }), size, tail: `${size}` },
  });
  const begun = { ...{ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'edit_file' } };
  const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c' };
  const shown = (content: string) => ({ content: [{ type: 'content', content: { type: 'text', text: content } }] });
  const planned = {
    message: { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'edit_file', arguments: '{}' }] },
  } as const;

  it('begins at its first piece, shows its path and its end as it grows, and continues when it is planned', () => {
    const events: AgentEvent[] = [
      ...[piece(0), piece(0), piece(0, 'a.js'), piece(100, 'a.js'), piece(300, 'a.js'), piece(400, 'a.js')],
      { type: 'assistant_message', ...planned, finish: 'tool_calls' },
      call('{}'),
      call('{}'),
    ];
    const updates = encode(events);
    expect(updates).toMatchObject([
      { ...begun, name: 'edit_file', kind: 'edit', status: 'pending' },
      { ...update, title: 'edit_file a.js' },
      { ...update, title: 'edit_file a.js (300 bytes)', ...shown('300') },
      { ...update, title: 'edit_file', kind: 'other', status: 'pending', rawInput: {} },
      { sessionUpdate: 'tool_call', toolCallId: 'c' },
    ]);
    expect(updates.flatMap(updateProblems)).toEqual([]);
  });

  it.each<readonly [string, AgentEvent]>([
    ['an answer that was cut', answer('')],
    ['a retry', { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' }],
  ])('ends as failed with %s', (_name, end) => {
    expect(encode([piece(0), end, end])).toEqual([expect.objectContaining(begun), { ...update, status: 'failed' }]);
  });

  it('of an unknown tool, or in a text that may be a call, has no effect', () => {
    const [unknown] = encode([
      { type: 'tool_call_delta', callId: 'c', name: 'x', text: '', written: { size: 1, tail: 'a' } },
    ]);
    expect(unknown).toMatchObject({ title: 'x (1 byte)', kind: 'other', ...shown('a') });
    expect(encode([{ type: 'tool_call_delta', text: '', written: { size: 1, tail: 'a' } }])).toEqual([]);
  });
});
