import type { AgentEvent } from '../ports/events.ts';

/** Looks at the events of one run before their effects happen, and adds to the end of the run. */
export interface RunObserver {
  /** Called with each event before it is stored and before the run goes on. Never throws. */
  before(event: AgentEvent): Promise<void>;
  /** The events to put before `run_end`. Never throws. */
  end(): Promise<readonly AgentEvent[]>;
}

/** The events of a run as `observer` sees them, with those that it adds. Errors of the consumer reach the run. */
export async function* observeEvents(
  events: AsyncGenerator<AgentEvent, void, void>,
  observer: RunObserver,
): AsyncGenerator<AgentEvent, void, void> {
  try {
    for (let step = await events.next(); step.done !== true; ) {
      const event = step.value;
      await observer.before(event);
      const batch = event.type === 'run_end' ? [...(await observer.end()), event] : [event];
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
