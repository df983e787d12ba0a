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

const FINISH: Readonly<Record<string, FinishReason>> = {
  completed: 'stop',
  requires_action: 'tool_calls',
  incomplete: 'length',
  budget_exceeded: 'length',
  failed: 'content_filter',
};

/** Creates the reader of the events of a stream of the Interactions API, or of a whole interaction. */
export function createInteractionReader(): AnswerReader {
  /** The calls at each index, which a faulty stream may use more than once. */
  const keys = new Map<unknown, string>();
  return {
    read(value, answer) {
      const { event_type: event, index } = value;
      if (event === undefined) {
        readInteraction(value, answer);
        for (const step of objectsIn(value['steps'])) readStep(`${answer.callCount}`, step, answer);
      } else if (event === 'interaction.created' || event === 'interaction.completed') {
        readInteraction(objectIn(value['interaction']), answer);
      } else if (event === 'step.start') {
        keys.set(index, `${answer.callCount}`);
        readStep(`${answer.callCount}`, objectIn(value['step']), answer, true);
      } else if (event === 'step.delta') {
        readDelta(keys.get(index) ?? '', objectIn(value['delta']), answer);
      }
    },
  };
}

function readInteraction({ id, status, usage }: JsonObject, answer: AnswerBuilder): void {
  answer.id ??= textIn(id);
  if (status !== 'in_progress') answer.end(status, FINISH);
  if (!isJsonObject(usage)) return;
  const { total_output_tokens: output, total_thought_tokens: reasoning } = usage;
  const { total_input_tokens: input, total_cached_tokens: cached } = usage;
  answer.usage = usageOf({ input, cached, output: sumOf(output, reasoning), reasoning });
}

/** A step. At its start in a stream, the arguments of a call are an empty object. */
function readStep(key: string, step: JsonObject, answer: AnswerBuilder, isStart = false): void {
  const { type, id, name, arguments: args } = step;
  if (type === 'model_output') for (const { text } of objectsIn(step['content'])) answer.addContent(text);
  else if (type === 'thought') for (const { text } of objectsIn(step['summary'])) answer.addReasoning(text);
  else if (type === 'function_call') {
    const json = isStart ? '' : JSON.stringify(args ?? {});
    answer.addCall(key, { id: textIn(id), name: textIn(name) ?? '', arguments: json });
  } else answer.omit(textIn(type) ?? 'step without a type');
}

function readDelta(key: string, { type, text, content, arguments: args }: JsonObject, answer: AnswerBuilder): void {
  if (type === 'text') answer.addContent(text);
  else if (type === 'thought_summary') answer.addReasoning(objectIn(content)['text']);
  else if (type === 'arguments_delta') answer.addArguments(key, textIn(args) ?? '');
}
