import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder, AnswerReader, OpenBlock } from './answer-builder.ts';
import { objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

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
  /** The blocks at each index, of which Ollama uses some more than once. */
  const open = new Map<unknown, OpenBlock>();
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
      for (const block of objectsIn(value['content'])) readBlock(block, answer);
      readStop(value['stop_reason'], answer);
      readUsage(value['usage'], answer);
    } else if (type === 'message_start') {
      const message = objectIn(value['message']);
      answer.id = textIn(message['id']);
      readUsage(message['usage'], answer);
    } else if (type === 'content_block_start') {
      open.set(value['index'], readBlock(objectIn(value['content_block']), answer, true));
    } else if (type === 'content_block_delta') {
      const { text, thinking: thought, partial_json: json, signature, citation } = objectIn(value['delta']);
      answer.extend(open.get(value['index']), { text, thought, json, signature, citations: objectsIn([citation]) });
    } else if (type === 'message_delta') {
      readStop(objectIn(value['delta'])['stop_reason'], answer);
      readUsage(value['usage'], answer);
    }
  };
  return { read };
}

/** A block of a message. At its start in a stream, the input of a call is an empty object. */
function readBlock(block: JsonObject, answer: AnswerBuilder, isStart = false): OpenBlock {
  const { type, text, thinking, signature, data, citations, id, name, input } = block;
  switch (type) {
    case 'text':
      return answer.beginText(text, objectsIn(citations));
    case 'thinking':
      return answer.beginReasoning(thinking, signature);
    case 'redacted_thinking':
      return answer.beginReasoning('', undefined, data);
    case 'tool_use':
      return answer.beginCall(id, name, isStart ? '' : JSON.stringify(input ?? {}));
    default:
      answer.omit(textIn(type) ?? 'block without a type');
      return answer.begin({ type: 'raw', item: block });
  }
}
