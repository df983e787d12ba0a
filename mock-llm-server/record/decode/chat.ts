import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import { objectIn, objectsIn, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
};

/** Reads a chunk of a stream of Chat Completions, or a whole answer, which has the same fields in a `message`. */
export function readChatValue(value: JsonObject, answer: AnswerBuilder): void {
  answer.id ??= textIn(value['id']);
  const choices = objectsIn(value['choices']);
  if (choices.some(({ index }) => typeof index === 'number' && index > 0)) answer.omit('choices after the first');
  const choice = choices.find(({ index }) => index === 0 || index === undefined);
  if (choice !== undefined) {
    // Some servers have the field of completions.
    readMessage(objectIn(choice['delta'] ?? choice['message'] ?? { content: choice['text'] }), answer);
    // DashScope sends "null" until the end.
    if (choice['finish_reason'] !== 'null') answer.end(choice['finish_reason'], FINISH);
  }
  const usage = value['usage'];
  if (isJsonObject(usage)) answer.usage = readUsage(usage);
}

function readMessage(message: JsonObject, answer: AnswerBuilder): void {
  readContent(message['reasoning_content'] ?? message['reasoning'] ?? message['reasoning_text'], 'reasoning', answer);
  readContent(message['content'], 'content', answer);
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

/** Content as a text or, over Mistral and gateways, as parts. */
function readContent(content: unknown, kind: 'content' | 'reasoning', answer: AnswerBuilder): void {
  if (Array.isArray(content)) {
    for (const part of content) readContent(part, kind, answer);
  } else if (isJsonObject(content)) {
    const { type, text, thinking, refusal } = content;
    if (thinking !== undefined) readContent(thinking, 'reasoning', answer);
    else if (typeof text === 'string') readContent(text, kind, answer);
    else if (typeof refusal === 'string') answer.addRefusal(refusal);
    else answer.omit(textIn(type) ?? 'a part without a type');
  } else if (kind === 'content') answer.addContent(content);
  else answer.addReasoning(content);
}

function readCall(key: number | string, call: JsonObject, answer: AnswerBuilder): void {
  const isText = isJsonObject(call['custom']);
  const { name, arguments: json, input } = objectIn(isText ? call['custom'] : call['function']);
  answer.addCall(key, {
    id: textIn(call['id']),
    ...(isText && { input: 'text' }),
    name: textIn(name) ?? '',
    arguments: typeof json === 'object' && json !== null ? JSON.stringify(json) : (textIn(isText ? input : json) ?? ''),
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
