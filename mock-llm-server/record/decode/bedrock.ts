import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { MESSAGE_FINISH } from './anthropic.ts';
import { type AnswerBuilder, objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

/** The ends of completions, in the words of the makers. */
const COMPLETION_FINISH: Readonly<Record<string, FinishReason>> = {
  endoftext: 'stop',
  FINISH: 'stop',
  STOP_CRITERIA_MET: 'stop',
  LENGTH: 'length',
  COMPLETE: 'stop',
  MAX_TOKENS: 'length',
  stop: 'stop',
  length: 'length',
  stop_sequence: 'stop',
  max_tokens: 'length',
};

/** Reads a completion of a text, or a piece of one: of Titan, Claude 2, Llama, Mistral, AI21 or Cohere. */
function readCompletion(value: JsonObject, answer: AnswerBuilder): void {
  const lists = ['results', 'outputs', 'generations', 'completions', 'choices'].flatMap((name) =>
    objectsIn(value[name]),
  );
  const { outputText, completion, generation, data, finishReason, ...named } = { ...value, ...lists[0] };
  const { text = objectIn(data)['text'], ...rest } = named;
  answer.addContent(outputText ?? completion ?? generation ?? text);
  answer.end(
    rest['completionReason'] ?? rest['stop_reason'] ?? rest['finish_reason'] ?? objectIn(finishReason)['reason'],
    COMPLETION_FINISH,
  );
}

/** Reads an answer of the Converse API, or an event of its stream: an object with one field, the name of the event. */
export function readBedrockValue(value: JsonObject, answer: AnswerBuilder): void {
  readCompletion(value, answer);
  for (const block of objectsIn(objectIn(objectIn(value['output'])['message'])['content'])) readBlock(block, answer);
  const start = objectIn(value['contentBlockStart']);
  const called = objectIn(start['start'])['toolUse'];
  if (isCall(called)) addCall(called, '', answer);
  readDelta(objectIn(objectIn(value['contentBlockDelta'])['delta']), answer);
  answer.end(value['stopReason'] ?? objectIn(value['messageStop'])['stopReason'], MESSAGE_FINISH);
  readUsage(value['usage'] ?? objectIn(value['metadata'])['usage'], answer);
  for (const [name, error] of Object.entries(value)) {
    if (name.endsWith('Exception')) answer.error ??= { message: textIn(objectIn(error)['message']) ?? '', type: name };
  }
}

/** The service itself runs a tool of the type `server_tool_use`. */
function isCall(value: unknown): value is JsonObject {
  return isJsonObject(value) && value['type'] !== 'server_tool_use';
}

function addCall(call: JsonObject, json: string, answer: AnswerBuilder): void {
  const { toolUseId: id, name } = call;
  answer.addCall(answer.callCount, { id: textIn(id), name: textIn(name) ?? '', arguments: json });
}

function readBlock({ text, toolUse, reasoningContent }: JsonObject, answer: AnswerBuilder): void {
  answer.addContent(text);
  answer.addReasoning(objectIn(objectIn(reasoningContent)['reasoningText'])['text']);
  if (isCall(toolUse)) addCall(toolUse, JSON.stringify(toolUse['input'] ?? {}), answer);
}

function readDelta({ text, toolUse, reasoningContent }: JsonObject, answer: AnswerBuilder): void {
  answer.addContent(text);
  answer.addReasoning(objectIn(reasoningContent)['text']);
  answer.addArguments(answer.callCount - 1, textIn(objectIn(toolUse)['input']) ?? '');
}

function readUsage(usage: unknown, answer: AnswerBuilder): void {
  if (!isJsonObject(usage)) return;
  const { inputTokens, outputTokens: output, cacheReadInputTokens: cached, cacheWriteInputTokens: written } = usage;
  answer.usage = usageOf({ input: sumOf(inputTokens, cached, written), cached, output, reasoning: undefined });
}
