import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder, AnswerReader, OpenBlock } from './answer-builder.ts';
import { objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  completed: 'stop',
  requires_action: 'tool_calls',
  incomplete: 'length',
  budget_exceeded: 'length',
  failed: 'content_filter',
};

/** Creates the reader of the events of a stream of the Interactions API, or of a whole interaction. */
export function createInteractionReader(): AnswerReader {
  /** The steps at each index, which a faulty stream may use more than once. */
  const open = new Map<unknown, OpenBlock>();
  return {
    read(value, answer) {
      const { event_type: event, index } = value;
      if (event === undefined) {
        readInteraction(value, answer);
        for (const step of objectsIn(value['steps'])) readStep(step, answer);
      } else if (event === 'interaction.created' || event === 'interaction.completed') {
        readInteraction(objectIn(value['interaction']), answer);
      } else if (event === 'step.start') {
        open.set(index, readStep(objectIn(value['step']), answer, true));
      } else if (event === 'step.delta') {
        const { type, text, content, arguments: json, signature, annotations } = objectIn(value['delta']);
        const said = type === 'thought_summary' ? { thought: objectIn(content)['text'] } : { text };
        answer.extend(open.get(index), { ...said, json, signature, citations: objectsIn(annotations) });
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
function readStep(step: JsonObject, answer: AnswerBuilder, isStart = false): OpenBlock {
  const { type, id, name, arguments: args, content, summary, signature } = step;
  if (type === 'function_call') return answer.beginCall(id, name, isStart ? '' : JSON.stringify(args ?? {}));
  if (type === 'thought') {
    const texts = objectsIn(summary).map((part) => textIn(part['text']) ?? '');
    return answer.beginReasoning(texts.join(''), signature);
  }
  if (type !== 'model_output') {
    answer.omit(textIn(type) ?? 'step without a type');
    return answer.begin({ type: 'raw', item: step });
  }
  const parts = objectsIn(content);
  const citations = parts.flatMap(({ annotations }) => objectsIn(annotations));
  const block = { type: 'text' as const, text: '', citations };
  // A picture has no text.
  const isText = parts.every((part) => part['type'] === 'text' || part['text'] !== undefined || part['annotations']);
  answer.begin(isText ? block : { type: 'raw', item: step });
  for (const { text } of parts) answer.addContent(text, block);
  return block;
}
