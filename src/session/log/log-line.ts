import type { AgentEvent } from '../../agent/ports/events.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import type { StoredEvent } from './events.data.ts';

/** The version of the format that this ybs writes. A log of a higher one is not opened. */
export const LOG_VERSION = 1;

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

/** The first line of a log. */
export function versionLine(timestamp: string): string {
  return JSON.stringify({ timestamp, type: 'version', version: LOG_VERSION });
}

/** The line of the system prompt, with the tools of servers that the session offers. */
export function systemLine(timestamp: string, content: string, serverTools: unknown, redact: Redact): string {
  return JSON.stringify({ timestamp, type: 'system', ...redactFields({ content, serverTools }, redact) });
}

/** The line that ends the use of a log by one process. */
export function endLine(timestamp: string, messageCount: number): string {
  return JSON.stringify({ timestamp, type: 'session_end', reason: 'user_exit', message_count: messageCount });
}

/** The line of an event, with secrets redacted; `undefined` for the pieces of an answer and live output. */
export function eventLine(timestamp: string, event: AgentEvent, redact: Redact): string | undefined {
  if (!isStored(event)) return undefined;
  const { type, ...fields } = lineOf(event);
  return JSON.stringify({ timestamp, type, ...redactFields(fields, redact) });
}

/** True for an event that a log keeps. */
function isStored(event: AgentEvent): event is StoredEvent {
  return !LIVE.has(event.type);
}

const LIVE: ReadonlySet<AgentEvent['type']> = new Set([
  'text_delta',
  'reasoning_delta',
  'tool_call_delta',
  'tool_output',
]);

/** The fields of a line, without its time and type. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of an event in the file. Messages, calls and results have the names that other programs of this format
 * use: `user`, `assistant`, `tool_call` with `id`, `name` and `arguments`, `tool_result` with `id`, `success` and
 * `output`. All other events have their own.
 */
function lineOf(event: StoredEvent): Fields & { readonly type: string } {
  switch (event.type) {
    case 'session_start': {
      const [provider, ...model] = event.model.split('/');
      return { ...event, config: { provider, model: model.join('/') } };
    }
    case 'user_message': {
      const { text: content, ...rest } = event;
      return { ...rest, type: 'user', content };
    }
    case 'assistant_message': {
      const { message, ...rest } = event;
      const { role: _role, ...fields } = message;
      return { ...rest, type: 'assistant', ...fields };
    }
    case 'tool_call': {
      const { call, ...rest } = event;
      return { ...rest, ...call, ...readArguments(call.arguments) };
    }
    case 'tool_result': {
      const { callId: id, content: output, ...rest } = event;
      return { ...rest, id, success: event.outcome === 'ok', output };
    }
    default:
      return { ...event };
  }
}

/** Arguments as an object, and the text of the model where the object does not give it back; other text as it is. */
function readArguments(text: string): { readonly arguments: unknown; readonly raw?: string } {
  const value = jsonOr(undefined, text);
  if (!isJsonObject(value)) return { arguments: text };
  return JSON.stringify(value) === text ? { arguments: value } : { arguments: value, raw: text };
}

/** Fields whose texts are not content but names that other lines refer to. */
const NAMES: ReadonlySet<string> = new Set(['id', 'callId', 'toolCallId', 'sessionId', 'digest', 'before', 'after']);

/**
 * Redacts all texts in the fields of a line, except for names; those of `arguments` are content of the model. The state
 * of a provider is signed or encrypted: where a secret would have to be redacted in it, all of it is left out, as if the
 * provider had sent none.
 */
function redactFields(fields: Fields, redact: Redact, names = NAMES): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (names.has(name)) return [[name, value]];
      const clean = redactValue(value, redact, name === 'arguments' ? NONE : names);
      return name === 'providerState' && clean !== value ? [] : [[name, clean]];
    }),
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The value with all texts redacted; the same value if it has no secret. */
function redactValue(value: unknown, redact: Redact, names: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redact, names));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const clean = redactFields(value, redact, names);
  return Object.keys(value).every((name) => clean[name] === value[name]) ? value : clean;
}

/** True for a message of the user with which a run begins, without the files that it names. */
export function isPrompt(event: AgentEvent): boolean {
  if (event.type !== 'user_message') return false;
  return event.reminder !== true && event.file === undefined && event.steered !== true;
}

/** True for an event that is a message of the conversation: a prompt, an answer or a result. */
export function isMessage({ type }: AgentEvent): boolean {
  return type === 'user_message' || type === 'assistant_message' || type === 'tool_result';
}

const UNANSWERED = 'before the answer was complete; pieces of it are not kept';

/**
 * Describes what a run is doing after an event, as the end of a sentence. `before` is the result for the event before.
 * The result is `undefined` once the run has ended by itself, or the user has gone back to before it.
 */
export function openWork(before: string | undefined, event: StoredEvent): string | undefined {
  switch (event.type) {
    case 'user_message':
      return isPrompt(event) ? UNANSWERED : before;
    case 'turn_start':
      return UNANSWERED;
    case 'assistant_message':
      if (event.finish === 'stop') return undefined;
      return event.finish === 'aborted' ? 'while the model answered' : before;
    case 'approval_request':
      return `at a question about ${event.request.toolName}`;
    case 'tool_result':
      // A call may be denied only because ybs ended at its question.
      if (event.outcome === 'denied') return before;
      return event.outcome === 'interrupted' ? `during a call of ${event.toolName}` : UNANSWERED;
    case 'run_end':
      return event.outcome === 'aborted' ? before : undefined;
    case 'user_action':
      return event.action === '/rewind' ? undefined : before;
    default:
      return before;
  }
}
