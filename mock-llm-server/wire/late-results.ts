import type { Conversation, ConversationMessage } from '../conversation/conversation.ts';
import type { UnpairedResults } from '../matching/pair-results.ts';
import type { WireError } from './wire.ts';

/** Sentences about unpaired results in a provider's words, followed by the hint. The ids are joined with commas. */
export function describeUnpaired(
  { missing, orphans, hint }: Pick<UnpairedResults, 'missing' | 'orphans' | 'hint'>,
  words: { readonly missing: (ids: string) => string; readonly orphans: (ids: string) => string },
): string[] {
  return [
    ...(missing.length > 0 ? [words.missing(missing.join(', '))] : []),
    ...(orphans.length > 0 ? [words.orphans(orphans.join(', '))] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
}

/** The errors for late results, which `describe` puts into the provider's words. */
export function lintLateResults(
  { messages }: Conversation,
  describe: (late: UnpairedResults) => WireError,
): readonly WireError[] {
  const late = findLateResults(messages);
  return late === undefined ? [] : [describe(late)];
}

/**
 * Finds results that come late, for providers that allow nothing between calls and results: in between is a message
 * that matching ignores, such as a system text, an image alone, or a text that the assistant adds. Undefined where a
 * text of the user is in between or a result is absent, because matching checks these with the turns. Linear time.
 */
function findLateResults(messages: readonly ConversationMessage[]): UnpairedResults | undefined {
  const open = new Set<string>();
  let late: readonly string[] = [];
  let callIndex = 0;
  let nextIndex = 0;
  for (const message of messages) {
    const { index, parts } = message;
    if (open.size > 0 && late.length === 0 && (index > nextIndex || isIgnored(message))) late = [...open];
    if (open.size > 0 && isUserText(message)) {
      open.clear();
      late = [];
    }
    // A message that was not read leaves a gap among the indexes.
    nextIndex = index + 1;
    for (const part of parts) {
      if (part.type === 'tool_call') {
        if (open.size === 0) callIndex = index;
        open.add(part.id);
      } else if (part.type === 'tool_result') {
        open.delete(part.callId);
      }
    }
    if (late.length > 0 && open.size === 0) {
      return { type: 'unpaired_results', index: callIndex, missing: late, orphans: [], hint: undefined };
    }
  }
  return undefined;
}

function isIgnored({ role, parts }: ConversationMessage): boolean {
  const hasText = parts.some(isText);
  // An empty message of the assistant does not separate calls from results.
  if (role === 'assistant') return hasText && parts.every(({ type }) => type === 'text');
  return !hasText && !parts.some(isResult);
}

function isUserText({ role, parts }: ConversationMessage): boolean {
  return role === 'user' && parts.some(isText) && !parts.some(isResult);
}

type Part = ConversationMessage['parts'][number];

function isText(part: Part): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}

function isResult({ type }: Part): boolean {
  return type === 'tool_result';
}

/** A tool call that waits for its result. `hasOwnId`: the client sent its id. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly hasOwnId: boolean;
}

/**
 * Removes the call that a result answers from `open`, for protocols whose results need no id: the call with the
 * result's id, or else the first of its name. The client invented an id that no call has; then the name decides, but
 * only among calls that came without an id.
 */
export function claimCall(
  open: OpenCall[],
  result: { readonly id: string | undefined; readonly name: string | undefined },
): OpenCall | undefined {
  const byId = open.findIndex((call) => call.id === result.id);
  const byName = open.findIndex((call) => call.name === result.name && (result.id === undefined || !call.hasOwnId));
  const index = byId === -1 ? byName : byId;
  return index === -1 ? undefined : open.splice(index, 1)[0];
}
