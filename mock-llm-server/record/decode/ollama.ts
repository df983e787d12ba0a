import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { type AnswerBuilder, errorIn, objectIn, objectsIn, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' };

/** Reads a line of a stream of Ollama, or a whole answer, of a chat or of a prompt. */
export function readOllamaValue(value: JsonObject, answer: AnswerBuilder): void {
  answer.error ??= errorIn(value);
  const message = objectIn(value['message']);
  answer.addReasoning(message['thinking'] ?? value['thinking']);
  answer.addContent(textIn(message['content'] ?? value['response']));
  for (const call of objectsIn(message['tool_calls'])) {
    const { name, arguments: args } = objectIn(call['function']);
    const id = textIn(call['id']);
    const json = JSON.stringify(args ?? {});
    answer.addCall(answer.callCount, { ...(id !== undefined && { id }), name: textIn(name) ?? '', arguments: json });
  }
  if (value['done'] !== true) return;
  answer.finish = FINISH[textIn(value['done_reason']) ?? 'stop'] ?? 'stop';
  const { prompt_eval_count: input, eval_count: output } = value;
  answer.usage = usageOf({ input, cached: undefined, output, reasoning: undefined });
}
