import type { ToolCallPart, ToolResultPart } from '../conversation/conversation.ts';
import type { Turn } from './turns.ts';

/**
 * Tool calls and results that do not belong together. `missing`: calls without a result where one is required.
 * `orphans`: results of no call. `index` is the position of the message at fault.
 */
export interface UnpairedResults {
  readonly type: 'unpaired_results';
  readonly index: number;
  readonly missing: readonly string[];
  readonly orphans: readonly string[];
  /** The results follow a message with calls, to which they do not belong. */
  readonly afterCalls?: boolean;
  /** An explanation beside the provider's error message. */
  readonly hint?: string | undefined;
}

/**
 * The required place of tool results: `right_after` demands one per call right after its message, `right_after_or_none`
 * the same unless the user goes on without any, `by_call_id` at least one anywhere, and `none` nothing.
 */
export type PairingRule = 'right_after' | 'right_after_or_none' | 'by_call_id' | 'none';

/** Turns in which each result follows its call. */
type PairedResults = { readonly type: 'paired'; readonly turns: readonly Turn[] };

/** Checks turns by a rule. Returns the first fault, or the turns with each result after its call. Linear time. */
export function pairResults(turns: readonly Turn[], rule: PairingRule): PairedResults | UnpairedResults {
  const misplaced = findMisplaced(turns, rule);
  if (misplaced === undefined) return { type: 'paired', turns };
  if (rule === 'right_after' || rule === 'right_after_or_none') return misplaced;
  const unknown = rule === 'by_call_id' ? findUnknown(turns) : undefined;
  return unknown ?? arrange(turns);
}

/** Moves each result behind the last call before it with its id. Drops further ones; those of no call stay in place. */
function arrange(turns: readonly Turn[]): PairedResults {
  const groups: Turn[][] = [];
  const waiting = new Map<string, Turn[][]>();
  for (const turn of turns) {
    const group: Turn[] = [];
    groups.push(group);
    if (turn.type === 'tool_results') {
      for (const result of turn.results) {
        const ofId = waiting.get(result.callId);
        const target = ofId === undefined ? group : ofId.pop();
        target?.push({ ...turn, results: [result] });
      }
      continue;
    }
    group.push(turn);
    for (const { id } of turn.type === 'assistant' ? turn.calls : []) {
      const ofId = waiting.get(id);
      if (ofId === undefined) waiting.set(id, [group]);
      else ofId.push(group);
    }
  }
  return { type: 'paired', turns: groups.flat() };
}

/** Finds calls without a result and results of no call, in any order. */
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
  return { type: 'unpaired_results', index: first[1], missing: idsOf(missing), orphans: idsOf(orphans) };
}

/** Finds the first assistant message that is not directly followed by one result for each of its calls. */
function findMisplaced(turns: readonly Turn[], rule: PairingRule): UnpairedResults | undefined {
  for (const [position, turn] of turns.entries()) {
    if (turn.type === 'user_texts') continue;
    const previous = turns[position - 1]?.type;
    if (turn.type === 'tool_results' && previous !== undefined && previous !== 'user_texts') continue;
    const isAbandoned = turn.type === 'assistant' && turns[position + 1]?.type === 'user_texts';
    if (isAbandoned && rule === 'right_after_or_none') continue;
    const fault = checkTurn(turn, turns, turn.type === 'assistant' ? position + 1 : position);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Compares the calls of a turn with the results from `start` on. A second result for a call is an orphan. */
function checkTurn(turn: Turn, turns: readonly Turn[], start: number): UnpairedResults | undefined {
  const open = new Map<string, number>();
  for (const { id } of turn.type === 'assistant' ? turn.calls : []) open.set(id, (open.get(id) ?? 0) + 1);
  const orphans: { readonly id: string; readonly index: number }[] = [];
  for (let position = start; ; position++) {
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
  const afterCalls = turn.type === 'assistant' && turn.calls.length > 0;
  return { type: 'unpaired_results', index, missing, orphans: orphans.map(({ id }) => id), afterCalls };
}

/** The results in the order of their calls, or the call itself if it has none; results of no call stay in place. */
export function resultsByCall(turns: readonly Turn[]): (ToolResultPart | ToolCallPart)[] {
  const parts: (ToolResultPart | ToolCallPart)[] = [];
  const waiting = new Map<string, number[]>();
  for (const turn of turns) {
    if (turn.type === 'assistant') {
      const first = parts.length;
      for (const call of turn.calls) parts.push(call);
      waiting.clear();
      for (const [call, { id }] of [...turn.calls.entries()].reverse()) {
        const ofId = waiting.get(id);
        if (ofId === undefined) waiting.set(id, [first + call]);
        else ofId.push(first + call);
      }
    }
    for (const result of turn.type === 'tool_results' ? turn.results : []) {
      parts[waiting.get(result.callId)?.pop() ?? parts.length] = result;
    }
  }
  return parts;
}
