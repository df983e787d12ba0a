import type {
  Conversation,
  ConversationMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../conversation/conversation.ts';
import { parseCallId } from '../conversation/ids.ts';

/** The parts of a conversation that determine whether texts contain results. */
export type TextSource = Pick<Conversation, 'messages' | 'tools'>;

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
 * Turns the tool results that clients send as texts of the user, such as `<tool_resp id="…">…</tool_resp>`, into result
 * parts, with an assistant message before them that made the calls. Returns the messages unchanged if there are none:
 * if no answer precedes them, or if tools are offered or called by the protocol itself. Pure, total, in linear time.
 */
export function readTextResults({ messages, tools }: TextSource): readonly ConversationMessage[] {
  if (!messages.some(mayHoldResults)) return messages;
  if (messages.some(({ parts }) => parts.some(({ type }) => type !== 'text'))) return messages;
  const read: ConversationMessage[] = [];
  const usesTexts = tools.length === 0;
  let isAnswered = false;
  let calls: ToolCallPart[] | undefined;
  let found = false;
  for (const message of messages) {
    isAnswered ||= usesTexts && message.role === 'assistant';
    const parts = message.role === 'user' ? message.parts.flatMap(splitPart) : [];
    const results = parts.filter((part) => part.type === 'tool_result');
    // A shortened history may start with results, and a user may paste some: ids of this server tell them apart.
    const isExpected = isAnswered || results.some(({ callId }) => parseCallId(callId) !== undefined);
    if (message.role === 'assistant' || results.length === 0 || !isExpected) {
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

/** The messages of `readTextResults` without the results that it found in texts. */
export function textsAroundResults(read: readonly ConversationMessage[]): readonly ConversationMessage[] {
  return read.map(({ role, index, parts }) => ({ role, index, parts: parts.filter((part) => part.type === 'text') }));
}

function mayHoldResults({ role, parts }: ConversationMessage): boolean {
  return role === 'user' && parts.some((part) => part.type === 'text' && part.text.includes(TAG_START));
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
