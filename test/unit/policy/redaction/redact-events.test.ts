import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { PlannedEffect } from '../../../../src/agent/ports/tool.ts';
import { createRedactor } from '../../../../src/policy/redaction/redact.ts';
import { redactEvents, withNotice, withoutSecrets } from '../../../../src/policy/redaction/redact-events.ts';

const SECRET = 'hunter2-hunter2';
const MARK = '[redacted:secret]';
const redactor = createRedactor([SECRET]);

async function* of(events: readonly AgentEvent[]): AsyncGenerator<AgentEvent, void, void> {
  yield* events;
}

async function redacted(...events: readonly AgentEvent[]): Promise<readonly AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of redactEvents(of(events), redactor)) seen.push(event);
  return seen;
}

const text = (part: string) => ({ type: 'text_delta', text: part }) as const;
const thought = (part: string) => ({ type: 'reasoning_delta', text: part }) as const;
const output = (part: string, callId = 'a', stream: 'stdout' | 'stderr' = 'stdout') =>
  ({ type: 'tool_output', callId, stream, text: part }) as const;
const result = (callId: string, summary = 'ok') =>
  ({ type: 'tool_result', callId, toolName: 't', outcome: 'ok', content: '', summary, durationMs: 1 }) as const;
const written = (part: string, callId: string) => ({ type: 'tool_call_delta', callId, name: 't', text: part }) as const;
const turnEnd = { type: 'turn_end', turn: 1 } as const;

describe('the pieces of a text', () => {
  it.each<[string, readonly AgentEvent[], readonly AgentEvent[]]>([
    ['pass at once', [text('one '), text('two'), turnEnd], [text('one '), text('two'), turnEnd]],
    [
      'wait while a secret may begin, until the text ends',
      [text('the hunter2'), turnEnd],
      [text('the '), text('hunter2'), turnEnd],
    ],
    [
      'are redacted across their boundaries',
      [text('the hunt'), text('er2-hunt'), text('er2!'), turnEnd],
      [text('the '), text(`${MARK}!`), turnEnd],
    ],
    [
      'are redacted despite colour codes',
      [output('a '), output('hunter2\u001b[31m-hun\u001b[0mter2 z'), result('a')],
      [output('a '), output(`${MARK} z`), result('a')],
    ],
    [
      'end where the answer begins',
      [thought('the hunter2'), text('-hunter2'), turnEnd],
      [thought('the '), thought('hunter2'), text('-'), text('hunter2'), turnEnd],
    ],
    [
      'of one command are separate from its errors and from other commands',
      [
        output('a hunter2'),
        output('b hunter2', 'a', 'stderr'),
        output('c hunter2', 'b'),
        output('-hunter2 z'),
        result('a'),
        result('b'),
      ],
      [
        output('a '),
        output('b ', 'a', 'stderr'),
        output('c ', 'b'),
        output(`${MARK} z`),
        output('hunter2', 'a', 'stderr'),
        result('a'),
        output('hunter2', 'b'),
        result('b'),
      ],
    ],
    [
      'of the calls that the model is writing are redacted across their boundaries, each separately, and end with the answer',
      [written('{"x":"hunt', 'a'), written('{"y":"hunter2', 'b'), written('er2-hunter2"', 'a'), text('x'), turnEnd],
      [
        written('{"x":"', 'a'),
        written('{"y":"', 'b'),
        written(`${MARK}"`, 'a'),
        written('hunter2', 'b'),
        text('x'),
        turnEnd,
      ],
    ],
    [
      'end where a call begins',
      [text('the hunter2'), written('{', 'a'), turnEnd],
      [text('the '), text('hunter2'), written('{', 'a'), turnEnd],
    ],
    [
      'of a command without a result end with the run',
      [output('a hunter2'), { type: 'run_end', outcome: 'aborted', message: 'stopped' }],
      [output('a '), output('hunter2'), { type: 'run_end', outcome: 'aborted', message: 'stopped' }],
    ],
  ])('%s', async (_name, events, expected) => {
    expect(await redacted(...events)).toEqual(expected);
  });
});

/** An effect with this word in every text that people see. */
const effect = (word: string): PlannedEffect => ({
  summary: `run ${word}`,
  paths: [],
  command: `echo ${word}`,
  program: { path: '/bin/tool', input: `{"key":"${word}"}` },
  workingDirectory: '/home/ada',
  preview: { path: 'a', unified: `+${word}`, added: 1, removed: 0 },
});
const call = (word: string) => ({ id: '1', name: 'tool', arguments: `{"key":"${word}"}` });

