import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder, AnswerReader } from './answer-builder.ts';
import { objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
};

/** Creates the reader of the responses of Gemini: of a whole answer, or of the frames of a stream. */
export function createGeminiReader(): AnswerReader {
  let grounding: JsonObject = {};
  return {
    read(value, answer) {
      const [candidate = {}] = objectsIn(value['candidates']);
      if (isJsonObject(candidate['groundingMetadata'])) grounding = candidate['groundingMetadata'];
      readValue(value, answer);
    },
    finish(answer) {
      if (Object.keys(grounding).length > 0) answer.begin({ type: 'grounding', metadata: grounding });
    },
  };
}

function readValue(value: JsonObject, answer: AnswerBuilder): void {
  answer.id ??= textIn(value['responseId']);
  const candidates = objectsIn(value['candidates']);
  if (candidates.length > 1) answer.omit('candidates after the first');
  const [candidate = {}] = candidates;
  for (const part of objectsIn(objectIn(candidate['content'])['parts'])) readPart(part, answer);
  if (textIn(objectIn(value['promptFeedback'])['blockReason']) !== undefined) answer.finish = 'content_filter';
  answer.end(candidate['finishReason'], FINISH);
  const usage = value['usageMetadata'];
  if (!isJsonObject(usage)) return;
  answer.usage = usageOf({
    input: sumOf(usage['promptTokenCount'], usage['toolUsePromptTokenCount']),
    cached: usage['cachedContentTokenCount'],
    output: sumOf(usage['candidatesTokenCount'], usage['thoughtsTokenCount']),
    reasoning: usage['thoughtsTokenCount'],
  });
}

function readPart(part: JsonObject, answer: AnswerBuilder): void {
  const { functionCall: call, text, thought, thoughtSignature: signature } = part;
  if (typeof text === 'string' && thought === true) {
    answer.addReasoning(text);
    const last = answer.blocks.at(-1);
    if (last?.type === 'reasoning' && last.signature === undefined) last.signature = textIn(signature);
    else if (textIn(signature) !== undefined) answer.beginReasoning('', signature);
  } else answer.addContent(text);
  if (isJsonObject(call)) {
    answer.beginCall(call['id'], call['name'], JSON.stringify(call['args'] ?? {}));
  } else if (typeof text !== 'string') {
    const [other] = Object.keys(part).filter((name) => name !== 'thoughtSignature');
    if (other !== undefined) answer.omit(other);
    answer.begin({ type: 'raw', item: part });
  }
}
