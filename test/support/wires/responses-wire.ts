import type { FinishReason } from '../../../src/agent/ports/language-model.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';
import { eventStream, frame, OPENAI_ERRORS } from './chat-completion-wire.ts';

/** An event of a streamed response. */
export interface ResponsesEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** An event with its name, as a frame. */
export function responsesFrame(event: ResponsesEvent): string {
  return `event: ${event.type}\n${frame(event)}`;
}

/** The start of an item of the answer. */
export function itemAdded(index: number, item: object): ResponsesEvent {
  return { type: 'response.output_item.added', output_index: index, item };
}

/** The end of an item of the answer. */
export function itemDone(index: number, item: object): ResponsesEvent {
  return { type: 'response.output_item.done', output_index: index, item };
}

/** The events of a message; `extra` are more fields of its item. */
export function messageEvents(index: number, pieces: readonly string[], extra: object = {}): readonly ResponsesEvent[] {
  const item = { type: 'message', id: `msg_${index}`, role: 'assistant', ...extra };
  return [
    itemAdded(index, { ...item, content: [] }),
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', output_index: index, content_index: 0, delta })),
    itemDone(index, { ...item, content: [{ type: 'output_text', text: pieces.join('') }] }),
  ];
}

/** The events of a call, with its arguments in pieces of four characters. */
export function callEvents(index: number, id: string, name: string, whole: string): readonly ResponsesEvent[] {
  const item = { type: 'function_call', id: `fc_${index}`, call_id: id, name };
  return [
    itemAdded(index, { ...item, arguments: '' }),
    ...(whole.match(/.{1,4}/gs) ?? []).map((delta) => {
      return { type: 'response.function_call_arguments.delta', output_index: index, delta };
    }),
    itemDone(index, { ...item, arguments: whole }),
  ];
}

/** The last event of a response. */
export function responseEnd(finish: FinishReason, usage?: object): ResponsesEvent {
  const counted = usage === undefined ? {} : { usage };
  if (finish === 'stop' || finish === 'tool_calls') {
    return { type: 'response.completed', response: { status: 'completed', error: null, ...counted } };
  }
  const reasons = {
    length: 'max_output_tokens',
    content_filter: 'content_filter',
    unknown: 'steered',
    window: 'steered',
    paused: 'steered',
  };
  const response = { status: 'incomplete', incomplete_details: { reason: reasons[finish] }, ...counted };
  return { type: 'response.incomplete', response };
}

/** The response of the Responses API with a scripted answer. */
export function responsesAnswer(answer: ScriptedAnswer): Response {
  const { reasoning, text = [], calls = [], usage, end = calls.length > 0 ? 'tool_calls' : 'stop' } = answer;
  const pieces = typeof text === 'string' ? [text] : text;
  const items: ((index: number) => readonly ResponsesEvent[])[] = [
    ...(reasoning === undefined ? [] : [(index: number) => reasoningEvents(index, reasoning)]),
    ...(pieces.length === 0 ? [] : [(index: number) => messageEvents(index, pieces)]),
    ...calls.map(
      (call) =>
        (index: number): readonly ResponsesEvent[] =>
          callEvents(index, call.id, call.name, call.arguments),
    ),
  ];
  const started = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', error: null } };
  const frames = [started, ...items.flatMap((eventsAt, index) => eventsAt(index))].map(responsesFrame);
  if (end === 'stall') return eventStream(frames, 'stall');
  if (end === 'none') return eventStream(frames);
  if (typeof end !== 'string') {
    const [status, code] = OPENAI_ERRORS[end.code];
    const error = { code, message: end.message };
    if (items.length === 0) return Response.json({ error: { ...error, type: code } }, { status });
    return eventStream([...frames, responsesFrame({ type: 'response.failed', response: { status: 'failed', error } })]);
  }
  const counted = { input_tokens: usage?.inputTokens, output_tokens: usage?.outputTokens };
  // Completed answers with calls have no reason of their own, nor do those whose calls the provider names as the reason.
  const forced = end === 'tool_calls' && calls.length === 0 ? callEvents(items.length, 'c0', 'read_file', '{}') : [];
  return eventStream([
    ...frames,
    ...[...forced, responseEnd(end, usage === undefined ? undefined : counted)].map(responsesFrame),
  ]);
}

function reasoningEvents(index: number, reasoning: string): readonly ResponsesEvent[] {
  const item = { type: 'reasoning', id: `rs_${index}` };
  return [
    itemAdded(index, { ...item, summary: [] }),
    { type: 'response.reasoning_summary_part.added', output_index: index, summary_index: 0 },
    { type: 'response.reasoning_summary_text.delta', output_index: index, summary_index: 0, delta: reasoning },
    itemDone(index, { ...item, summary: [{ type: 'summary_text', text: reasoning }], encrypted_content: 'enc' }),
  ];
}
