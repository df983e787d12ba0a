import type { Conversation, JsonObject } from '../conversation/conversation.ts';
import { jsonErrorOf } from '../conversation/json.ts';
import { type RequestFields, redactFirst } from '../journal/redact.ts';
import type { MatchOutcome } from '../matching/match.ts';
import { readTextResults, type Said } from '../matching/text-results.ts';
import type { Scenario } from '../scenario/prepare.ts';
import { MAX_TITLE_SOURCE, shortTitle } from '../text.ts';
import { type AskKind, askAnywhere, askAtStart, askOfSmallModel, hasAskWord } from './auxiliary-patterns.ts';
import { contentFor } from './expand-step.ts';
import { jsonFromSchema } from './json-from-schema.ts';

/**
 * A request that an agent makes beside its work. `schema`: it wants JSON; `probe`: it tries whether anybody answers, or
 * has the model loaded; `background`: another agent that looks after the session.
 */
export interface AuxiliaryAnswer {
  readonly kind: AskKind | 'schema' | 'probe';
  readonly content: string;
}

const PROBE = /^\s*(?:quota|ping|count|warmup|health ?check)[.!?]?\s*$/i;
const BACKGROUND_ANSWER = 'Nothing to do.';

/**
 * Recognises a request that belongs to no story, and answers it. Nothing for one that a scenario or a miss answers: a
 * scenario that matches is put aside only where the request clearly asks for something else. `outcome` is what the
 * matcher says about the request. There is no key of `fields` in the answer, nor a part of one. Pure.
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
    const fits = outputIsText ? isOption : isJson;
    if (outcome.type === 'match' && fits(contentFor(outcome, conversation), outputSchema)) return undefined;
    const instance = jsonFromSchema(outputSchema, titleOf(conversation, fields));
    return { kind: 'schema', content: outputIsText ? String(instance) : JSON.stringify(instance) };
  }
  const ask = findAsk(conversation, scenario);
  if (ask !== undefined) return write(ask, conversation, fields);
  return outcome.type === 'unmatched' ? answerUnmatched(conversation, fields) : undefined;
}

/** What a request clearly asks for, and the scenario does not answer. */
function findAsk(conversation: Conversation, scenario?: Scenario): AskKind | undefined {
  const { system, model, tools, messages } = conversation;
  const hasTools = tools.length > 0;
  const fromSystem = system.flatMap(
    (text) => askAtStart(text, hasTools) ?? (hasTools ? undefined : askOfSmallModel(text, model)) ?? [],
  );
  const asking = fromSystem.length > 0 ? undefined : lastTexts(messages).find((text) => askAtStart(text, hasTools));
  const ask = fromSystem[0] ?? (asking === undefined ? undefined : askAtStart(asking, hasTools));
  if (ask === undefined || scenario === undefined) return ask;
  const isAbout =
    askAnywhere(scenario.trigger.text) !== undefined ||
    scenario.trigger.conditions.some(({ field, wanted }) => field === 'system' && hasAskWord(wanted)) ||
    startsAt(asking, scenario, conversation);
  return isAbout ? undefined : ask;
}

/**
 * Whether a scenario is meant for the instruction: its trigger is there, and nowhere in what the instruction is about.
 */
function startsAt(asking: string | undefined, { trigger }: Scenario, said: Said): boolean {
  if (asking === undefined || !trigger.needsText) return false;
  const end = endOfInstruction(asking);
  const isIn = (text: string) => trigger.find(text, text.toLowerCase()) !== undefined;
  const others = userTextsIn(said).map((text) => (text === asking ? text.slice(end) : text));
  return isIn(asking.slice(0, end)) && !others.some(isIn);
}

function write(ask: AskKind, conversation: Conversation, fields: RequestFields): AuxiliaryAnswer {
  switch (ask) {
    case 'title':
      return { kind: ask, content: titleOf(conversation, fields) };
    case 'summary':
      return { kind: ask, content: `Summary: ${titleOf(conversation, fields)}` };
    case 'background':
      return { kind: ask, content: BACKGROUND_ANSWER };
    default:
      return ask satisfies never;
  }
}

function answerUnmatched(conversation: Conversation, fields: RequestFields): AuxiliaryAnswer | undefined {
  if (loadsModel(conversation)) return { kind: 'probe', content: '' };
  if (conversation.tools.length > 0) return undefined;
  const texts = lastTexts(conversation.messages);
  if (texts.some((text) => PROBE.test(text))) return { kind: 'probe', content: 'ok' };
  const [ask] = [...conversation.system, ...texts].flatMap((text) => askAnywhere(text) ?? []);
  return ask === undefined ? undefined : write(ask, conversation, fields);
}

/** Ollama's clients say nothing to have a model loaded. */
function loadsModel({ protocol, system, messages }: Conversation): boolean {
  return protocol === 'ollama' && system.length === 0 && messages.length === 0;
}

/** A title for the last thing the user wants, without the words that ask for a title. Keys are gone before it is cut. */
function titleOf(said: Said, { secrets = [] }: RequestFields): string {
  const texts = userTextsIn(said);
  const own = texts.findLast((text) => askAnywhere(text) === undefined);
  const text = own ?? texts.at(-1) ?? '';
  const start = own === undefined ? endOfInstruction(text) : 0;
  const clean = redactFirst(text, start + MAX_TITLE_SOURCE, secrets);
  return shortTitle(own === undefined ? afterInstruction(clean) : clean);
}

function afterInstruction(text: string): string {
  const rest = text.slice(endOfInstruction(text));
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** Where what an instruction is about begins. */
function endOfInstruction(text: string): number {
  const end = text.search(/[:\n]|[.!?]\s/);
  return end === -1 ? text.length : end + 1;
}

function userTextsIn(said: Said): string[] {
  return readTextResults(said).flatMap((message) => (message.role === 'user' ? textsOf(message) : []));
}

/** The texts after the last answer; clients send instruction and prompt one by one, and put either behind results. */
function lastTexts(messages: Conversation['messages']): string[] {
  const start = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(start + 1).flatMap(textsOf);
}

function textsOf({ parts }: Conversation['messages'][number]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}

function isJson(content = ''): boolean {
  return jsonErrorOf(content) === undefined;
}

/** Gemini asks for one text of an enumeration, and not for JSON, with `text/x.enum`. */
function isOption(content: string | undefined, schema: JsonObject): boolean {
  const options = schema['enum'];
  return content !== undefined && (!Array.isArray(options) || options.includes(content));
}
