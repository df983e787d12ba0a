import type { Clock } from './clock.ts';
import type { Chunk, DeliveryPlan, Ending } from './plan.ts';

export interface Connection {
  /** Resets the connection; undefined for an in-process request, whose body fails instead. */
  readonly reset: (() => void) | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Ports of a body that is sent in chunks. */
type DeliveryPorts = Connection & { readonly clock: Clock };

/** The failure of an in-process request whose connection a fault resets before the headers. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';

  constructor() {
    super('The connection was reset.');
  }
}

/**
 * Sends a planned body. The headers of a stream are sent before its first chunk is due. Rejects if the client disconnects
 * before the headers are due, or if a fault sends none.
 */
export function deliver(
  plan: DeliveryPlan,
  { headers, isStream }: { readonly headers: Readonly<Record<string, string>>; readonly isStream: boolean },
  connect: () => DeliveryPorts,
): Response | Promise<Response> {
  if (plan.type === 'at_once') return new Response(plan.bytes ?? plan.text, { headers });
  const ports = connect();
  if (plan.type === 'no_response') return sendNothing(plan.ending, ports);
  const { chunks, ending } = plan;
  const start = ports.clock.now();
  const respond = () =>
    // With this header the HTTP adapter sends the headers before the first chunk.
    new Response(sendChunks(chunks, ending, ports, start), { headers: { ...headers, 'transfer-encoding': 'chunked' } });
  if (isStream) return respond();
  // The headers of an answer that is not streamed wait for its body, so that a client can time out before them.
  const [first = { afterMs: 0 }] = chunks;
  if (first.afterMs === 0) return respond();
  return ports.clock.sleep(first.afterMs, ports.signal).then(respond);
}

/**
 * Sends chunks as the body of a response. Their times count from `start`, so that delays do not add up; a chunk that
 * must stay apart counts from the previous one. All waits end when the reader cancels, as it does after a disconnect.
 */
export function sendChunks(
  chunks: Iterable<Chunk>,
  ending: Ending,
  ports: DeliveryPorts,
  start = ports.clock.now(),
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
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
          // The HTTP adapter cancels the stream of a connection; in process, nothing does.
          if (ports.reset === undefined) controller.error(ports.signal.reason);
        };
        if (ports.signal.aborted) leave();
        // The listener is removed when the stream ends, because clients use one signal for many requests.
        else ports.signal.addEventListener('abort', leave, { signal: gone.signal });
      },
      async pull(controller) {
        try {
          const chunk = next.next();
          if (chunk.done) return await endWith(ending, controller);
          await waitFor(chunk.value.afterMs, chunk.value.apart);
          controller.enqueue(chunk.value.bytes);
        } catch (failure) {
          // A stream without a reader cannot report a failure.
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
        if (ports.reset === undefined) return controller.error(new ConnectionReset());
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

/** Resets the connection, or waits without a response until the client gives up; then rejects with its reason. */
async function sendNothing(ending: 'reset' | 'stall', { reset, signal }: Connection): Promise<Response> {
  if (ending === 'reset' && reset === undefined) throw new ConnectionReset();
  if (ending === 'reset') reset?.();
  await untilGone(signal);
  if (ending === 'stall') throw signal.reason;
  return new Response(null);
}

/** Resolves when the client has disconnected. */
export function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
