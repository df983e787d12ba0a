import type {
  Conversation,
  ConversationMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../conversation/conversation.ts';
import { parseCallId } from '../conversation/ids.ts';

/** What tells whether a text holds results. */
export type Said = Pick<Conversation, 'messages' | 'tools'>;

type UserMessage = Extract<ConversationMessage, { role: 'user' }>;

/** What every opening tag begins with; most texts are done after looking for it. */
const BEGINNING = '<tool_res';
/** A tag right behind a backtick is spoken of. */
const OPENING = /(?<!`)<(tool_resp|tool_response|tool_result)(\s[^<>]*)?>/g;
const CLOSING = /<\/(tool_resp|tool_response|tool_result|#[\w-]{0,64})>/g;
/** Closes a tag `<tool_resp id="a" #>` or `#mark>`, so that the content may hold any other tag. */
const MARK = /\s(#[\w-]{0,64})$/;
const ID = /\s(?:id|call_id|tool_call_id|tool_use_id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/;

const FAILED = /\s(?:is_error\s*=\s*["']?true|status\s*=\s*["']?error)\b/;

/** What a result is called whose tag has no id. */
const NO_ID = '(no id)';

/**
 * Finds the tool results that a text protocol carries in texts of the user, `<tool_resp id="…">…</tool_resp>` and its
 * kin, and makes of them what other protocols have: result parts, and before them an assistant message that made the
 * calls. Gives back the messages as they are where there are none: where nothing was asked before, and where tools are
 * offered or called by the protocol itself. Pure, total, in linear time.
 */
export function readTextResults({ messages, tools }: Said): readonly ConversationMessage[] {
  if (!messages.some(mayHoldResults) || messages.some(hasProtocolParts)) return messages;
  const read: ConversationMessage[] = [];
  const usesTexts = tools.length === 0;
  let isAnswered = false;
  let calls: ToolCallPart[] | undefined;
  let found = false;
  for (const message of messages) {
    isAnswered ||= usesTexts && message.role === 'assistant';
    const parts = message.role === 'user' ? message.parts.flatMap(splitPart) : [];
    const results = parts.filter((part) => part.type === 'tool_result');
    // A shortened history may begin with results, and whoever offers tools may paste some: ids of this server tell.
    const isAsked = isAnswered || results.some(({ callId }) => parseCallId(callId) !== undefined);
    if (message.role === 'assistant' || results.length === 0 || !isAsked) {
      calls = undefined;
      read.push(message);
      continue;
    }
    found = true;
    if (calls === undefined) {
      calls = [];
      read.push({ role: 'assistant', index: message.index, parts: calls });
    }
    calls.push(...results.map(({ callId }) => ({ type: 'tool_call' as const, id: callId, name: '', arguments: '' })));
    read.push({ ...message, parts });
  }
  return found ? read : messages;
}

/** What is said around the results that texts hold: `read` is what `readTextResults` made of messages. */
export function textsAroundResults(read: readonly ConversationMessage[]): readonly ConversationMessage[] {
  return read.map(({ role, index, parts }) => ({ role, index, parts: parts.filter((part) => part.type === 'text') }));
}

function mayHoldResults({ role, parts }: ConversationMessage): boolean {
  return role === 'user' && parts.some((part) => part.type === 'text' && part.text.includes(BEGINNING));
}

function hasProtocolParts({ parts }: ConversationMessage): boolean {
  return parts.some(({ type }) => type !== 'text');
}

function splitPart(part: UserMessage['parts'][number]): UserMessage['parts'] {
  return part.type === 'text' && part.text.includes(BEGINNING) ? splitText(part.text) : [part];
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
    const closing = takeClosing(closings, MARK.exec(attributes.trimEnd())?.[1] ?? name, start);
    if (closing === undefined) continue;
    addText(index);
    const content = text
      .slice(start, closing.start)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n[ \t]*$/, '');
    const isError = FAILED.test(attributes);
    parts.push({
      type: 'tool_result',
      callId: id ?? NO_ID,
      content,
      ...(isError && { isError }),
    });
    position = closing.end;
  }
  addText(text.length);
  return parts;
}

/**
 * Whether a tag stands where clients put results and not in the middle of what a person says: at the start of a line or
 * behind another tag, and without an id at the start of the text. Ids of this server are results anywhere.
 */
function opensBlock(text: string, index: number, id: string | undefined): boolean {
  const space = id === undefined ? /\s/ : /[ \t]/;
  let before = index - 1;
  while (before >= 0 && space.test(text.charAt(before))) before--;
  const last = text.charAt(before);
  if (before < 0 || last === '>' || (id !== undefined && last === '\n')) return true;
  return id !== undefined && parseCallId(id) !== undefined;
}

interface Closing {
  readonly start: number;
  readonly end: number;
}

/** The closing tags of each kind, the last one first. */
function findClosings(text: string): Map<string, Closing[]> {
  const closings = new Map<string, Closing[]>();
  for (const { 0: tag, 1: kind = '', index } of [...text.matchAll(CLOSING)].reverse()) {
    const ofKind = closings.get(kind) ?? [];
    ofKind.push({ start: index, end: index + tag.length });
    closings.set(kind, ofKind);
  }
  return closings;
}

/** The first closing tag from `start` on; those before it are of no more use. */
function takeClosing(closings: Map<string, Closing[]>, kind: string, start: number): Closing | undefined {
  const ofKind = closings.get(kind) ?? [];
  while (true) {
    const closing = ofKind.pop();
    if (closing === undefined || closing.start >= start) return closing;
  }
}