describe('an event', () => {
  const EDITS = { type: 'edit_read_files' } as const;
  const rule = (command: string) => ({ type: 'exact_command', command, workingDirectory: '/w' }) as const;
  const question = (word: string) => ({
    ...{ callId: '1', toolName: 'tool', effect: effect(word), reason: 'why', offers: rule(word) },
  });
  const cases: readonly ((word: string) => AgentEvent)[] = [
    (word) => ({
      type: 'assistant_message',
      message: { role: 'assistant', content: word, toolCalls: [call(word)], reasoning: word },
      finish: 'stop',
    }),
    (word) => ({
      type: 'assistant_message',
      message: { role: 'assistant', content: word, toolCalls: [] },
      finish: 'stop',
    }),
    (word) => ({ type: 'tool_call', call: call(word) }),
    (word) => ({ type: 'tool_call', call: call(word), effect: effect(word) }),
    (word) => ({ type: 'tool_call', call: call(word), effect: { summary: word, paths: [] } }),
    (word) => ({
      type: 'approval_request',
      request: { callId: '1', toolName: 'tool', effect: effect(word), reason: 'why' },
    }),
    (word) => ({
      type: 'approval_request',
      request: { ...question(word), pending: [question(word), { ...question(word), offers: EDITS }] },
    }),
    (word) => ({
      type: 'tool_call',
      call: call(word),
      permission: { type: 'ask', rule: 'r', reason: 'why', offers: rule(word) },
    }),
    (word) => ({ type: 'tool_call', call: call(word), permission: { type: 'ask', rule: 'r', reason: 'why' } }),
    (word) => ({ type: 'approval_decision', callId: '1', decision: { type: 'edit', command: word } }),
    (word) => ({
      type: 'approval_decision',
      callId: '1',
      decision: { type: 'change', arguments: { list: [word, 1] } },
    }),
    (word) => ({ type: 'plan', callId: '1', text: word }),
    (word) => ({ type: 'tool_call', call: call(word), effect: { summary: 's', paths: [], plan: word } }),
    (word) => ({ type: 'approval_decision', callId: '1', decision: { type: 'session' }, added: rule(word) }),
    () => ({ type: 'approval_decision', callId: '1', decision: { type: 'once' } }),
    (word) => result('1', word),
    (word) => ({ type: 'warning', code: 'x', message: word }),
    (word) => ({ type: 'retry', attempt: 1, delayMs: 1, code: 'overloaded', message: word }),
    (word) => ({ type: 'run_end', outcome: 'failed', message: word, error: { code: 'internal', message: word } }),
    (word) => ({ type: 'run_end', outcome: 'done', message: word }),
    (word) => ({
      type: 'receipt',
      files: [{ realPath: '/w/a.ts', change: 'created', added: 1, removed: 0 }],
      commands: [{ command: `curl -u ${word}`, exit: { cause: 'failed_to_start', reason: word } }],
      tests: { command: `KEY=${word} npm test` },
    }),
    (word) => ({ type: 'tasks', tasks: [{ content: word, status: 'pending' }] }),
    (word) => ({ type: 'answer', value: { path: [word], id: word } }),
    (word) => ({ type: 'commit', hash: 'abc', subject: word, files: ['a.ts'] }),
    (word) => ({ type: 'checkpoint', number: 1, callId: '1', files: [{ realPath: '/w/a', problem: word }] }),
    (word) => ({ type: 'user_action', action: '!command', detail: word }),
    (word) => ({
      type: 'decision',
      ...{ callId: '1', verdict: 'deny', rule: word, by: 'host', digest: 'd', sandbox: 'on' },
    }),
    (word) => ({
      type: 'compaction',
      tokensBefore: 2,
      tokensAfter: 1,
      messages: [{ role: 'user', content: word, summary: true }],
    }),
    (word) => ({ type: 'tool_call', call: call(word), permission: { type: 'deny', rule: word, reason: word } }),
    (word) => ({
      type: 'approval_request',
      request: {
        ...{ callId: '1', toolName: 'tool', reason: word },
        effect: { ...effect(word), mcp: { server: 's', tool: 't', input: `{"key":"${word}"}`, start: `run ${word}` } },
      },
    }),
    (word) => ({ type: 'approval_decision', callId: '1', decision: { type: 'deny', feedback: word } }),
  ];
  it.each(cases.map((make) => [make('x').type, make] as const))(
    '%s has marks in place of secrets',
    async (_type, make) => {
      expect(await redacted(make(SECRET))).toEqual([make(MARK)]);
    },
  );

  it('without text, with names or with bytes does not change', async () => {
    expect(await redacted(turnEnd)).toEqual([turnEnd]);
    const named: readonly AgentEvent[] = [
      { type: 'checkpoint', number: 1, callId: SECRET, files: [{ realPath: `/w/${SECRET}` }] },
      { type: 'commit', hash: SECRET, subject: 'a', files: [SECRET] },
      { type: 'user_message', text: 'see', images: [{ mediaType: 'image/png', data: SECRET }] },
      {
        type: 'assistant_message',
        message: {
          ...{ role: 'assistant', content: '', toolCalls: [] },
          providerState: { model: 'm', items: [null, { signature: SECRET }] },
        },
        finish: 'stop',
      },
    ];
    expect(await redacted(...named)).toEqual(named);
    const programs: readonly AgentEvent[] = [
      { type: 'session_start', sessionId: SECRET, time: '', model: SECRET, workspace: SECRET, permissionMode: 'ask' },
      { type: 'user_message', text: 'see', file: SECRET },
      { type: 'warning', code: SECRET, message: '' },
      {
        type: 'approval_request',
        request: {
          ...{ callId: SECRET, toolName: SECRET, reason: '' },
          effect: {
            ...{ summary: '', workingDirectory: SECRET, before: SECRET, after: SECRET },
            paths: [{ requested: 'a', realPath: SECRET, access: 'read' }],
            mcp: { server: SECRET, tool: SECRET, input: '{}' },
            program: { path: SECRET, input: '{}' },
          },
          offers: { type: 'write_directory', directory: SECRET },
        },
      },
      { type: 'tool_call', call: { id: SECRET, name: SECRET, arguments: '{}' } },
      {
        type: 'compaction',
        ...{ tokensBefore: 1, tokensAfter: 1 },
        messages: [{ role: 'tool', toolCallId: SECRET, content: '', isError: false }],
      },
      {
        type: 'decision',
        ...{ callId: '1', verdict: 'deny', rule: '', by: 'rule', digest: SECRET, sandbox: 'on' },
      },
    ];
    expect(await redacted(...programs)).toEqual(programs);
  });
});

