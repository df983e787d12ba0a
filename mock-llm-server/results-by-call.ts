import type { ToolCallPart, ToolResultPart } from './conversation.ts';
import type { Turn } from './current-run.ts';

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
