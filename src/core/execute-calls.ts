import type { AgentEvent } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import {
  type CallContext,
  prepareCall,
  type ReadyCall,
  type RequestedCall,
  runCall,
  type SettledCall,
} from './execute-call.ts';
import { sideBySide } from './side-by-side.ts';

/** Maximum number of neighbouring reads that run at the same time. */
const MAX_PARALLEL_READS = 4;

/**
 * Executes the calls of one answer. Neighbouring reads run side by side, everything else alone and in order. Yields
 * events and, in the order of the calls, each finished call. `cut` is the call in whose middle the answer ended.
 */
export async function* executeCalls(
  calls: readonly ToolCall[],
  cut: ToolCall | undefined,
  context: CallContext,
): AsyncGenerator<AgentEvent | SettledCall, void, void> {
  const { tools } = context.ports;
  const requested = calls.map((call) => ({ call, tool: tools.find(call.name), cut: call === cut }));
  for (const group of groupReads(requested)) {
    const runs: AsyncGenerator<AgentEvent, SettledCall, void>[] = [];
    for (const call of group) runs.push(finish(yield* prepareCall(call, context), context));
    yield* yield* sideBySide(runs, MAX_PARALLEL_READS);
  }
}

/** Groups of neighbouring reads; every other call is a group of its own. */
function groupReads(calls: readonly RequestedCall[]): RequestedCall[][] {
  const groups: RequestedCall[][] = [];
  let reading = false;
  for (const requested of calls) {
    const reads = requested.tool?.definition.effect === 'read';
    const group = groups.at(-1);
    if (reading && reads && group !== undefined) group.push(requested);
    else groups.push([requested]);
    reading = reads;
  }
  return groups;
}

async function* finish(
  step: ReadyCall | SettledCall,
  context: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  return step.type === 'settled' ? step : yield* runCall(step, context);
}
