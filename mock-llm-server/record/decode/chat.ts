import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { type AnswerBuilder, errorIn, objectIn, objectsIn, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
};

/** Reads a chunk of a stream of Chat Completions, or a whole answer, which has the same fields in a `message`. */
export function readChatValue(value: JsonObject, answer: AnswerBuilder): void {
  answer.error ??= errorIn(value);
  answer.id ??= textIn(value['id']);
  const choices = objectsIn(value['choices']);
  if (choices.some(({ index }) => typeof index === 'number' && index > 0)) answer.omit('choices after the first');
  const choice = choices.find(({ index }) => index === 0 || index === undefined);
  if (choice !== undefined) {
    readMessage(objectIn(choice['delta'] ?? choice['message']), answer);
    const reason = textIn(choice['finish_reason']);
    if (reason !== undefined) answer.finish = FINISH[reason] ?? 'stop';
  }
  const usage = value['usage'];
  if (isJsonObject(usage)) answer.usage = readUsage(usage);
}

function readMessage(message: JsonObject, answer: AnswerBuilder): void {
  answer.addReasoning(message['reasoning_content'] ?? message['reasoning']);
  answer.addContent(message['content']);
  answer.addRefusal(message['refusal']);
  for (const [position, call] of objectsIn(message['tool_calls']).entries()) {
    // Some services leave the index out and send each call as a whole.
    const isNew = textIn(call['id']) !== undefined && typeof call['index'] !== 'number';
    const key = typeof call['index'] === 'number' ? call['index'] : isNew ? `${answer.callCount}` : position;
    readCall(key, call, answer);
  }
  const legacy = message['function_call'];
  if (isJsonObject(legacy)) readCall('function_call', { function: legacy }, answer);
}

function readCall(key: number | string, call: JsonObject, answer: AnswerBuilder): void {
  const isText = isJsonObject(call['custom']);
  const { name, arguments: json, input } = objectIn(isText ? call['custom'] : call['function']);
  answer.addCall(key, {
    id: textIn(call['id']),
    ...(isText && { input: 'text' }),
    name: textIn(name) ?? '',
    arguments: textIn(isText ? input : json) ?? '',
  });
}

function readUsage(usage: JsonObject) {
  const { prompt_tokens: input, completion_tokens: output } = usage;
  const inputDetails = objectIn(usage['prompt_tokens_details']);
  return usageOf({
    input,
    cached: inputDetails['cached_tokens'] ?? usage['prompt_cache_hit_tokens'],
    output,
    reasoning: objectIn(usage['completion_tokens_details'])['reasoning_tokens'],
  });
}
