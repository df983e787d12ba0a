import type {
  Conversation,
  ConversationMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../conversation/conversation.ts';
import { parseCallId } from '../conversation/ids.ts';
import { isResultText, resultsWithin } from './text-forms.ts';

/** The parts of a conversation that determine whether texts contain results. */
export type TextSource = Pick<Conversation, 'messages' | 'tools' | 'asides'>;

/** Decides whether a whole text after an answer is a result. */
export type IsResult = (text: string) => boolean;

type UserMessage = Extract<ConversationMessage, { role: 'user' }>;

/** The start of every opening tag; most texts do not contain it. */
const TAG_START = '<tool_res';
/** A tag right after a backtick is quoted, not used. */
const OPENING = /(?<!`)<(tool_resp|tool_response|tool_result)(\s[^<>]*)?>/g;
const CLOSING = /<\/(tool_resp|tool_response|tool_result|#[\w-]{0,64})>/g;
/** The mark of a tag `<tool_resp id="a" #>` or `#mark>`, which its closing tag repeats: the content may contain any tag. */
const MARK = /\s(#[\w-]{0,64})$/;
const ID = /\s(?:id|call_id|tool_call_id|tool_use_id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/;

const FAILED = /\s(?:is_error\s*=\s*["']?true|status\s*=\s*["']?error)\b/;

/** The id of a result whose tag has none. */
const NO_ID = '(no id)';

/**
 * Turns the tool results that clients send as texts of the user into result parts, with an assistant message before them
 * that made the calls: blocks such as `<tool_resp id="…">…</tool_resp>`, whole texts that `isResult` accepts after an
 * answer, system texts after an answer, and results within a prompt. Returns the messages unchanged if there are none: if
 * no answer precedes them, or if results are sent by the protocol itself. Pure, total, in linear time.
 */
export function readTextResults(
  { messages, tools, asides = NO_ASIDES }: TextSource,
  isResult: IsResult = isResultText,
): readonly ConversationMessage[] {
  const mayBe = ({ role, parts }: ConversationMessage) =>
    role === 'user' && parts.some((part) => part.type === 'text' && mayHoldResults(part.text, isResult));
  if (asides.length === 0 && !messages.some(mayBe)) return messages;
  if (messages.some(({ parts }) => parts.some(({ type }) => type !== 'text'))) return messages;
  const read: ConversationMessage[] = [];
  const usesTexts = tools.length === 0;
  let answer: ConversationMessage | undefined;
  let calls: ToolCallPart[] | undefined;
  let found = false;
  for (const message of usesTexts ? withAsides(messages, asides) : messages) {
    if (message.role === 'assistant') {
      answer = message;
      calls = undefined;
      read.push(message);
      continue;
    }
    const whole = answer === undefined ? undefined : readWhole(message, answer, isResult);
    const within = whole ?? (usesTexts ? readWithin(message) : undefined);
    if (within !== undefined) {
      // Several texts after one answer, such as those of several commands, are one result.
      if (calls === undefined || whole === undefined) for (const each of within) read.push(each);
      calls = [];
      found = true;
      continue;
    }
    const parts = message.parts.flatMap(splitPart);
    const results = parts.filter((part) => part.type === 'tool_result');
    // A shortened history may start with results, and a user may paste some: ids of this server tell them apart.
    const isExpected =
      (usesTexts && answer !== undefined) || results.some(({ callId }) => parseCallId(callId) !== undefined);
    if (results.length === 0 || !isExpected) {
      calls = undefined;
      read.push(message);
      continue;
    }
    found = true;
    if (calls === undefined) {
      calls = [];
      read.push({ role: 'assistant', index: message.index, parts: calls });
    }
    for (const { callId } of results) calls.push({ type: 'tool_call', id: callId, name: '', arguments: '' });
    read.push({ ...message, parts });
  }
  return found ? read : messages;
}

const NO_ASIDES: NonNullable<Conversation['asides']> = [];

/**
 * The messages with the system texts right after an answer, as texts of the user that are results. One after a prompt
 * is a reminder, as aider sends it.
 */
function withAsides(
  messages: readonly ConversationMessage[],
  asides: NonNullable<Conversation['asides']>,
): readonly ConversationMessage[] {
  const added = asides.map(
    ({ index, text }): ConversationMessage => ({ role: 'user', index, parts: [{ type: 'text', text: ASIDE + text }] }),
  );
  if (added.length === 0) return messages;
  let isAfterAnswer = false;
  return [...messages, ...added]
    .sort((one, other) => one.index - other.index)
    .filter((message) => {
      const isAside = added.includes(message);
      if (!isAside) isAfterAnswer = message.role === 'assistant';
      return !isAside || isAfterAnswer;
    });
}

/** Marks a system text. No text of a user begins with it. */
const ASIDE = '\u0000system\u0000';

/** A message that is a result as a whole: the calls of the answer before it, and a result of each. */
function readWhole(
  message: UserMessage,
  answer: ConversationMessage,
  isResult: IsResult,
): readonly ConversationMessage[] | undefined {
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (!text.startsWith(ASIDE) && !isResult(text)) return undefined;
  const said = answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  // smolagents writes the ids of native calls into the answer.
  const ids = [...new Set([...said.matchAll(OWN_ID)].map(([id]) => id))];
  return resultOf(message.index, ids.length === 0 ? [NO_ID] : ids, text.replace(ASIDE, ''));
}

/** A call with any id in a text. `parseCallId` finds those of this server. */
const OWN_ID = /\b[a-z]{4,6}_[\w-]{0,24}_[0-9a-f]{8}_\d{1,4}_\d{1,3}_[0-9a-f]{6}\b/g;

/** The calls and results within a prompt. */
function readWithin(message: UserMessage): readonly ConversationMessage[] | undefined {
  const [part, ...others] = message.parts;
  if (part?.type !== 'text' || others.length > 0) return undefined;
  const { prompt, results = [] } = resultsWithin(part.text) ?? {};
  if (prompt === undefined) return undefined;
  const { index } = message;
  return [
    { role: 'user', index, parts: [{ type: 'text', text: prompt }] },
    ...results.flatMap((result) => resultOf(index, [NO_ID], result)),
  ];
}

function resultOf(index: number, ids: readonly string[], content: string): readonly ConversationMessage[] {
  return [
    { role: 'assistant', index, parts: ids.map((id) => ({ type: 'tool_call', id, name: '', arguments: '' })) },
    { role: 'user', index, parts: ids.map((callId) => ({ type: 'tool_result', callId, content })) },
  ];
}

/** The messages of `readTextResults` without the results that it found in texts. */
export function textsAroundResults(read: readonly ConversationMessage[]): readonly ConversationMessage[] {
  return read.map(({ role, index, parts }) => ({ role, index, parts: parts.filter((part) => part.type === 'text') }));
}

function mayHoldResults(text: string, isResult: IsResult): boolean {
  return text.includes(TAG_START) || isResult(text) || resultsWithin(text) !== undefined;
}

function splitPart(part: UserMessage['parts'][number]): UserMessage['parts'] {
  return part.type === 'text' && part.text.includes(TAG_START) ? splitText(part.text) : [part];
}

function splitText(text: string): (TextPart | ToolResultPart)[] {
  const parts: (TextPart | ToolResultPart)[] = [];
  const closings = findClosings(text);
  let position = 0;
  const addText = (end: number) => {
    if (end > position) parts.push({ type: 'text', text: text.slice(position, end) });
  };
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of text.matchAll(OPENING)) {
    if (index < position) continue;
    const [, double, single, bare] = ID.exec(attributes) ?? [];
    const id = double ?? single ?? bare;
    if (!opensBlock(text, index, id)) continue;
    const start = index + tag.length;
    const kind = MARK.exec(attributes.trimEnd())?.[1] ?? name;
    const ends = closings.get(kind) ?? [];
    while (Number(ends.at(-1)) < start) ends.pop();
    const end = ends.pop();
    if (end === undefined) continue;
    addText(index);
    const content = text.slice(start, end).replace(/^\r?\n|\r?\n[ \t]*$/g, '');
    const isError = FAILED.test(attributes);
    parts.push({ type: 'tool_result', callId: id ?? NO_ID, content, ...(isError && { isError }) });
    position = end + `</${kind}>`.length;
  }
  addText(text.length);
  return parts;
}

/**
 * True if a tag is where clients put results rather than in the middle of a sentence: at the start of a line or after
 * another tag, or without an id at the start of the text. With an id of this server it is a result anywhere.
 */
function opensBlock(text: string, index: number, id: string | undefined): boolean {
  const space = id === undefined ? /\s/ : /[ \t]/;
  let before = index - 1;
  while (before >= 0 && space.test(text.charAt(before))) before--;
  const last = text.charAt(before);
  if (before < 0 || last === '>' || (id !== undefined && last === '\n')) return true;
  return id !== undefined && parseCallId(id) !== undefined;
}

/** The starts of the closing tags of each kind, last one first. */
function findClosings(text: string): Map<string, number[]> {
  const closings = new Map<string, number[]>();
  for (const { 1: kind = '', index } of [...text.matchAll(CLOSING)].reverse()) {
    const starts = closings.get(kind) ?? [];
    starts.push(index);
    closings.set(kind, starts);
  }
  return closings;
}
