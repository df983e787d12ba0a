import type { Turn } from './current-run.ts';

/**
 * Tool calls and results that do not belong together. `missing`: calls of the assistant message that have no result
 * right after it. `orphans`: results that answer no call of it. `index` is the place of the message at fault.
 */
export interface UnpairedResults {
  readonly type: 'unpaired_results';
  readonly index: number;
  readonly missing: readonly string[];
  readonly orphans: readonly string[];
  /** What a person needs to know beside the provider's own words. */
  readonly hint: string | undefined;
}

/** Judges every assistant message on its own, as providers do, and returns the first fault. */
export function findUnpairedResults(turns: readonly Turn[]): UnpairedResults | undefined {
  for (const [position, turn] of turns.entries()) {
    if (turn.type === 'user_texts') continue;
    const previous = turns[position - 1]?.type;
    if (turn.type === 'tool_results' && previous !== undefined && previous !== 'user_texts') continue;
    const fault = judge(turn, turns, turn.type === 'assistant' ? position + 1 : position);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A second result for the same call answers nothing, so it is an orphan too. */
function judge(turn: Turn, turns: readonly Turn[], from: number): UnpairedResults | undefined {
  const missing = turn.type === 'assistant' ? turn.calls.map((call) => call.id) : [];
  const orphans: { readonly id: string; readonly index: number }[] = [];
  for (let position = from; ; position++) {
    const next = turns[position];
    if (next?.type !== 'tool_results') break;
    for (const { callId } of next.results) {
      const place = missing.indexOf(callId);
      if (place === -1) orphans.push({ id: callId, index: next.index });
      else missing.splice(place, 1);
    }
  }
  if (missing.length === 0 && orphans.length === 0) return undefined;
  const index = missing.length > 0 ? turn.index : (orphans[0]?.index ?? turn.index);
  return { type: 'unpaired_results', index, missing, orphans: orphans.map(({ id }) => id), hint: undefined };
}
