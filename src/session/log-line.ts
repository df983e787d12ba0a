import type { AgentEvent } from '../ports/events.ts';
import { parseEvent, type StoredEvent } from './event-schema.ts';

/** The version of the format that this ybs writes. A log of a higher one is not opened. */
export const LOG_VERSION = 1;

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

/** One line of a log, without its line feed. */
export type LogEntry =
  | { readonly type: 'version'; readonly version: number }
  | { readonly type: 'event'; readonly time: string; readonly event: StoredEvent }
  /** A line that is no event: the system prompt, the end of a session, or a type of a newer version. */
  | { readonly type: 'other' };

/** The first line of a log. */
export function versionLine(timestamp: string): string {
  return JSON.stringify({ timestamp, type: 'version', version: LOG_VERSION });
}

/** The line of the system prompt. */
export function systemLine(timestamp: string, content: string, redact: Redact): string {
  return JSON.stringify({ timestamp, type: 'system', content: redact(content) });
}

/** The line that ends the use of a log by one process. */
export function endLine(timestamp: string, messageCount: number): string {
  return JSON.stringify({ timestamp, type: 'session_end', reason: 'user_exit', message_count: messageCount });
}

/** The line of an event, with secrets redacted; `undefined` for the pieces of an answer and live output. */
export function eventLine(timestamp: string, event: AgentEvent, redact: Redact): string | undefined {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta' || event.type === 'tool_output') return undefined;
  const { type, ...fields } = lineOf(event);
  return JSON.stringify({ timestamp, type, ...redactFields(fields, redact) });
}

/** Reads a line. Throws an error that describes the damage if it is not a line of a log. */
export function readLine(line: string): LogEntry {
  const value = parseJson(line);
  const { timestamp, type, ...fields } = isRecord(value) ? value : {};
  if (typeof type !== 'string') throw new Error('not an object with a type');
  if (type === 'version') return { type: 'version', version: Number(fields['version']) };
  const event = parseEvent(eventOf(type, fields));
  return event === undefined ? { type: 'other' } : { type: 'event', time: String(timestamp), event };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('not JSON');
  }
}

type Fields = Readonly<Record<string, unknown>>;

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

/** The event of the fields of a line; the reverse of `lineOf`. */
function eventOf(type: string, line: Fields): Fields & { readonly type: string } {
  switch (type) {
    case 'session_start': {
      const { config: _config, ...event } = line;
      return { ...event, type };
    }
    case 'user': {
      const { content: text, ...rest } = line;
      return { ...rest, type: 'user_message', text };
    }
    case 'assistant': {
      const { finish, ...message } = line;
      return { type: 'assistant_message', message: { role: 'assistant', ...message }, finish };
    }
    case 'tool_call': {
      const { id, name, arguments: args, raw, effect, permission, ...rest } = line;
      const text = raw ?? (typeof args === 'string' ? args : JSON.stringify(args));
      const call = { id, name, arguments: text };
      return {
        ...rest,
        type,
        call,
        ...(effect !== undefined && { effect }),
        ...(permission !== undefined && { permission }),
      };
    }
    case 'tool_result': {
      const { id: callId, success: _success, output: content, ...rest } = line;
      return { ...rest, type, callId, content };
    }
    default:
      return { ...line, type };
  }
}

/** Arguments as an object, and the text of the model where the object does not give it back; other text as it is. */
function readArguments(text: string): { readonly arguments: unknown; readonly raw?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { arguments: text };
    return JSON.stringify(value) === text ? { arguments: value } : { arguments: value, raw: text };
  } catch {
    return { arguments: text };
  }
}

/** Fields whose texts are no content but names that other lines refer to. */
const NAMES: ReadonlySet<string> = new Set(['id', 'callId', 'toolCallId', 'sessionId', 'digest', 'before']);

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
  if (!isRecord(value)) return value;
  const clean = redactFields(value, redact, names);
  return Object.keys(value).every((name) => clean[name] === value[name]) ? value : clean;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
