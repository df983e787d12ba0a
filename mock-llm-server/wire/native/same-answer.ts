import type { JsonObject, NativeAnswer, Protocol } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { joinEvents } from './event-piece.ts';

/** The fields in which two answers may differ and yet be the same, each with its reason. */
const DIFFERENCES: readonly (readonly [fields: RegExp, reason: string])[] = [
  [/^(?:id|.*_id|responseId|toolUseId)$/, 'ids: by those of this server later requests find their step'],
  [/^(?:created|created_at|completed_at|createTime|updated)$/, 'times of the answer'],
  [/^(?:total|load|prompt_eval|eval)_duration$/, 'times that Ollama took'],
  [/^(?:obfuscation|p)$/, 'random padding of OpenAI and Mistral'],
  [/^sequence_number$/, 'numbers of events, which follow the pieces of a text'],
];

/** Reports whether two native answers are the same events, or the same body, with their texts in any pieces. */
export function isSameAnswer(one: NativeAnswer, other: NativeAnswer): boolean {
  const [left, right] = [one, other].map(({ protocol, events, body }) =>
    events === undefined ? [comparable(body)] : comparableEvents(protocol, events),
  );
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The events of an answer in a form in which equal ones are equal: pieces joined, differences removed, keys sorted. */
export function comparableEvents(protocol: Protocol, events: readonly JsonObject[]): readonly unknown[] {
  return joinEvents(protocol, joinEvents(protocol, events).map(comparableObject));
}

function comparableObject(value: JsonObject): JsonObject {
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    fields.map(([key, item]) => {
      const mayDiffer = DIFFERENCES.some(([names]) => names.test(key));
      const isScalar = typeof item === 'string' || typeof item === 'number';
      return [key, mayDiffer && isScalar ? '' : comparable(item)];
    }),
  );
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  return isJsonObject(value) ? comparableObject(value) : value;
}
