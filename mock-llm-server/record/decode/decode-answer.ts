import { answerWireOf, unwrapped, WIRE_TITLES } from '../../../src/schema/answer-form.ts';
import type { FinishReason, JsonObject, NativeAnswer, Protocol } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { joinEvents } from '../../wire/native/event-piece.ts';
import { AnswerBuilder, type AnswerReader } from './answer-builder.ts';
import { createAnthropicReader } from './anthropic.ts';
import { createBedrockReader } from './bedrock.ts';
import { readChatValue } from './chat.ts';
import {
  type DecodedAnswer,
  type DecodedBlock,
  type DecodedError,
  errorIn,
  jsonValuesIn,
  objectIn,
  objectsIn,
  textIn,
  usageOf,
} from './decoded-answer.ts';
import { createGeminiReader } from './gemini.ts';
import { createInteractionReader } from './interactions.ts';
import { createResponsesReader } from './responses.ts';

/** A body as a client received it. */
export interface ReceivedBody {
  readonly contentType: string;
  readonly text: string;
}

const READERS: Readonly<Record<Protocol, () => AnswerReader>> = {
  'openai-chat': () => ({ read: readChatValue }),
  'openai-responses': createResponsesReader,
  'anthropic-messages': createAnthropicReader,
  'bedrock-converse': createBedrockReader,
  gemini: createGeminiReader,
  'gemini-interactions': createInteractionReader,
  ollama: () => ({ read: readOllamaValue }),
};

const OLLAMA_FINISH: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' };

/** Reads a line of a stream of Ollama, or a whole answer, of a chat or of a prompt. */
function readOllamaValue(value: JsonObject, answer: AnswerBuilder): void {
  const message = objectIn(value['message']);
  answer.addReasoning(message['thinking'] ?? value['thinking']);
  answer.addContent(textIn(message['content'] ?? value['response']));
  for (const call of objectsIn(message['tool_calls'])) {
    const { name, arguments: args } = objectIn(call['function']);
    const json = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    answer.addCall(answer.callCount, { id: textIn(call['id']), name: textIn(name) ?? '', arguments: json });
  }
  if (value['done'] !== true) return;
  answer.end(textIn(value['done_reason']) ?? 'stop', OLLAMA_FINISH);
  const { prompt_eval_count: input, eval_count: output } = value;
  answer.usage = usageOf({ input, cached: undefined, output, reasoning: undefined });
}

/** Decodes an answer of a provider, whole or cut anywhere, streamed or not. Pure; never throws. */
export function decodeAnswer(protocol: Protocol, body: ReceivedBody): DecodedAnswer {
  const answer = new AnswerBuilder();
  const reader = READERS[protocol]();
  const values: JsonObject[] = [];
  let isBroken = false;
  for (const value of valuesIn(body)) {
    // The last piece of a stream that was cut is not malformed.
    answer.isMalformed ||= isBroken;
    if (isJsonObject(value)) {
      values.push(value);
      reader.read(objectIn(unwrapped(value)), answer);
      answer.error ??= errorIn(value);
    } else isBroken = true;
  }
  reader.finish?.(answer);
  const unread = answer.isEmpty ? unreadForm(protocol, values, body) : undefined;
  if (unread !== undefined) answer.omit(unread);
  const native = isBroken ? undefined : nativeOf(protocol, values, body);
  const decoded = { ...answer.answer(), blocks: blocksOf(protocol, answer.blocks), native };
  // Protocols without a reason for calls end such an answer like a complete one.
  const isCalling = decoded.finish === 'stop' && decoded.toolCalls.length > 0 && protocol !== 'openai-chat';
  return isCalling ? { ...decoded, finish: 'tool_calls' } : decoded;
}

/**
 * The blocks of an answer in order; undefined if they say no more than its reasoning, its text and its calls, in this
 * order, or if its protocol has no blocks.
 */
