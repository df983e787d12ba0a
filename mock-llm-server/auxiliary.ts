import type { Conversation } from './conversation.ts';
import type { MatchOutcome } from './match.ts';
import { instanceOfSchema } from './schema-instance.ts';
import { shortTitle } from './short-title.ts';
import { readTextResults } from './text-results.ts';

/**
 * A request that an agent makes beside its work. `schema`: it wants JSON; `probe`: it tries whether anybody answers, or
 * has the model loaded; `background`: another agent that looks after the session.
 */
export interface AuxiliaryAnswer {
  readonly kind: 'schema' | 'title' | 'summary' | 'probe' | 'background';
  readonly content: string;
}

/** Instructions stand at the beginning; what comes later may be a whole conversation. */
const HEAD_LENGTH = 600;

const SUBJECT = '(?:conversation|session|thread|chat|dialogue?|first message|discussion)';
const ASKS: readonly (readonly ['title' | 'summary', RegExp])[] = [
  ['title', /\btitle generator\b|\bnew conversation topic\b/i],
  ['title', new RegExp(`\\b(?:title|name)\\b[^.\\n]{0,120}\\b${SUBJECT}`, 'i')],
  ['title', new RegExp(`\\b${SUBJECT} (?:title|name)\\b`, 'i')],
  ['summary', new RegExp(`\\bsummar(?:y|i[sz](?:e|es|ing))\\b[^.\\n]{0,80}\\b${SUBJECT}`, 'i')],
  ['summary', /\bcompact(?:ion|ing)? (?:of )?(?:this|the) (?:conversation|session)\b/i],
];
const ASKS_SMALL_MODEL = /\b(?:title|topic|summar(?:y|i[sz]e))\b/i;
const SMALL_MODEL = /haiku|mini(?!max)|flash-lite|nano/i;
const PROBE = /^\s*(?:quota|ping|count|health ?check)[.!?]?\s*$/i;
const BACKGROUND =
  /\bmemory[ -](?:extraction|extractor|consolidation|manager|maintenance)|\bextract\w*\b[^.\n]{0,60}\bmemor(?:y|ies)\b|\bsuggestion mode\b|\bcreate a detailed summary of\b/i;

/**
 * Recognises a request that belongs to no story, and answers it. Nothing for one that a scenario or a miss answers.
 * `outcome` is what the matcher says about the request. Pure.
 */
export function answerAuxiliary(conversation: Conversation, outcome: MatchOutcome): AuxiliaryAnswer | undefined {
  const scenario = outcome.type === 'match' ? outcome.scenario : undefined;
  if (scenario?.answersAuxiliary) return undefined;
  const { outputSchema, tools } = conversation;
  if (tools.length === 0 && outputSchema !== undefined) {
    if (outcome.type === 'match' && isJson(outcome.step.content)) return undefined;
    return { kind: 'schema', content: JSON.stringify(instanceOfSchema(outputSchema, titleOf(conversation))) };
  }
  if (tools.length === 0 && (scenario === undefined || askedFor(scenario.trigger.text) === undefined)) {
    const asked = askedIn(conversation);
    if (asked !== undefined) return writeText(asked, conversation);
  }
  return outcome.type === 'match' ? undefined : answerUnmatched(conversation);
}

function answerUnmatched(conversation: Conversation): AuxiliaryAnswer | undefined {
  if (loadsModel(conversation)) return { kind: 'probe', content: '' };
  const last = userTexts(conversation).at(-1) ?? '';
  if (conversation.tools.length === 0 && PROBE.test(last)) return { kind: 'probe', content: 'ok' };
  const isBackground = [...conversation.system, last].some((text) => BACKGROUND.test(headOf(text)));
  return isBackground ? { kind: 'background', content: 'Nothing to do.' } : undefined;
}

/** Ollama's clients say nothing to have a model loaded. */
function loadsModel({ protocol, system, messages }: Conversation): boolean {
  return protocol === 'ollama' && system.length === 0 && messages.length === 0;
}

function writeText(kind: 'title' | 'summary', conversation: Conversation): AuxiliaryAnswer {
  const title = titleOf(conversation);
  return { kind, content: kind === 'title' ? title : `Summary: ${title}` };
}

function askedIn(conversation: Conversation): 'title' | 'summary' | undefined {
  const { system, model } = conversation;
  for (const text of [...system, ...lastUserTexts(conversation)]) {
    const asked = askedFor(text);
    if (asked !== undefined) return asked;
  }
  const isSmall = SMALL_MODEL.test(model) && system.some((text) => ASKS_SMALL_MODEL.test(headOf(text)));
  return isSmall ? 'title' : undefined;
}

function askedFor(text: string): 'title' | 'summary' | undefined {
  return ASKS.find(([, pattern]) => pattern.test(headOf(text)))?.[0];
}

/** A title for the last thing the user wants, without the words that ask for a title. */
function titleOf(conversation: Conversation): string {
  const texts = userTexts(conversation);
  const own = texts.filter((text) => askedFor(text) === undefined);
  return shortTitle(own.at(-1) ?? afterInstruction(texts.at(-1) ?? ''));
}

function afterInstruction(text: string): string {
  const end = text.search(/[:\n]/);
  const rest = end === -1 ? '' : text.slice(end + 1);
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

function userTexts({ messages }: Conversation): string[] {
  return readTextResults(messages).flatMap((message) => (message.role === 'user' ? textsOf(message) : []));
}

/** The texts of the last messages that are all the user's; clients send instruction and prompt one by one. */
function lastUserTexts({ messages }: Conversation): string[] {
  const read = readTextResults(messages);
  const start = read.findLastIndex((message) => message.role === 'assistant');
  return read.slice(start + 1).flatMap(textsOf);
}

function textsOf({ parts }: Conversation['messages'][number]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}

function headOf(text: string): string {
  return text.slice(0, HEAD_LENGTH);
}

function isJson(content: string | undefined): boolean {
  try {
    JSON.parse(content ?? '');
    return true;
  } catch {
    return false;
  }
}
