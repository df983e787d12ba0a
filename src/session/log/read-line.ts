import { conforms } from '../../schema/conforms.ts';
import { isJsonObject } from '../../text/json/json.ts';
import type { StoredEvent } from './events.data.ts';
import { EVENTS } from './events.data.ts';
import type { Fields } from './log-line.ts';

/** One line of a log, without its line feed. */
export type LogEntry =
  | { readonly type: 'version'; readonly version: number }
  | { readonly type: 'event'; readonly time: string; readonly event: StoredEvent }
  | { readonly type: 'system'; readonly serverTools: unknown }
  /**
   * A line that is not an event: the end of a session, a type of a newer version, or the start of a
   * session of another program, which has a `config` alone.
   */
  | { readonly type: 'other' };

/** Reads a line. Throws an error that describes the damage if it is not a line of a log. */
export function readLine(line: string): LogEntry {
  const value = parseJson(line);
  const { timestamp, type, ...fields } = isJsonObject(value) ? value : {};
  if (typeof type !== 'string') throw new Error('not an object with a type');
  if (type === 'system') return { type, serverTools: fields['serverTools'] };
  if (type === 'version') return { type: 'version', version: Number(fields['version']) };
  if (type === 'session_start' && isJsonObject(fields['config']) && fields['sessionId'] === undefined) {
    return { type: 'other' };
  }
  const event = checkEvent(eventOf(type, fields));
  return event === undefined ? { type: 'other' } : { type: 'event', time: String(timestamp), event };
}

/** The event of a line; `undefined` for other lines and for damaged ones, which the reading of the log reports. */
export function readEvent(line: string): StoredEvent | undefined {
  try {
    const entry = readLine(line);
    return entry.type === 'event' ? entry.event : undefined;
  } catch {
    return undefined;
  }
}

/** The event, if it is complete; `undefined` for an unknown type, because a newer version may write others. */
function checkEvent(value: { readonly type: string }): StoredEvent | undefined {
  const schema = Object.hasOwn(EVENTS, value.type) ? EVENTS[value.type] : undefined;
  if (schema === undefined) return undefined;
  if (!conforms(value, schema)) throw new Error(`not a complete ${value.type}`);
  return value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('not JSON');
  }
}

/**
 * The event of the fields of a line; the reverse of `lineOf`. Other programs of this format write fewer fields: an answer
 * without its calls, which are in lines of their own, and a result without more than its success.
 */
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
      const { finish, ...rest } = line;
      const isBare = Object.keys(line).join() === 'content';
      const message = { role: 'assistant', ...rest, ...(isBare && { toolCalls: [] }) };
      return { type: 'assistant_message', message, finish: isBare ? 'stop' : finish };
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
      const { id: callId, success, output: content, ...rest } = line;
      const outcome = success === true ? 'ok' : 'failed';
      const known =
        Object.keys(rest).length > 0 || typeof success !== 'boolean' ? rest : { ...UNKNOWN_RESULT, outcome };
      return { ...known, type, callId, content };
    }
    default:
      return { ...line, type };
  }
}

/** Stands for a field that the result of another program lacks. */
const UNKNOWN_RESULT = { toolName: 'tool', summary: '', durationMs: 0 };
