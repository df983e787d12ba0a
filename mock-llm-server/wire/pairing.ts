import type { Conversation, ToolCallPart } from '../conversation/conversation.ts';
import type { UnpairedResults } from '../matching/pair-results.ts';
import type { WireError } from './wire.ts';

/** The sentences of a provider about unpaired results, followed by the hint. The ids are joined with commas. */
export function describeUnpaired(
  { missing, orphans, hint }: UnpairedResults,
  words: { readonly missing: (ids: string) => string; readonly orphans: (ids: string) => string },
): string[] {
  return [
    ...(missing.length > 0 ? [words.missing(missing.join(', '))] : []),
    ...(orphans.length > 0 ? [words.orphans(orphans.join(', '))] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
}

/**
 * The errors of a provider that allows nothing between calls and results, not even what matching ignores: a system text,
 * an image alone, or a text that the assistant adds. Texts of the user and absent results are left to matching.
 */
export function lintLateResults(
  { messages }: Conversation,
  describe: (late: UnpairedResults) => WireError,
): readonly WireError[] {
  const open = new Set<string>();
  let late: readonly string[] = [];
  let callIndex = 0;
  let nextIndex = 0;
  for (const { role, index, parts } of messages) {
    const hasResult = parts.some(({ type }) => type === 'tool_result');
    const hasText = parts.some((part) => part.type === 'text' && /\S/.test(part.text));
    if (role === 'user' && hasText && !hasResult) {
      open.clear();
      late = [];
    }
    // A message that was not read leaves a gap among the indexes.
    const isBetween = role === 'user' ? !hasResult : hasText && parts.every(({ type }) => type === 'text');
    if (late.length === 0 && (isBetween || index > nextIndex)) late = [...open];
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
      return [describe({ type: 'unpaired_results', index: callIndex, missing: late, orphans: [] })];
    }
  }
  return [];
}

/** A tool call that waits for its result. */
export type OpenCall = Pick<ToolCallPart, 'id' | 'name'>;

/**
 * Removes the call that a result answers from `open`, for protocols whose results need no id: the call with the result's
 * id, or else the first of its name, because clients invent ids that no call has.
 */
export function claimCall(
  open: OpenCall[],
  { id, name }: { readonly id: string | undefined; readonly name: string | undefined },
): OpenCall | undefined {
  const byId = open.findIndex((call) => call.id === id);
  const index = byId === -1 ? open.findIndex((call) => call.name === name) : byId;
  return index === -1 ? undefined : open.splice(index, 1)[0];
}
