import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder, AnswerReader, OpenBlock } from './answer-builder.ts';
import { MESSAGE_FINISH } from './anthropic.ts';
import { objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

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

/** Creates the reader of the events of a stream of the Converse API, each with one field, or of a whole answer. */
export function createBedrockReader(): AnswerReader {
  const open = new Map<unknown, OpenBlock>();
  return {
    read(value, answer) {
      readCompletion(value, answer);
      for (const block of objectsIn(objectIn(objectIn(value['output'])['message'])['content']))
        readBlock(block, answer);
      const { contentBlockStart: started, contentBlockDelta: continued } = value;
      // Only calls and results have a start that says something.
      if (isJsonObject(started) && isJsonObject(started['start']) && Object.keys(started['start']).length > 0)
        open.set(started['contentBlockIndex'], readBlock(started['start'], answer, true));
      if (isJsonObject(continued)) {
        const { text, toolUse, reasoningContent, citation } = objectIn(continued['delta']);
        const { text: thought, signature, redactedContent } = objectIn(reasoningContent);
        const index = continued['contentBlockIndex'];
        const isThought = isJsonObject(reasoningContent);
        const begin = () => (isThought ? answer.beginReasoning('', '', redactedContent) : answer.beginText(undefined));
        const block = open.get(index) ?? begin();
        open.set(index, block);
        answer.extend(block, {
          text,
          thought,
          json: objectIn(toolUse)['input'],
          signature,
          citations: objectsIn([citation]),
        });
      }
      answer.end(value['stopReason'] ?? objectIn(value['messageStop'])['stopReason'], MESSAGE_FINISH);
      readUsage(value['usage'] ?? objectIn(value['metadata'])['usage'], answer);
      for (const [name, error] of Object.entries(value)) {
        if (!name.endsWith('Exception')) continue;
        answer.error ??= { message: textIn(objectIn(error)['message']) ?? '', type: name };
      }
    },
  };
}

/** A block of a message. At its start in a stream, a call has no input. */
function readBlock(block: JsonObject, answer: AnswerBuilder, isStart = false): OpenBlock {
  const { text, toolUse, reasoningContent, citations } = block;
  if (typeof text === 'string') return answer.beginText(text, objectsIn(citations));
  // The service itself runs a tool of this type.
  if (isJsonObject(toolUse) && toolUse['type'] !== 'server_tool_use') {
    return answer.beginCall(
      toolUse['toolUseId'],
      toolUse['name'],
      isStart ? '' : JSON.stringify(toolUse['input'] ?? {}),
    );
  }
  if (!isJsonObject(reasoningContent)) return answer.begin({ type: 'raw', item: block });
  const { text: thought, signature } = objectIn(reasoningContent['reasoningText']);
  return answer.beginReasoning(thought, signature, reasoningContent['redactedContent']);
}

function readUsage(usage: unknown, answer: AnswerBuilder): void {
  if (!isJsonObject(usage)) return;
  const { inputTokens, outputTokens: output, cacheReadInputTokens: cached, cacheWriteInputTokens: written } = usage;
  answer.usage = usageOf({ input: sumOf(inputTokens, cached, written), cached, output, reasoning: undefined });
}