function blocksOf(protocol: Protocol, all: readonly DecodedBlock[]): readonly DecodedBlock[] | undefined {
  const blocks = all.filter((block) => block.type !== 'text' || block.text !== '' || block.citations.length > 0);
  const order = blocks.map(({ type }) => ['reasoning', 'text', 'call'].indexOf(type));
  const isPlain =
    order.every((rank, index) => rank !== -1 && rank >= (order[index - 1] ?? 0)) &&
    order.filter((rank) => rank === 0).length <= 1 &&
    order.filter((rank) => rank === 1).length <= 1 &&
    blocks.every((block) => block.type !== 'text' || block.citations.length === 0);
  return isPlain || protocol === 'openai-chat' || protocol === 'ollama' ? undefined : blocks;
}

/** The wires of the protocols whose answers can be told from others. */
const ANSWER_WIRES: Readonly<Partial<Record<Protocol, keyof typeof WIRE_TITLES>>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic-messages',
  gemini: 'gemini',
  ollama: 'ollama-chat',
};

/** The form of a body of which nothing was read; undefined for an empty body, or one that begins as its protocol demands. */
function unreadForm(protocol: Protocol, values: readonly JsonObject[], { text }: ReceivedBody): string | undefined {
  const own = ANSWER_WIRES[protocol];
  if (text.trim() === '' || own === undefined) return undefined;
  if (/^\s*</.test(text)) return 'a page of HTML in place of an answer';
  const [wire] = values.map((value) => answerWireOf(unwrapped(value))).filter((known) => known !== undefined);
  if (wire === undefined) return 'an answer of an unknown form';
  return wire === own ? undefined : `an answer in the form of ${WIRE_TITLES[wire]}`;
}

/** The answer in the form of its protocol, with the pieces of its texts joined. */
function nativeOf(
  protocol: Protocol,
  values: readonly JsonObject[],
  { contentType, text }: ReceivedBody,
): NativeAnswer | undefined {
  const [body] = values;
  if (body === undefined) return undefined;
  // Ollama before 0.8 streams an answer to a request with tools in one line.
  const isStreamOfOllama = protocol === 'ollama' && (body['done'] !== true || contentType.includes('ndjson'));
  const isWhole = values.length === 1 && isJsonObject(tryJson(text)) && !isStreamOfOllama;
  return isWhole ? { protocol, body } : { protocol, events: joinEvents(protocol, values) };
}

/** Decodes the body of an error; undefined if it has no error in the form of a provider. */
export function decodeError({ text }: ReceivedBody): DecodedError | undefined {
  const [value] = jsonValuesIn(text, 'whole');
  // Amazon writes the message alone, in either case.
  const { message, Message: other = message } = objectIn(value);
  const words = textIn(other);
  return errorIn(value) ?? (words === undefined ? undefined : { message: words });
}

function* valuesIn({ contentType, text }: ReceivedBody): Generator<unknown> {
  if (text.trim() === '') return;
  if (contentType.startsWith('text/event-stream') || /^\s*(?:event|data|:)/.test(text)) {
    yield* jsonValuesIn(text, 'events');
  } else if (contentType.includes('ndjson') || /^\s*\{.*\}\r?\n\s*\{/.test(text)) {
    yield* jsonValuesIn(text, 'lines');
  } else {
    const [value] = jsonValuesIn(text, 'whole');
    if (Array.isArray(value)) yield* value;
    else if (value === undefined && text.trimStart().startsWith('[')) yield* itemsOf(text);
    else yield value;
  }
}

/** The items of a JSON array that was cut. Gemini sends one item after the other, each on lines of its own. */
function* itemsOf(text: string): Generator<unknown> {
  for (const item of text
    .trimStart()
    .slice(1)
    .split(/\r?\n?,\r?\n(?=\{)/)) {
    const [value] = jsonValuesIn(item.trim().replace(/\]$/, ''), 'whole');
    if (value !== undefined) yield value;
  }
}
