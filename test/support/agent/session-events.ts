import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { applyEvent, EMPTY_SESSION } from '../../../src/agent/session-state.ts';

const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };
/** A call of `read_file`. */
export const call = (id: string, text = '{"path":"a.txt"}') => ({ id, name: 'read_file', arguments: text });
/** An answer of the model. */
export const answer = (content: string, ...calls: ReturnType<typeof call>[]): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content, toolCalls: calls },
  finish: calls.length === 0 ? 'stop' : 'tool_calls',
});
/** The event of a call that was allowed, or that the user is asked about. */
export const called = (id: string, type: 'allow' | 'ask'): AgentEvent => ({
  type: 'tool_call',
  call: call(id),
  effect: { summary: 'read a.txt', paths: [{ requested: 'a.txt', realPath: '/w/a.txt', access: 'read' }] },
  permission: type === 'allow' ? { type, rule: 'mode' } : { type, rule: 'mode', reason: 'why' },
});
/** The result of a call. */
export const result = (callId: string): Extract<AgentEvent, { type: 'tool_result' }> => ({
  type: 'tool_result',
  callId,
  toolName: 'read_file',
  outcome: 'ok',
  content: 'lines 1–1 of 1\n1\tone',
  summary: 'lines 1–1 of 1',
  files: [{ realPath: '/w/a.txt', digest: 'd1' }],
  durationMs: 3,
});

/** An answer without calls. */
export const said = (content: string): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content, toolCalls: [] },
  finish: 'stop',
});

/** The first event of a session. */
export const START: Extract<AgentEvent, { type: 'session_start' }> = {
  type: 'session_start',
  sessionId: 'id',
  time: '2026-11-20T09:00:00.000Z',
  model: 'mock/m',
  workspace: '/w',
  permissionMode: 'ask',
};

/** Events of every type that a log keeps. */
export const EVENTS: readonly AgentEvent[] = [
  START,
  {
    type: 'user_message',
    text: 'read a.txt\nwith "quotes" and \u2028',
    images: [{ mediaType: 'image/png', data: 'AAAA' }],
  },
  { type: 'permission_mode', mode: 'accept-edits' },
  { type: 'answer', value: { sum: 3 } },
  { type: 'user_action', action: '!command', detail: 'make', blockedBy: 'make', sandbox: 'on' },
  { type: 'user_action', action: '/undo', detail: 'from checkpoint 1 on: a.txt' },
  { type: 'plan', callId: 'p', text: '1. Add.' },
  { type: 'turn_start', turn: 1, model: MODEL },
  { type: 'retry', attempt: 1, delayMs: 5, code: 'overloaded', message: 'busy' },
  { type: 'usage', model: MODEL, inputTokens: 100, outputTokens: 7 },
  answer('I look.', call('a'), call('b', '{ "path" : 1.0 }'), call('c', 'not JSON')),
  called('a', 'allow'),
  result('a'),
  called('b', 'ask'),
  {
    type: 'approval_request',
    request: { callId: 'b', toolName: 'read_file', effect: { summary: 's', paths: [] }, reason: 'r' },
  },
  { type: 'approval_decision', callId: 'b', decision: { type: 'session' }, added: { type: 'edit_read_files' } },
  result('b'),
  { type: 'tool_call', call: call('c', 'not JSON') },
  { ...result('c'), outcome: 'failed' },
  { type: 'tasks', tasks: [{ content: 'fix', status: 'pending' }] },
  { type: 'warning', code: 'repetition', message: 'again' },
  { type: 'turn_end', turn: 1 },
  { type: 'compaction', tokensBefore: 900, tokensAfter: 90, messages: [{ role: 'user', content: 'short' }] },
  answer('Done.'),
  { type: 'turn_end', turn: 2 },
  { type: 'run_end', outcome: 'done', message: 'Done.' },
];

/** The state that is restored from these events. */
export function stateOf(events: readonly AgentEvent[]) {
  return { ...events.reduce(applyEvent, EMPTY_SESSION), started: false, rules: [] };
}
