import type { JsonObject, NativeAnswer } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import type { NativeSpecification } from '../../scenario/format/step-format.ts';
import { escapeTemplates } from '../../text.ts';
import type { DecodedCall } from '../decode/decoded-answer.ts';

/** JSON as a file has it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The parts of an answer that its native form need not repeat. */
export interface WrittenParts {
  readonly texts: readonly string[];
  readonly reasonings: readonly string[];
  readonly calls: readonly DecodedCall[];
  /** The settings that the server repeats by itself. */
  readonly echo: JsonObject;
}

/** The fields of all protocols that have the texts of an answer. */
const TEXT_FIELDS =
  /^(?:text|content|thinking|partial_json|delta|arguments|input|refusal|reasoning(?:_content|_text)?|response)$/;

/** Starts of the ids of items with a call, which contain the id of the call as in `callItem` of the wire. */
const ITEM_PREFIXES: Readonly<Record<string, string>> = { function_call: 'fc', custom_tool_call: 'ctc' };

/**
 * The answer of a protocol for a file. Holes take the place of the texts that the file has beside it, so that a change
 * of them changes all forms, and of the ids by which later requests find the step. Pure.
 */
export function writeNative({ protocol, events, body }: NativeAnswer, parts: WrittenParts): NativeSpecification {
  const texts = holesOf(parts);
  const ids = new Map(
    parts.calls.flatMap(({ id }, index) => (id === undefined ? [] : [[id, `{{call_id ${index + 1}}}`] as const])),
  );
  /** The Responses API refers to calls by the ids of their items; it and Interactions continue an answer by its id. */
  const itemIds = new Map<string, string>();
  const idOf = (value: string, { object, call_id: callId, type }: JsonObject, key: string): string | undefined => {
    if (key === 'id' && (object === 'response' || object === 'interaction')) return '{{response_id}}';
    if (protocol !== 'openai-responses') return undefined;
    const call = ids.get(String(callId));
    const prefix = ITEM_PREFIXES[String(type)];
    if (key === 'id' && call !== undefined && prefix !== undefined) itemIds.set(value, `${prefix}_${call}`);
    return itemIds.get(value);
  };
  const write = (value: unknown, parent: JsonObject, key: string): Json => {
    if (isEcho(parts.echo, parent, key, value)) return `{{echo ${key}}}`;
    if (Array.isArray(value)) return value.map((item) => write(item, {}, key));
    if (isJsonObject(value)) return writeObject(value);
    if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? value : null;
    const text = TEXT_FIELDS.test(key) ? texts.get(value) : undefined;
    return text ?? ids.get(value) ?? idOf(value, parent, key) ?? escapeTemplates(value);
  };
  const writeObject = (value: JsonObject): Record<string, Json> =>
    Object.fromEntries(Object.entries(value).map(([name, item]) => [escapeTemplates(name), write(item, value, name)]));
  return events === undefined ? { protocol, body: writeObject(body) } : { protocol, events: events.map(writeObject) };
}

/** The holes by the texts that they stand for. Arguments count only if the server sends the very same text. */
function holesOf({ texts, reasonings, calls }: WrittenParts): ReadonlyMap<string, string> {
  const named = [
    ...texts.map((text, index) => [text, `{{text ${index + 1}}}`] as const),
    ...reasonings.map((text, index) => [text, `{{reasoning ${index + 1}}}`] as const),
    ...calls.map((call, index) => [isCompact(call) ? call.arguments : '', `{{arguments ${index + 1}}}`] as const),
  ];
  // The first part with a text has its hole.
  return new Map(named.filter(([text]) => text.trim() !== '').reverse());
}

function isCompact({ input, arguments: text }: DecodedCall): boolean {
  return input === 'text' || JSON.stringify(tryJson(text)) === text;
}

/** Shorter values are easier to read than holes. */
const MIN_ECHO = 40;

function isEcho(echo: JsonObject, { object }: JsonObject, key: string, value: unknown): boolean {
  if (object !== 'response' || !Object.hasOwn(echo, key) || !/^[a-z_]+$/.test(key)) return false;
  const json = JSON.stringify(value) ?? '';
  return json.length >= MIN_ECHO && json === JSON.stringify(echo[key]);
}