it('a prompt with a secret is followed by a warning that says what the model receives', async () => {
  const events: readonly AgentEvent[] = [
    { type: 'user_message', text: '@file:a.md', reminder: true, file: 'a.md' },
    { type: 'user_message', text: `use ${MARK}` },
    turnEnd,
  ];
  const seen: AgentEvent[] = [];
  for await (const event of withNotice(of(events))) seen.push(event);
  const message =
    'Your message contained a secret. The model gets a mark such as [redacted:key] in its place. If a file needs the secret, ' +
    'write it there yourself.';
  expect(seen).toEqual([events[0], events[1], { type: 'warning', code: 'redacted', message }, turnEnd]);
});

describe('an approver', () => {
  it.each<[ApprovalDecision, ApprovalDecision]>([
    [
      { type: 'edit', command: `echo ${SECRET}` },
      { type: 'edit', command: `echo ${SECRET}`, shown: `echo ${MARK}` },
    ],
    [
      { type: 'change', arguments: { text: SECRET } },
      { type: 'change', arguments: { text: SECRET }, shown: `{"text":"${MARK}"}` },
    ],
    [{ type: 'once' }, { type: 'once' }],
    [{ type: 'deny' }, { type: 'deny' }],
    [
      { type: 'deny', feedback: `not with ${SECRET}` },
      { type: 'deny', feedback: `not with ${MARK}` },
    ],
  ])('is asked without secrets, and its answer %j is %j', async (answer, expected) => {
    const asked: ApprovalRequest[] = [];
    const approver = withoutSecrets(
      {
        async decide(request) {
          asked.push(request);
          return answer;
        },
      },
      redactor,
    );
    const request = { callId: '1', toolName: 'tool', effect: effect(SECRET), reason: 'why' };
    expect(await approver.decide(request, new AbortController().signal)).toEqual(expected);
    expect(asked).toEqual([{ ...request, effect: effect(MARK) }]);
  });
});

it('a diff loses other fields, in which a tool may have left text', async () => {
  const preview = { path: 'a', unified: `+${SECRET}`, hunks: `+${SECRET}`, added: 1, removed: 0 };
  const seen = await redacted({ type: 'tool_call', call: call('x'), effect: { summary: '', paths: [], preview } });
  expect(seen).toMatchObject([{ effect: { preview: { unified: `+${MARK}` } } }]);
  expect(JSON.stringify(seen)).not.toContain(SECRET);
});
