import { abortAfterGrace, closeQuietly, raceAbort } from './async/abort.ts';
import { groupNeighbours, runInParallel } from './async/parallel.ts';
import * as texts from './call-texts.ts';
import type { CallContext } from './judge-call.ts';
import { permitCall, type ReadyCall, type SettledCall, settle } from './permit-call.ts';
import type { AgentEvent } from './ports/events.ts';
import type { ToolCall } from './ports/messages.ts';
import type { PlannedEffect, ToolProgress, ToolResult } from './ports/tool.ts';

/** Maximum number of neighbouring reads that run at the same time. */
const MAX_PARALLEL_READS = 4;

/** Maximum time for a stopped tool to report how it ended, in milliseconds. */
const STOP_GRACE_MS = 1_500;

/**
 * Executes the calls of one answer. Neighbouring reads run in parallel, everything else alone and in order. Yields
 * events and, in the order of the calls, each finished call. `cut` is the call that the end of the answer cut off.
 */
export async function* executeCalls(
  calls: readonly ToolCall[],
  cut: ToolCall | undefined,
  context: CallContext,
): AsyncGenerator<AgentEvent | SettledCall, void, void> {
  const { tools } = context.ports;
  const requested = calls.map((call) => ({ call, tool: tools.find(call.name), cut: call === cut }));
  const agreed = new Set<string>();
  let next = 0;
  for (const group of groupNeighbours(requested, ({ tool }) => tool?.definition.effect === 'read')) {
    const runs: AsyncGenerator<AgentEvent, SettledCall, void>[] = [];
    for (const call of group) {
      next += 1;
      runs.push(finish(yield* permitCall(call, requested.slice(next), agreed, context), context));
    }
    yield* yield* runInParallel(runs, MAX_PARALLEL_READS);
  }
}

async function* finish(
  step: ReadyCall | SettledCall,
  context: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  return 'prepared' in step ? yield* runCall(step, context) : step;
}

/** Runs a call that `permitCall` allowed and yields its live output. Never throws. */
async function* runCall(
  { call, toolName, prepared, edit }: ReadyCall,
  { input, ports }: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  const { signal } = input;
  const { clock } = ports;
  const end = (text: texts.CallText): SettledCall =>
    settle(call, toolName, texts.afterEdit(edit, text), clock.now() - started);
  if (signal.aborted) return settle(call, toolName, texts.STOPPED_BEFORE_START);
  const started = clock.now();
  const delayed = abortAfterGrace(signal, clock, stopGraceMs(prepared.effect));
  let run: AsyncIterator<ToolProgress, ToolResult, void> | undefined;
  try {
    run = prepared.run();
    for (;;) {
      const step = await raceAbort(run.next(), delayed.signal);
      if (step.done === true) return end(texts.ended(step.value, signal.aborted));
      yield { type: 'tool_output', callId: call.id, stream: step.value.stream, text: step.value.text };
    }
  } catch (error) {
    return end(texts.failure(error, toolName, texts.STOPPED_WHILE_RUNNING));
  } finally {
    delayed.dispose();
    closeQuietly(run);
  }
}

/** The time that a stopped call gets to report how it ended: none if it only reads, because it has no effects. */
export function stopGraceMs({ command, paths }: PlannedEffect): number {
  const onlyReads = command === undefined && paths.length > 0 && paths.every(({ access }) => access === 'read');
  return onlyReads ? 0 : STOP_GRACE_MS;
}
