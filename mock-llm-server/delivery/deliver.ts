import type { Clock } from './clock.ts';
import type { DeliveryPlan, Ending } from './plan.ts';

/** What a delivery needs of the world. */
export interface DeliveryPorts {
  readonly clock: Clock;
  /** Resets the client's connection; without it the stream fails. */
  readonly reset: (() => void) | undefined;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Sends a plan as the body of a response. Chunks are timed from the start, so that late ones do not add up; only those
 * that must be apart are timed from the chunk before. When the reader cancels, which it does when the client has gone,
 * nothing waits any longer.
 */
export function deliver({ chunks, ending }: DeliveryPlan, ports: DeliveryPorts): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const start = ports.clock.now();
  const next = chunks[Symbol.iterator]();
  let due = 0;
  const waitFor = async (ms: number, apart = false) => {
    const elapsed = ports.clock.now() - start;
    due = (apart ? Math.max(due, elapsed) : due) + ms;
    const left = due - elapsed;
    if (left > 0) await ports.clock.sleep(left, gone.signal);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const leave = () => {
          gone.abort();
          // Over a connection the adapter cancels; in process nobody does, and the reader waits for the reason.
          if (ports.reset === undefined) controller.error(ports.signal.reason);
        };
        if (ports.signal.aborted) leave();
        // Until the stream ends: clients use one signal for many requests.
        else ports.signal.addEventListener('abort', leave, { signal: gone.signal });
      },
      async pull(controller) {
        try {
          const chunk = next.next();
          if (chunk.done) return await endWith(ending, controller);
          await waitFor(chunk.value.afterMs, chunk.value.apart);
          controller.enqueue(chunk.value.bytes);
        } catch (failure) {
          // Nobody reads any more, so nobody is told.
          if (!gone.signal.aborted) throw failure;
        }
      },
      cancel: () => gone.abort(),
    },
    { highWaterMark: 0 },
  );

  async function endWith(how: Ending, controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    switch (how.type) {
      case 'end':
        controller.close();
        return gone.abort();
      case 'reset':
        if (ports.reset === undefined) return controller.error(new Error('The connection was reset.'));
        ports.reset();
        return untilGone(gone.signal);
      case 'stall':
        if (how.ping === undefined) return untilGone(gone.signal);
        await waitFor(how.ping.everyMs);
        return controller.enqueue(how.ping.bytes);
      default:
        return how satisfies never;
    }
  }
}

function untilGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
