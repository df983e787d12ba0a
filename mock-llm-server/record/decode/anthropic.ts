import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import {
  type AnswerBuilder,
  type AnswerReader,
  objectIn,
  objectsIn,
  sumOf,
  textIn,
  usageOf,
} from './decoded-answer.ts';

/** The finish reasons by the stop reason of a message, also in Amazon Bedrock. */
export const MESSAGE_FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'refusal',
  content_filtered: 'content_filter',
};

/** Creates the reader of the events of a stream of the Messages API, or of a whole message. */
export function createAnthropicReader(): AnswerReader {
  let usage: JsonObject = {};
  /** The calls at each index, of which Ollama uses some more than once. */
  const keys = new Map<number, string>();
  const keyOf = (value: JsonObject): string => keys.get(indexOf(value)) ?? '';
  const readUsage = (more: unknown, answer: AnswerBuilder): void => {
    if (!isJsonObject(more)) return;
    // The last event repeats only the counts that have changed.
    usage = { ...usage, ...Object.fromEntries(Object.entries(more).filter(([, count]) => count !== null)) };
    const { input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: cached } = usage;
    answer.usage = usageOf({
      input: sumOf(input, written, cached),
      cached,
      output: usage['output_tokens'],
      reasoning: objectIn(usage['output_tokens_details'])['thinking_tokens'],
    });
  };
  const readStop = (reason: unknown, answer: AnswerBuilder): void => {
    answer.end(reason, MESSAGE_FINISH);
    // The mock server finds stop sequences in its own text. A sequence that the provider found is not part of the text.
    if (reason === 'stop_sequence') answer.omit('stop_sequence');
  };
  const read = (value: JsonObject, answer: AnswerBuilder): void => {
    const { type } = value;
    if (type === 'message') {
      answer.id = textIn(value['id']);
      for (const block of objectsIn(value['content'])) readBlock(`${answer.callCount}`, block, answer);
      readStop(value['stop_reason'], answer);
      readUsage(value['usage'], answer);
    } else if (type === 'message_start') {
      const message = objectIn(value['message']);
      answer.id = textIn(message['id']);
      readUsage(message['usage'], answer);
    } else if (type === 'content_block_start') {
      keys.set(indexOf(value), `${answer.callCount}`);
      readBlock(keyOf(value), objectIn(value['content_block']), answer, true);
    } else if (type === 'content_block_delta') {
      readDelta(keyOf(value), objectIn(value['delta']), answer);
    } else if (type === 'message_delta') {
      readStop(objectIn(value['delta'])['stop_reason'], answer);
      readUsage(value['usage'], answer);
    }
  };
  return { read };
}

function indexOf({ index }: JsonObject): number {
  return typeof index === 'number' ? index : 0;
}

/** A block of a message. At its start in a stream, the input of a call is an empty object. */
function readBlock(index: string, block: JsonObject, answer: AnswerBuilder, isStart = false): void {
  const type = textIn(block['type']) ?? 'block without a type';
  if (type === 'text') {
    answer.addContent(block['text']);
  } else if (type === 'thinking') {
    answer.addReasoning(block['thinking']);
  } else if (type === 'tool_use') {
    const json = isStart ? '' : JSON.stringify(block['input'] ?? {});
    answer.addCall(index, { id: textIn(block['id']), name: textIn(block['name']) ?? '', arguments: json });
  } else if (type !== 'redacted_thinking') {
    answer.omit(type);
  }
}

function readDelta(index: string, delta: JsonObject, answer: AnswerBuilder): void {
  const { type } = delta;
  if (type === 'text_delta') answer.addContent(delta['text']);
  else if (type === 'thinking_delta') answer.addReasoning(delta['thinking']);
  else if (type === 'input_json_delta') answer.addArguments(index, textIn(delta['partial_json']) ?? '');
}
