import type { JsonObject, Reply, ReplyToolCall } from '../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';
import type { PieceKind, SplitPieces } from './pieces.ts';
import type { Frame } from './wire.ts';

/** A text that replies do not contain. */
export const PLACEHOLDER = '\u0001piece\u0001';

/** The frames of a text in pieces. Only the piece is encoded for each frame, which takes a third of the time. */
export function pieceFrames(
  kind: PieceKind,
  text: string,
  split: SplitPieces,
  encode: (piece: string) => string,
): readonly Frame[] {
  if (text === '') return [];
  const pieces = split(text, kind);
  const [before = '', after = ''] = encode(PLACEHOLDER).split(JSON.stringify(PLACEHOLDER));
  const quote = quoterFor(text);
  return pieces.map((piece) => ({ kind, bytes: before + quote(piece) + after }));
}

/** A character that `JSON.stringify` may escape. */
const ESCAPED_IN_JSON = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** `JSON.stringify` for pieces of a text, which takes a third of the time if the text has no character to escape. */
export function quoterFor(text: string): (piece: string) => string {
  return ESCAPED_IN_JSON.test(text) ? JSON.stringify : (piece) => `"${piece}"`;
}

/**
 * The arguments of a call in a stream of Claude, which has none for an empty object: tidyverse/ellmer#228,
 * Kilo-Org/cloud#4753
 */
export function streamedArguments(text: string): string {
  return text === '{}' ? '' : text;
}

/** The arguments of a call as an object; undefined if they are not one. The plain text of a text tool becomes `input`. */
export function argumentsObject({ input, arguments: text }: ReplyToolCall): JsonObject | undefined {
  if (input === 'text') return { input: text };
  if (text.trim() === '') return {};
  const value = tryJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Reports whether a reply ended before its last word, so that the arguments of its last call may end anywhere. */
export function endsEarly({ finish }: Pick<Reply, 'finish'>): boolean {
  return finish !== 'stop' && finish !== 'tool_calls';
}

/** The arguments of a call as an object; undefined if they are not one, or if the reply ended before their first word. */
export function sentArguments(call: ReplyToolCall, reply: Reply): JsonObject | undefined {
  const isCut = call.arguments === '' && endsEarly(reply) && call === reply.toolCalls.at(-1);
  return isCut ? undefined : argumentsObject(call);
}

/** The indexes of `count` blocks in a stream, of which the last are the tool calls. A fault may remove or repeat them. */
export function streamIndexes(count: number, { toolCalls }: Reply): readonly (number | undefined)[] {
  const first = count - toolCalls.length;
  return Array.from({ length: count }, (_, position) => {
    const fault = toolCalls[position - first]?.indexFault;
    if (fault === undefined) return position;
    return fault === 'missing' ? undefined : first;
  });
}
