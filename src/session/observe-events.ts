import type { AgentEvent } from '../agent/ports/events.ts';
import type { PlannedEffect } from '../agent/ports/tool.ts';

/** Observes the events of one run before their effects, and adds events at the end of the run. */
export interface RunObserver {
  /**
   * Called with each event before it is stored and before the run continues. Returns the events to put after it, if
   * any. Never throws.
   */
  before(event: AgentEvent): Promise<readonly AgentEvent[] | undefined>;
  /** The events to put before `run_end`. Never throws. */
  end(): Promise<readonly AgentEvent[]>;
}

/** The files that a call writes itself. A command may write anything, and names only its directory. */
export function writtenPaths(effect: PlannedEffect | undefined): readonly string[] {
  if (effect === undefined || effect.command !== undefined || effect.unchanged === true) return [];
  return effect.paths.flatMap(({ access, realPath }) => (access === 'write' ? [realPath] : []));
}

/** The command or the program of a call, for people. */
export function commandOf(effect: PlannedEffect | undefined): string | undefined {
  return effect?.command ?? effect?.program?.path;
}

/**
 * The events of a run as the observers see them, one after the other, with those that they add. Errors of the consumer
 * reach the run.
 */
export async function* observeEvents(
  events: AsyncGenerator<AgentEvent, void, void>,
  observers: readonly RunObserver[],
): AsyncGenerator<AgentEvent, void, void> {
  try {
    for (let step = await events.next(); step.done !== true; ) {
      const event = step.value;
      const batch: AgentEvent[] = [event];
      for (const observer of observers) batch.push(...((await observer.before(event)) ?? []));
      if (event.type === 'run_end') batch.unshift(...(await endAll(observers)));
      try {
        for (const next of batch) yield next;
        step = await events.next();
      } catch (error) {
        step = await events.throw(error);
      }
    }
  } finally {
    await events.return();
  }
}

async function endAll(observers: readonly RunObserver[]): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (const observer of observers) events.push(...(await observer.end()));
  return events;
}
