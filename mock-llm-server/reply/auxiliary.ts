import type { Conversation, JsonObject } from '../conversation/conversation.ts';
import { jsonErrorOf } from '../conversation/json.ts';
import { type RequestFields, redactFirst } from '../journal/redact.ts';
import type { MatchOutcome } from '../matching/match.ts';
import { readTextResults, type TextSource } from '../matching/text-results.ts';
import type { Scenario } from '../scenario/prepare.ts';
import { MAX_TITLE_SOURCE, shortTitle } from '../text.ts';
import {
  type AuxiliaryPurpose,
  INSTRUCTION_WORD,
  purposeAnywhere,
  purposeAtStart,
  purposeForSmallModel,
} from './auxiliary-patterns.ts';
import { contentFor } from './expand-step.ts';
import { jsonFromSchema } from './json-from-schema.ts';

/** Answer to an auxiliary request: also one for JSON (`schema`), or one that checks the connection (`probe`). */
export interface AuxiliaryAnswer {
  readonly kind: AuxiliaryPurpose | 'schema' | 'probe';
  readonly content: string;
}

const PROBE = /^\s*(?:quota|ping|count|warmup|health ?check)[.!?]?\s*$/i;

/**
 * Answers an auxiliary request. Undefined for a request that a scenario or a miss answers: a matching scenario gives way
 * only if the request clearly asks for something else. `outcome` is the result of matching the request. The answer
 * contains no secret of `fields`, nor a part of one. Pure; await `loadJsonFromSchema` first if the request asks for JSON.
 */
export function answerAuxiliary(
  conversation: Conversation,
  outcome: MatchOutcome,
  fields: RequestFields = {},
): AuxiliaryAnswer | undefined {
  const scenario = 'scenario' in outcome ? outcome.scenario : undefined;
  if (scenario?.answersAuxiliary) return undefined;
  const { outputSchema, outputIsText = false, tools } = conversation;
  if (tools.length === 0 && outputSchema !== undefined) {
    const fits = outputIsText ? isOption : (content = '') => jsonErrorOf(content) === undefined;
    if (outcome.type === 'match' && fits(contentFor(outcome, conversation), outputSchema)) return undefined;
    const instance = jsonFromSchema(outputSchema, titleOf(conversation, fields));
    const content = outputIsText && typeof instance === 'string' ? instance : JSON.stringify(instance);
    return { kind: 'schema', content };
  }
  const purpose = findPurpose(conversation, scenario);
  if (purpose !== undefined) return answerPurpose(purpose, conversation, fields);
  return outcome.type === 'unmatched' ? answerUnmatched(conversation, fields) : undefined;
}

/** The kind of a request that no scenario answers, without its answer. Pure; needs no library. */
export function auxiliaryKind(conversation: Conversation): AuxiliaryAnswer['kind'] | undefined {
  const { tools, outputSchema } = conversation;
  if (tools.length === 0 && outputSchema !== undefined) return 'schema';
  return answerAuxiliary(conversation, { type: 'unmatched', texts: [] })?.kind;
}

/** Purpose of a request that clearly asks for something other than the answer of the matching scenario. */
function findPurpose(conversation: Conversation, scenario?: Scenario): AuxiliaryPurpose | undefined {
  const { system, model, tools, messages } = conversation;
  const hasTools = tools.length > 0;
  const [fromSystem] = system.flatMap(
    (text) => purposeAtStart(text, hasTools) ?? (hasTools ? undefined : purposeForSmallModel(text, model)) ?? [],
  );
  const instruction =
    fromSystem === undefined ? lastTexts(messages).find((text) => purposeAtStart(text, hasTools)) : undefined;
  const purpose = fromSystem ?? (instruction === undefined ? undefined : purposeAtStart(instruction, hasTools));
  if (purpose === undefined || scenario === undefined) return purpose;
  const answersInstruction =
    purposeAnywhere(scenario.trigger.text) !== undefined ||
    scenario.trigger.conditions.some(({ field, wanted }) => field === 'system' && INSTRUCTION_WORD.test(wanted)) ||
    (instruction !== undefined && isTriggeredBy(instruction, scenario, conversation));
  return answersInstruction ? undefined : purpose;
}

/** True if the trigger of a scenario matches the instruction, and no text that the instruction is about. */
function isTriggeredBy(instruction: string, { trigger }: Scenario, conversation: TextSource): boolean {
  if (!trigger.needsText) return false;
  const end = endOfInstruction(instruction);
  const matches = (text: string) => trigger.find(text, text.toLowerCase()) !== undefined;
  const others = userTextsIn(conversation).map((text) => (text === instruction ? text.slice(end) : text));
  return matches(instruction.slice(0, end)) && !others.some(matches);
}

function answerPurpose(kind: AuxiliaryPurpose, conversation: Conversation, fields: RequestFields): AuxiliaryAnswer {
  if (kind === 'background') return { kind, content: 'Nothing to do.' };
  const title = titleOf(conversation, fields);
  return { kind, content: kind === 'title' ? title : `Summary: ${title}` };
}

function answerUnmatched(conversation: Conversation, fields: RequestFields): AuxiliaryAnswer | undefined {
  const { protocol, system, messages, tools } = conversation;
  // Clients of Ollama send an empty conversation to have the model loaded.
  if (protocol === 'ollama' && system.length + messages.length === 0) return { kind: 'probe', content: '' };
  if (tools.length > 0) return undefined;
  const texts = lastTexts(messages);
  if (texts.some((text) => PROBE.test(text))) return { kind: 'probe', content: 'ok' };
  const [purpose] = [...system, ...texts].flatMap((text) => purposeAnywhere(text) ?? []);
  return purpose === undefined ? undefined : answerPurpose(purpose, conversation, fields);
}

/** Title of the last prompt, without the instruction to write one. Secrets are redacted before the text is cut. */
export function titleOf(conversation: TextSource, { secrets = [] }: RequestFields): string {
  const texts = userTextsIn(conversation);
  const prompt = texts.findLast((text) => purposeAnywhere(text) === undefined);
  if (prompt !== undefined) return shortTitle(redactFirst(prompt, MAX_TITLE_SOURCE, secrets));
  const instruction = texts.at(-1) ?? '';
  const clean = redactFirst(instruction, endOfInstruction(instruction) + MAX_TITLE_SOURCE, secrets);
  const rest = clean.slice(endOfInstruction(clean));
  return shortTitle(/[\p{L}\p{N}]/u.test(rest) ? rest : clean);
}

/** Index behind the first sentence or line, where the text begins that the instruction is about. */
function endOfInstruction(text: string): number {
  const end = text.search(/[:\n]|[.!?]\s/);
  return end === -1 ? text.length : end + 1;
}

function userTextsIn(conversation: TextSource): string[] {
  return readTextResults(conversation).flatMap((message) => (message.role === 'user' ? textsOf(message) : []));
}

/** Texts after the last answer. Clients send the instruction before or after the prompt and tool results. */
function lastTexts(messages: Conversation['messages']): string[] {
  const start = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(start + 1).flatMap(textsOf);
}

function textsOf({ parts }: Conversation['messages'][number]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}

/** Gemini asks for one text of an enumeration, and not for JSON, with `text/x.enum`. */
function isOption(content: string | undefined, schema: JsonObject): boolean {
  const options = schema['enum'];
  return content !== undefined && (!Array.isArray(options) || options.includes(content));
}
