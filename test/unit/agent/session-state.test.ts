import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { ImageContent, ProviderState } from '../../../src/agent/ports/messages.ts';
import { applyEvent, EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { eventsOf, runHarness } from '../../support/agent/agent-harness.ts';
import { scriptedCall as call, SCRIPTED } from '../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

const read = { id: 'a', name: 'read_file', arguments: '{}' };
const request = { callId: 'a', toolName: 'read_file', effect: { summary: 'read', paths: [] }, reason: 'why' };
const usage = { inputTokens: 1, outputTokens: 1 };

/** One of each event, and the parts of the state it changes. */
const rows: readonly [AgentEvent, readonly string[]][] = [
  [
    { type: 'session_start', sessionId: 's', time: 't', model: 'm', workspace: '/w', permissionMode: 'ask' },
    ['started'],
  ],
  [{ type: 'user_message', text: 'hello' }, ['messages']],
  [{ type: 'turn_start', turn: 1, model: SCRIPTED }, []],
  [{ type: 'text_delta', text: 'x' }, []],
  [{ type: 'reasoning_delta', text: 'x' }, []],
  [
    { type: 'assistant_message', message: { role: 'assistant', content: 'x', toolCalls: [] }, finish: 'stop' },
    ['messages'],
  ],
  [
    { type: 'assistant_message', message: { role: 'assistant', content: '', toolCalls: [read] }, finish: 'tool_calls' },
    ['messages'],
  ],
  // Providers reject an answer without text and calls.
  [{ type: 'assistant_message', message: { role: 'assistant', content: '', toolCalls: [] }, finish: 'stop' }, []],
  [{ type: 'tool_call', call: read }, []],
  [{ type: 'approval_request', request }, []],
  [{ type: 'approval_decision', callId: 'a', decision: { type: 'once' } }, []],
  [
    { type: 'approval_decision', callId: 'a', decision: { type: 'once' }, added: { type: 'edit_read_files' } },
    ['rules'],
  ],
  [{ type: 'tool_output', callId: 'a', stream: 'stdout', text: 'x' }, []],
  [
    { type: 'tool_result', callId: 'a', toolName: 'x', outcome: 'ok', content: 'c', summary: 's', durationMs: 1 },
    ['messages'],
  ],
  [{ type: 'tasks', tasks: [{ content: 'x', status: 'pending' }] }, ['tasks']],
  [{ type: 'usage', model: SCRIPTED, ...usage }, ['counted']],
  [{ type: 'usage', model: SCRIPTED, purpose: 'summary', ...usage }, []],
  [{ type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' }, []],
  [{ type: 'warning', code: 'x', message: 'x' }, ['warnings']],
  [{ type: 'compaction', tokensBefore: 2, tokensAfter: 1, messages: [] }, ['messages']],
  [{ type: 'turn_end', turn: 1 }, []],
  [{ type: 'run_end', outcome: 'done', message: 'x' }, []],
];

describe('the state of a session', () => {
  it('begins before the session starts, without messages, rules and tasks', () => {
    expect(EMPTY_SESSION).toStrictEqual({ started: false, messages: [], rules: [], tasks: [], warnings: [] });
  });

  it.each(rows)('changes with %o', (event, changed) => {
    const before = EMPTY_SESSION;
    const after = applyEvent(before, event);
    const keys = ['started', 'messages', 'rules', 'tasks', 'counted', 'warnings'] as const;
    expect(keys.filter((key) => after[key] !== before[key])).toEqual(changed);
  });

  it('marks every result that is not ok as an error', () => {
    const outcomes = ['ok', 'failed', 'denied', 'not_run', 'interrupted'] as const;
    const errors = outcomes.map((outcome) => {
      const base = { callId: 'a', toolName: 'x', content: 'c', summary: 's', durationMs: 1 };
      const [message] = applyEvent(EMPTY_SESSION, { type: 'tool_result', outcome, ...base }).messages;
      return message?.role === 'tool' && message.isError;
    });
    expect(errors).toEqual([false, true, true, true, true]);
  });

  it('has the pictures of a result, if there are any', () => {
    const event = { callId: 'a', toolName: 'x', outcome: 'ok', content: 'c', summary: 's', durationMs: 1 } as const;
    const images = [{ mediaType: 'image/png', data: 'AAAA' }] as const;
    const message = { role: 'tool', toolCallId: 'a', content: 'c', isError: false };
    const messagesAfter = (more: object) =>
      applyEvent(EMPTY_SESSION, { type: 'tool_result', ...event, ...more }).messages;
    expect(messagesAfter({})).toStrictEqual([message]);
    expect(messagesAfter({ images })).toStrictEqual([{ ...message, images }]);
  });

  it('has the pictures of a prompt, if there are any', () => {
    const images = [{ mediaType: 'image/png', data: 'AAAA' }] as const;
    const messagesAfter = (more: object) =>
      applyEvent(EMPTY_SESSION, { type: 'user_message', text: 'x', ...more }).messages;
    expect(messagesAfter({})).toStrictEqual([{ role: 'user', content: 'x' }]);
    expect(messagesAfter({ images })).toStrictEqual([{ role: 'user', content: 'x', images }]);
  });

  it('has no lone surrogates in its messages, because servers refuse them', () => {
    const message = { role: 'assistant', content: 'Done 😀 \ud83d', toolCalls: [], partial: true } as const;
    const { messages } = applyEvent(EMPTY_SESSION, { type: 'assistant_message', message, finish: 'aborted' });
    expect(messages).toEqual([{ ...message, content: 'Done 😀 \ufffd' }]);
  });
});

const image: ImageContent = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const state: ProviderState = { model: 'test/scripted/scripted-model', items: [{ signature: 'abc' }] };

describe('runAgent', () => {
  it('keeps the state of the provider with the answer, and sends it back', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', {})], events: [{ type: 'provider_state', state }] }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(run.model.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', providerState: state });
    expect(run.events.map(({ type }) => type)).not.toContain('provider_state');
  });

  it('sends the pictures of a tool result with its content', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'look', {})] }, { text: 'A cat.' }],
      tools: scriptedTools({
        look: {
          async *run() {
            return { ...result('cat.png'), images: [image] };
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')).toMatchObject([{ content: 'cat.png', images: [image] }]);
    expect(run.model.requests[1]?.messages[2]).toMatchObject({ role: 'tool', images: [image] });
  });

  it('does not execute a call with a problem, and tells the model why', async () => {
    const problem = 'The tool_call has no id.';
    const tools = scriptedTools({ read: {} });
    const run = await runHarness({
      answers: [
        { events: [{ type: 'tool_call_delta', index: 0, name: 'read', arguments: '{}', problem }], end: 'tool_calls' },
        { text: 'Done.' },
      ],
      tools,
    });
    expect(tools.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')).toMatchObject([
      { outcome: 'failed', code: 'invalid_arguments', content: `${problem}\nerror: invalid_arguments` },
    ]);
  });

  it('names the files that the model knows after a call', async () => {
    const files = [{ realPath: '/w/a', digest: 'abc' }];
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        read: {
          async *run() {
            return { ...result('a'), files };
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')).toMatchObject([{ files }]);
  });

  it('names provider, wire and model at the start of every turn', async () => {
    const run = await runHarness({ answers: [{ text: 'Done.' }] });
    expect(eventsOf(run, 'turn_start')).toEqual([{ type: 'turn_start', turn: 1, model: SCRIPTED }]);
  });
});

describe('applyEvent', () => {
  it('replaces the history by the messages of a compaction', () => {
    const before = applyEvent(EMPTY_SESSION, { type: 'user_message', text: 'a long story' });
    const messages = [{ role: 'user', content: 'a short story' }] as const;
    const compaction = { type: 'compaction', tokensBefore: 900, tokensAfter: 100, messages } as const;
    expect(applyEvent(before, compaction).messages).toEqual(messages);
  });
});
