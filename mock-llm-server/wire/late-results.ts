import type { ConversationMessage } from '../conversation/conversation.ts';
import type { UnpairedResults } from '../matching/pair-results.ts';

/**
 * Results that come late, for providers that take nothing between calls and results: a message stands between that the
 * matcher does not see, as a system text, a picture alone, or a text that the assistant adds. Nothing where a text of
 * the user stands between or a result is not there at all, as those are judged with the turns. Pure, in linear time.
 */
export function findLateResults(messages: readonly ConversationMessage[]): UnpairedResults | undefined {
  const open = new Set<string>();
  let late: readonly string[] = [];
  let asked = 0;
  let next = 0;
  for (const message of messages) {
    const { index, parts } = message;
    if (open.size > 0 && late.length === 0 && (index > next || isUnseen(message))) late = [...open];
    if (open.size > 0 && isUserText(message)) {
      open.clear();
      late = [];
    }
    // Messages that are not among those that were read leave a gap.
    next = index + 1;
    for (const part of parts) {
      if (part.type === 'tool_call') {
        if (open.size === 0) asked = index;
        open.add(part.id);
      } else if (part.type === 'tool_result') {
        open.delete(part.callId);
      }
    }
    if (late.length > 0 && open.size === 0) {
      return { type: 'unpaired_results', index: asked, missing: late, orphans: [], hint: undefined };
    }
  }
  return undefined;
}

/** An assistant message that says nothing stands for nothing. */
function isUnseen({ role, parts }: ConversationMessage): boolean {
  const hasText = parts.some(isText);
  return role === 'assistant'
    ? hasText && parts.every(({ type }) => type === 'text')
    : !hasText && !parts.some(isResult);
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

/** A tool call that waits for its result. `given`: its id came over the wire and was not made up while reading. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly given: boolean;
}

/**
 * Takes the call that a result answers out of `open`, for protocols whose results need not carry an id: the one with
 * the result's id, or else the first of its name. An id that no call has was made up by the client, so the name decides
 * then, but only among calls that came without an id.
 */
export function claimCall(
  open: OpenCall[],
  result: { readonly id: string | undefined; readonly name: string | undefined },
): OpenCall | undefined {
  const byId = open.findIndex((call) => call.id === result.id);
  const byName = open.findIndex((call) => call.name === result.name && (result.id === undefined || !call.given));
  const place = byId === -1 ? byName : byId;
  return place === -1 ? undefined : open.splice(place, 1)[0];
}
