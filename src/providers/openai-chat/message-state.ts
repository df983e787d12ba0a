import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { conforms } from '../../schema/conforms.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { CHAT_STATE } from './schemas.data.ts';

/** The fields of a message that a server may want back with it. Other fields are ours, or say nothing about the model. */
const MESSAGE_FIELDS = [
  'reasoning_content', // DeepSeek, Moonshot, llama.cpp
  'reasoning', // Ollama, vLLM, Groq, Cerebras
  'reasoning_text', // Copilot
  'reasoning_opaque', // Copilot
  'reasoning_details', // OpenRouter, MiniMax
  'thinking_blocks', // LiteLLM
  'extra_content', // Google
  'provider_specific_fields', // LiteLLM
  'content', // Mistral, if it is a list with more than text
] as const;

/** The fields of a call that have a place of their own in our history. All others go back as they came. */
const OWN_CALL_FIELDS: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function', 'name', 'arguments']);
const OWN_FUNCTION_FIELDS: ReadonlySet<string> = new Set(['name', 'arguments', 'input', 'parameters']);

/** The fields of an item whose pieces are joined; a later value of any other field replaces the earlier one. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'summary', 'thinking']);

/** Collects what a message and its calls carry besides text, name and arguments. */
export interface MessageState {
  addMessage(delta: object): void;
  /** A piece of the call number `position`, in order of arrival. */
  addCall(position: number, delta: object): void;
  items(): readonly JsonValue[];
}

/** Creates the collector of one answer. */
export function createMessageState(): MessageState {
  const message: Record<string, JsonValue> = {};
  const calls = new Map<number, Record<string, JsonValue>>();
  return {
    addMessage(delta) {
      for (const field of MESSAGE_FIELDS) {
        const value: unknown = Reflect.get(delta, field);
        if (isJson(value) && (field !== 'content' || Array.isArray(value))) {
          message[field] = joined(message[field], value, field);
        }
      }
    },
    addCall(position, delta) {
      const fields = calls.get(position) ?? {};
      calls.set(position, fields);
      const called: unknown = Reflect.get(delta, 'function');
      addOthers(fields, delta, OWN_CALL_FIELDS);
      const inside: Record<string, JsonValue> = {};
      if (isJsonObject(called)) addOthers(inside, called, OWN_FUNCTION_FIELDS);
      if (Object.keys(inside).length > 0) fields['function'] = joined(fields['function'], inside, 'function');
    },
    items() {
      const { content, ...fields } = message;
      const needed = hasMoreThanText(content) ? { ...fields, content } : fields;
      const withFields = [...calls].filter(([, call]) => Object.keys(call).length > 0);
      return [
        ...(Object.keys(needed).length === 0 ? [] : [{ type: 'message_fields', fields: needed }]),
        ...withFields.map(([call, callFields]) => ({ type: 'call_fields', call, fields: callFields })),
      ];
    },
  };
}

/** The fields of an answer that its items hold. `call` reads those of a call by its position. */
export function readMessageState(items: readonly JsonValue[]) {
  const known = items.flatMap((item) => (conforms(item, CHAT_STATE) ? [item] : []));
  return {
    message: known.find(({ type }) => type === 'message_fields')?.fields ?? {},
    call: (position: number): JsonObject => known.find(({ call }) => call === position)?.fields ?? {},
  };
}

function addOthers(fields: Record<string, JsonValue>, delta: object, own: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(delta)) {
    if (!own.has(name) && isJson(value)) fields[name] = joined(fields[name], value, name);
  }
}

/** The value after another piece of it: texts are joined, objects and lists are merged. */
function joined(before: JsonValue | undefined, piece: JsonValue, field: string): JsonValue {
  if (typeof before === 'string' && typeof piece === 'string') return isText(field) ? before + piece : piece;
  if (Array.isArray(before) && Array.isArray(piece)) return piece.reduce<readonly JsonValue[]>(withPart, before);
  if (isJsonObject(before) && isJsonObject(piece)) return mergedObject(before, piece);
  return Array.isArray(piece) ? piece.reduce<readonly JsonValue[]>(withPart, []) : piece;
}

function isText(field: string): boolean {
  return TEXTS.has(field) || (field.startsWith('reasoning') && field !== 'reasoning_opaque');
}

function mergedObject(before: JsonObject, piece: JsonObject): JsonObject {
  const known = Object.entries(piece).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(known.map(([name, value]) => [name, joined(before[name], value, name)])) };
}

/** A list with another part, which continues the last one if it has the same type and place, and that one is not signed yet. */
function withPart(parts: readonly JsonValue[], part: JsonValue): readonly JsonValue[] {
  const last = parts.at(-1);
  if (!isJsonObject(last) || !isJsonObject(part)) return [...parts, part];
  const continues = ['type', 'index', 'id'].every((name) => part[name] === undefined || part[name] === last[name]);
  const isSigned = part['index'] === undefined && Boolean(last['signature']);
  return continues && !isSigned ? [...parts.slice(0, -1), mergedObject(last, part)] : [...parts, part];
}

/** True if a content has parts that a string cannot hold. */
function hasMoreThanText(content: JsonValue | undefined): content is JsonValue {
  return Array.isArray(content) && content.some((part) => !isJsonObject(part) || part['type'] !== 'text');
}

/** True for a value of parsed JSON, which is never `undefined`. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined && value !== null;
}
