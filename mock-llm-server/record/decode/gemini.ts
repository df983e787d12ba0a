import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { type AnswerBuilder, objectIn, objectsIn, sumOf, textIn, usageOf } from './decoded-answer.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
};

/** Reads a response of Gemini: a whole answer, or a frame of a stream, which has the same form. */
export function readGeminiValue(value: JsonObject, answer: AnswerBuilder): void {
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
  const { functionCall: call, text, thought } = part;
  if (typeof text === 'string') {
    if (thought === true) answer.addReasoning(text);
    else answer.addContent(text);
  }
  if (isJsonObject(call)) {
    const json = JSON.stringify(call['args'] ?? {});
    answer.addCall(answer.callCount, { id: textIn(call['id']), name: textIn(call['name']) ?? '', arguments: json });
  } else if (typeof text !== 'string') {
    const [other] = Object.keys(part).filter((name) => name !== 'thoughtSignature');
    if (other !== undefined) answer.omit(other);
  }
}
