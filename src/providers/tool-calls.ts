import type { JsonObject } from '../agent/ports/json.ts';
import type { Message, ToolCall } from '../agent/ports/messages.ts';
import { isJsonObject, jsonOr } from '../text/json/json.ts';
import { wellFormedJson } from './http/fetch-stream.ts';

/** Arguments that a server accepts in a history: a JSON object, and its text. */
interface SentArguments {
  readonly object: JsonObject;
  readonly text: string;
}

/** The arguments by call. A cache, because each request repeats all earlier calls. */
const cache = new WeakMap<ToolCall, SentArguments>();

/** The arguments of a call, for a wire that sends them as an object. Arguments that are not a JSON object become `{}`. */
export function argumentsObject(call: ToolCall): JsonObject {
  return sentArguments(call).object;
}

/**
 * The arguments of a call, for a wire that sends them as text. Servers reject arguments that are not a JSON object and
 * those with half of a character, which becomes `\ufffd`.
 */
export function argumentsText(call: ToolCall): string {
  return sentArguments(call).text;
}

function sentArguments(call: ToolCall): SentArguments {
  const sent = cache.get(call) ?? readArguments(call.arguments);
  cache.set(call, sent);
  return sent;
}

function readArguments(text: string): SentArguments {
  const object = parseObject(text);
  if (object === undefined) return { object: {}, text: '{}' };
  const wellFormed = wellFormedJson(object);
  return { object, text: wellFormed === JSON.stringify(object) ? text : wellFormed };
}

function parseObject(text: string): JsonObject | undefined {
  const value = jsonOr(undefined, text);
  return isJsonObject(value) ? value : undefined;
}

/** The maximum length of an id, with room for a suffix. */
const MAX_ID_LENGTH = 56;

/**
 * The messages with call ids of letters, digits, `_` and `-` that no two calls share, for a wire that refuses others.
 * The ids of other models may have other characters, and two models may use the same id. Every id depends only on the
 * messages before it, so a longer history keeps its ids.
 */
export function withUniqueCallIds(messages: readonly Message[]): readonly Message[] {
  const uses = new Map<string, number>();
  /** The new id of the latest call with an id. */
  const renamed = new Map<string, string>();

  const newId = (id: string): string => {
    const valid = id.replace(/[^A-Za-z0-9_-]/g, '_');
    let unique = valid;
    for (let count = uses.get(valid) ?? 0; uses.has(unique); count += 1) {
      uses.set(valid, count + 1);
      unique = `${valid.slice(0, MAX_ID_LENGTH)}_${count + 1}`;
    }
    uses.set(unique, 1);
    renamed.set(id, unique);
    return unique;
  };
  const rename = (call: ToolCall): ToolCall => {
    const id = newId(call.id);
    return id === call.id ? call : { ...call, id };
  };

  const renameIn = (message: Message): Message => {
    switch (message.role) {
      case 'user':
        return message;
      case 'assistant':
        return message.toolCalls.length === 0 ? message : { ...message, toolCalls: message.toolCalls.map(rename) };
      case 'tool':
        return { ...message, toolCallId: renamed.get(message.toolCallId) ?? message.toolCallId };
    }
  };
  return messages.map(renameIn);
}
