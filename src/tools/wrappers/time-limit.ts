import { raceAbort, untilAborted } from '../../agent/async/abort.ts';
import { ToolError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { Tool } from '../../agent/ports/tool.ts';

/**
 * A tool whose calls are stopped after this time with the `ToolError` `timed_out`. The plan and the run each have this
 * time; the wait for an approval between them does not count.
 */
export function withTimeLimit(tool: Tool, seconds: number, clock: Clock): Tool {
  const { name, effect } = tool.definition;
  const effects = effect === 'read' ? '' : ' It may have had effects: check before you repeat it.';
  const message = `${name} took longer than ${seconds} s and was stopped.${effects} Ask for less at once, or tell the user that tools.builtin.${name}.timeout_seconds is too short.`;

  /** Runs `stop` when the time is over, and returns a function that ends the wait. */
  const startTimer = (stop: () => void): (() => void) => {
    const timer = new AbortController();
    clock.sleep(seconds * 1000, timer.signal).then(stop, () => {});
    return () => timer.abort();
  };

  return {
    definition: tool.definition,
    async plan(args, context) {
      const expiry = new AbortController();
      const expire = (): void => expiry.abort();
      // The caller waits a little for a call that it has stopped, so only the expiry ends the wait here.
      const signal = AbortSignal.any([context.signal, expiry.signal]);
      const limited = { ...context, signal, pause: () => raceAbort(context.pause(), signal) };
      const failure = (error: unknown): unknown =>
        expiry.signal.aborted ? new ToolError('timed_out', message) : error;
      const endTimer = startTimer(expire);
      try {
        const planned = await raceAbort(tool.plan(args, limited), expiry.signal);
        return {
          effect: planned.effect,
          async *run(limits) {
            const endRunTimer = startTimer(expire);
            try {
              return yield* untilAborted(planned.run(limits), expiry.signal);
            } catch (error) {
              throw failure(error);
            } finally {
              endRunTimer();
            }
          },
        };
      } catch (error) {
        throw failure(error);
      } finally {
        endTimer();
      }
    },
  };
}
