import type { ToolCallPart, ToolResultPart } from '../conversation/conversation.ts';
import type { Turn } from './turns.ts';

/**
 * Tool calls and results that do not belong together. `missing`: calls that have no result where one has to be.
 * `orphans`: results that answer no call. `index` is the place of the message at fault.
 */
export interface UnpairedResults {
  readonly type: 'unpaired_results';
  readonly index: number;
  readonly missing: readonly string[];
  readonly orphans: readonly string[];
  /** What a person needs to know beside the provider's own words. */
  readonly hint: string | undefined;
}

/**
 * How a provider wants tool results to go with their calls. `right_after`: one for each call of an assistant message,
 * before anything else is said. `by_call_id`: at least one for each call, anywhere. `none`: it does not look.
 */
export type PairingRule = 'right_after' | 'by_call_id' | 'none';

/** Turns whose results are where the matcher looks for them. */
export interface PairedResults {
  readonly type: 'paired';
  readonly turns: readonly Turn[];
}

/**
 * Judges the turns by the rule of a provider. Gives the first fault, or else the turns with every result right behind
 * the call it answers, one for each. Pure, in linear time.
 */
export function pairResults(turns: readonly Turn[], rule: PairingRule): PairedResults | UnpairedResults {
  const misplaced = findMisplaced(turns);
  if (misplaced === undefined) return { type: 'paired', turns };
  switch (rule) {
    case 'right_after':
      return misplaced;
    case 'by_call_id':
      return findUnknown(turns) ?? arrange(turns);
    case 'none':
      return arrange(turns);
    default:
      return rule satisfies never;
  }
}

/**
 * Puts each result behind the last call before it that has its id, and drops those whose calls have one already.
 * Results of no call stay where they are.
 */
function arrange(turns: readonly Turn[]): PairedResults {
  const places: Turn[][] = [];
  const waiting = new Map<string, Turn[][]>();
  for (const turn of turns) {
    const place: Turn[] = [];
    places.push(place);
    if (turn.type === 'tool_results') {
      for (const result of turn.results) {
        const ofId = waiting.get(result.callId);
        const target = ofId === undefined ? place : ofId.pop();
        target?.push({ ...turn, results: [result] });
      }
      continue;
    }
    place.push(turn);
    for (const { id } of turn.type === 'assistant' ? turn.calls : []) {
      const ofId = waiting.get(id);
      if (ofId === undefined) waiting.set(id, [place]);
      else ofId.push(place);
    }
  }
  return { type: 'paired', turns: places.flat() };
}

/** Calls of no result and results of no call, wherever they stand. */
function findUnknown(turns: readonly Turn[]): UnpairedResults | undefined {
  const called = new Map<string, number>();
  const answered = new Map<string, number>();
  for (const turn of turns) {
    if (turn.type === 'assistant') for (const { id } of turn.calls) called.set(id, called.get(id) ?? turn.index);
    if (turn.type !== 'tool_results') continue;
    for (const { callId } of turn.results) answered.set(callId, answered.get(callId) ?? turn.index);
  }
  const missing = [...called].filter(([id]) => !answered.has(id));
  const orphans = [...answered].filter(([id]) => !called.has(id));
  const [first] = [...missing, ...orphans];
  if (first === undefined) return undefined;
  const idsOf = (list: typeof missing) => list.map(([id]) => id);
  return {
    type: 'unpaired_results',
    index: first[1],
    missing: idsOf(missing),
    orphans: idsOf(orphans),
    hint: undefined,
  };
}

/** Judges every assistant message on its own: each has one result for each of its calls right after it. */
function findMisplaced(turns: readonly Turn[]): UnpairedResults | undefined {
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
  const open = turn.type === 'assistant' ? countIds(turn.calls) : new Map<string, number>();
  const orphans: { readonly id: string; readonly index: number }[] = [];
  for (let position = from; ; position++) {
    const next = turns[position];
    if (next?.type !== 'tool_results') break;
    for (const { callId } of next.results) {
      const count = open.get(callId);
      if (count === undefined) orphans.push({ id: callId, index: next.index });
      else if (count === 1) open.delete(callId);
      else open.set(callId, count - 1);
    }
  }
  if (open.size === 0 && orphans.length === 0) return undefined;
  const missing = [...open].flatMap(([id, count]) => Array.from({ length: count }, () => id));
  const index = missing.length > 0 ? turn.index : (orphans[0]?.index ?? turn.index);
  return { type: 'unpaired_results', index, missing, orphans: orphans.map(({ id }) => id), hint: undefined };
}

function countIds(calls: readonly { readonly id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of calls) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * What became of the calls of these turns, in the order in which they were called: clients may send the results of one
 * answer in any order. A call without a result stands for itself; a result of no call stands where it came. Pure, in
 * linear time.
 */
export function resultsByCall(turns: readonly Turn[]): (ToolResultPart | ToolCallPart)[] {
  const places: (ToolResultPart | ToolCallPart)[] = [];
  const waiting = new Map<string, number[]>();
  for (const turn of turns) {
    if (turn.type === 'assistant') {
      const first = places.length;
      for (const call of turn.calls) places.push(call);
      waiting.clear();
      for (const [call, { id }] of [...turn.calls.entries()].reverse()) {
        const ofId = waiting.get(id);
        if (ofId === undefined) waiting.set(id, [first + call]);
        else ofId.push(first + call);
      }
    }
    for (const result of turn.type === 'tool_results' ? turn.results : []) {
      places[waiting.get(result.callId)?.pop() ?? places.length] = result;
    }
  }
  return places;
}
