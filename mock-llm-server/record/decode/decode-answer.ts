import type { JsonObject, Protocol } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { createAnthropicReader } from './anthropic.ts';
import { readChatValue } from './chat.ts';
import { AnswerBuilder, type DecodedAnswer, type DecodedError, errorIn, jsonValuesIn } from './decoded-answer.ts';
import { readGeminiValue } from './gemini.ts';
import { readOllamaValue } from './ollama.ts';
import { createResponsesReader } from './responses.ts';

/** A body as a client received it. */
export interface ReceivedBody {
  readonly contentType: string;
  readonly text: string;
}

/** The reader of one answer. */
interface AnswerReader {
  read(value: JsonObject, answer: AnswerBuilder): void;
  /** Called after the last value. */
  finish?(answer: AnswerBuilder): void;
}

const READERS: Readonly<Record<Protocol, () => AnswerReader>> = {
  'openai-chat': () => ({ read: readChatValue }),
  'openai-responses': createResponsesReader,
  'anthropic-messages': () => ({ read: createAnthropicReader() }),
  gemini: () => ({ read: readGeminiValue }),
  ollama: () => ({ read: readOllamaValue }),
};

/** Decodes an answer of a provider, whole or cut anywhere, streamed or not. Pure; never throws. */
export function decodeAnswer(protocol: Protocol, body: ReceivedBody): DecodedAnswer {
  const answer = new AnswerBuilder();
  const reader = READERS[protocol]();
  let isBroken = false;
  for (const value of valuesIn(body)) {
    // The last piece of a stream that was cut is not malformed.
    answer.isMalformed ||= isBroken;
    if (isJsonObject(value)) reader.read(value, answer);
    else isBroken = true;
  }
  reader.finish?.(answer);
  const decoded = answer.answer();
  // Protocols without a reason for calls end such an answer like a complete one.
  const isCalling = decoded.finish === 'stop' && decoded.toolCalls.length > 0 && protocol !== 'openai-chat';
  return isCalling ? { ...decoded, finish: 'tool_calls' } : decoded;
}

/** Decodes the body of an error; undefined if it has no error in the form of a provider. */
export function decodeError({ text }: ReceivedBody): DecodedError | undefined {
  const [value] = jsonValuesIn(text, 'whole');
  return errorIn(value);
}

function* valuesIn({ contentType, text }: ReceivedBody): Generator<unknown> {
  if (text.trim() === '') return;
  if (contentType.startsWith('text/event-stream') || /^\s*(?:event|data|:)/.test(text)) {
    yield* jsonValuesIn(text, 'events');
  } else if (contentType.includes('ndjson')) {
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
