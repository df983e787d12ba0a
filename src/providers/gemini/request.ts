import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../agent/ports/messages.ts';
import { conforms } from '../../schema/conforms.ts';
import { FOREIGN_SIGNATURE, stateItems } from '../provider-state.ts';
import { formOf } from '../service/request-form.ts';
import type { EffortLevel, ServiceRules } from '../service/service-rules.ts';
import { argumentsObject, withUniqueCallIds } from '../tool-calls.ts';
import type { WireOptions } from '../wire-options.ts';
import { GEMINI_SIGNATURE } from './schemas.data.ts';

export type GeminiRequestOptions = Pick<WireOptions, 'maxTokens' | 'temperature' | 'reasoningEffort' | 'form'>;

/** A turn of the conversation. */
interface Content extends JsonObject {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonValue[];
}

/** The body of a request for an answer. Pure: a longer history gives a body that begins with the same contents. */
export function geminiRequest(
  { system, messages, tools }: ModelRequest,
  identity: ModelIdentity,
  options: GeminiRequestOptions,
): JsonObject {
  const { rules, maxTokens, effort } = formOf(options);
  const { temperature } = options;
  const declarations = tools.map(({ name, description, parameters }) => {
    return { name, description, parametersJsonSchema: parameters };
  });
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(declarations.length === 0 ? {} : { tools: [{ functionDeclarations: declarations }] }),
    contents: contentsOf(withUniqueCallIds(messages), identity, rules),
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(temperature === undefined || !rules.sendsTemperature ? {} : { temperature }),
      ...(rules.effort === 'left out' ? {} : thinkingParam(identity.model, effort)),
    },
  };
}

/** The turns of a history. The results of the calls of one answer are one turn, as the API requires. */
function contentsOf(messages: readonly Message[], identity: ModelIdentity, rules: ServiceRules): readonly Content[] {
  /** The tools of the calls, by id. */
  const names = new Map<string, string>();
  const contents: Content[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      contents.push({ role: 'user', parts: [{ text: message.content }, ...pictureParts(message)] });
    }
    if (message.role === 'assistant') {
      for (const { id, name } of message.toolCalls) names.set(id, name);
      contents.push({ role: 'model', parts: answerParts(message, identity, rules) });
    }
    if (message.role === 'tool' && messages[index - 1]?.role !== 'tool') {
      contents.push({ role: 'user', parts: resultParts(resultsFrom(messages, index), names, rules) });
    }
  }
  return contents;
}

function answerParts(message: AssistantMessage, identity: ModelIdentity, rules: ServiceRules): readonly JsonValue[] {
  const items = stateItems(message, identity).flatMap((item) => (conforms(item, GEMINI_SIGNATURE) ? [item] : []));
  const signatures = new Map(items.map(({ call, thoughtSignature }) => [call, thoughtSignature]));
  if (!signatures.has(0) && (rules.marksCalls || needsSignatures(identity.model))) signatures.set(0, FOREIGN_SIGNATURE);
  const textSignature = signatures.get(null);
  return [
    ...(message.content === '' ? [] : [{ text: message.content }]),
    // A text with a signature is not joined with one without.
    ...(textSignature === undefined ? [] : [{ text: '', thoughtSignature: textSignature }]),
    ...message.toolCalls.map((call, index) => {
      const thoughtSignature = signatures.get(index);
      const functionCall = { ...(rules.sendsCallIds && { id: call.id }), name: call.name, args: argumentsObject(call) };
      return thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature };
    }),
  ];
}

function needsSignatures(model: string): boolean {
  return (versionOf(model) ?? 3) >= 3;
}

function resultsFrom(messages: readonly Message[], start: number): readonly ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let message = messages[start]; message?.role === 'tool'; message = messages[start + results.length]) {
    results.push(message);
  }
  return results;
}

/** The results, and after them their pictures, because the API counts the results of a turn. */
function resultParts(
  results: readonly ToolMessage[],
  names: ReadonlyMap<string, string>,
  { sendsCallIds }: ServiceRules,
): readonly JsonValue[] {
  return [
    ...results.map(({ toolCallId: id, content, isError }) => {
      const response = isError ? { error: content } : { output: content };
      return { functionResponse: { ...(sendsCallIds && { id }), name: names.get(id) ?? id, response } };
    }),
    ...results.flatMap(pictureParts),
  ];
}

function pictureParts({ images = [] }: UserMessage | ToolMessage): readonly JsonObject[] {
  return images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));
}

/** The numbers that Google gives for the efforts of its OpenAI API. */
const BUDGETS: Readonly<Record<EffortLevel, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** The smallest budget of the Pro models, whose thinking cannot be turned off. */
const MIN_PRO_BUDGET = 128;

/** Models since 2.5 think: those of version 2 with a budget of tokens, later ones with a level. */
function thinkingParam(model: string, effort: EffortLevel | undefined): JsonObject {
  const version = versionOf(model);
  if (version === undefined || version < 2.5) return {};
  if (effort === undefined) return { thinkingConfig: { includeThoughts: true } };
  const isPro = /\bpro\b/.test(model);
  if (version < 3) {
    const thinkingBudget = isPro ? Math.max(BUDGETS[effort], MIN_PRO_BUDGET) : BUDGETS[effort];
    // A model whose thinking is off refuses to show it.
    return { thinkingConfig: { ...(thinkingBudget > 0 && { includeThoughts: true }), thinkingBudget } };
  }
  const lowest = isPro ? 'low' : 'minimal';
  return { thinkingConfig: { includeThoughts: true, thinkingLevel: effort === 'none' ? lowest : effort } };
}

/** The version in the name of a model, such as 2.5; `undefined` for other names. */
function versionOf(model: string): number | undefined {
  const [, version] = /^(?:models\/)?gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return version === undefined ? undefined : Number(version);
}
