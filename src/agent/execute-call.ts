import { abortAfterGrace, closeQuietly, raceAbort } from './async/abort.ts';
import { groupNeighbours, runInParallel } from './async/parallel.ts';
import * as texts from './call-texts.ts';
import { permitCall, type ReadyCall, type SettledCall, settle } from './permit-call.ts';
import { onlyReads } from './plan-call.ts';
import type { AgentEvent, PlannedEffect, ToolCall, ToolProgress, ToolResult } from './ports/index.ts';
import type { EventStream, RunContext } from './run-input.ts';

/** Maximum number of neighbouring reads that run at the same time. */
const MAX_PARALLEL_READS = 4;

/** Maximum time for a stopped tool to report how it ended, in milliseconds. */
const STOP_GRACE_MS = 1_500;

/**
 * Executes the calls of one message. Neighbouring reads run in parallel, everything else alone and in order. Yields
 * events and, in the order of the calls, each finished call. `cut`: the message ended in the middle of the last call.
 */
export async function* executeCalls(
  calls: readonly ToolCall[],
  cut: boolean,
  run: RunContext,
): AsyncGenerator<AgentEvent | SettledCall, void, void> {
  const last = calls.at(-1);
  const requested = calls.map((call) => ({ call, tool: run.ports.tools.find(call.name), cut: cut && call === last }));
  const agreed = new Set<string>();
  for (const group of groupNeighbours(requested, ({ tool }) => tool?.definition.effect === 'read')) {
    const runs: EventStream<SettledCall>[] = [];
    for (const call of group) {
      const later = requested.slice(requested.indexOf(call) + 1);
      runs.push(runCall(yield* permitCall(call, later, agreed, run), run));
    }
    for (const settled of yield* runInParallel(runs, MAX_PARALLEL_READS)) yield settled;
  }
}

/** Runs a call, if `permitCall` allowed it, and yields its live output. Never throws. */
async function* runCall(step: ReadyCall | SettledCall, { input, ports }: RunContext): EventStream<SettledCall> {
  if ('type' in step) return step;
  const { call, toolName, planned, edit } = step;
  const { signal } = input;
  const { clock } = ports;
  if (signal.aborted) return settle(call, toolName, texts.STOPPED_BEFORE_START);
  const started = clock.now();
  const end = (text: texts.CallText): SettledCall =>
    settle(call, toolName, texts.afterEdit(edit, text), clock.now() - started);
  const delayed = abortAfterGrace(signal, clock, stopGraceMs(planned.effect));
  let run: AsyncIterator<ToolProgress, ToolResult, void> | undefined;
  try {
    run = planned.run(step);
    for (;;) {
      const next = await raceAbort(run.next(), delayed.signal);
      if (next.done === true) return end(texts.ended(next.value, signal.aborted));
      yield { type: 'tool_output', callId: call.id, stream: next.value.stream, text: next.value.text };
    }
  } catch (error) {
    return end(texts.failure(error, toolName, texts.STOPPED_WHILE_RUNNING));
  } finally {
    delayed.dispose();
    closeQuietly(run);
  }
}

/** The time that a stopped call gets to report how it ended: none if it only reads, because it has no effects. */
export function stopGraceMs(effect: PlannedEffect): number {
  return effect.paths.length > 0 && onlyReads(effect) ? 0 : STOP_GRACE_MS;
}
