import type { WebSocket } from 'ws';
import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';
import type { RecordedResponse } from './recorder.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/** A request of a client's WebSocket. Its events belong to the lane. */
export interface SocketRequest extends Pick<UpstreamRequest, 'path' | 'headers'> {
  readonly body: JsonObject;
  readonly lane: JsonObject;
}

/** Sends requests over WebSockets of the upstream, one for each connection of a client. */
export interface UpstreamSockets {
  /** Resolves with the events as a stream of events; undefined if the upstream refuses WebSockets. Rejects if it ends. */
  send(client: object, request: SocketRequest, signal: AbortSignal): Promise<RecordedResponse<Headers> | undefined>;
}

/** The end of a connection before the end of an answer. */
const reset = () => Object.assign(new Error('The upstream closed the WebSocket.'), { code: 'ECONNRESET' });

/** The events of one lane, as they arrive. */
class Lane {
  readonly #events: JsonObject[] = [];
  #wake: () => void = () => {};
  isClosed = false;

  add(event: JsonObject): void {
    this.#events.push(event);
    this.#wake();
  }

  close(): void {
    this.isClosed = true;
    this.#wake();
  }

  /** The next event. Rejects when the connection or the request has ended. */
  async next(signal: AbortSignal): Promise<JsonObject> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.isClosed || signal.aborted) throw reset();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

/** A WebSocket of the upstream with the lanes of its answers. */
interface Connected {
  readonly socket: WebSocket;
  readonly lanes: Map<string, Lane>;
}

/** Creates the sockets to an upstream, each with the first request that needs it. */
export function createUpstreamSockets({ url }: Upstream): UpstreamSockets {
  const connections = new WeakMap<object, Promise<Connected | undefined>>();
  const connect = async ({ path, headers }: SocketRequest, signal: AbortSignal): Promise<Connected | undefined> => {
    const { WebSocket: Socket } = await import('ws');
    const address = new URL(path, url);
    address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new Socket(address, { headers, perMessageDeflate: false });
    const lanes = new Map<string, Lane>();
    signal.addEventListener('abort', () => socket.terminate(), { once: true });
    socket.on('message', (data) => {
      const value = tryJson(data.toString());
      if (!isJsonObject(value)) return;
      const { stream_id: id = '', ...event } = value;
      lanes.get(String(id))?.add(event);
    });
    socket.on('close', () => {
      for (const lane of lanes.values()) lane.close();
    });
    return new Promise((resolve) => {
      socket.on('open', () => resolve({ socket, lanes }));
      socket.on('error', () => resolve(undefined));
    });
  };
  return {
    async send(client, request, signal) {
      const known = connections.get(client) ?? connect(request, signal);
      connections.set(client, known);
      const connected = await known;
      if (connected === undefined) return undefined;
      const { socket, lanes } = connected;
      const id = String(request.lane['stream_id'] ?? '');
      const lane = lanes.get(id) ?? new Lane();
      lanes.set(id, lane);
      const { stream: _, ...body } = request.body;
      socket.send(JSON.stringify({ type: 'response.create', ...body, ...request.lane }));
      const first = await lane.next(signal);
      if (first['type'] === 'error' && typeof first['status'] === 'number' && first['status'] >= 400) {
        const bytes = Buffer.from(JSON.stringify({ error: first['error'] }));
        return {
          status: first['status'],
          headers: new Headers({ 'content-type': 'application/json' }),
          body: only(bytes),
        };
      }
      const headers = new Headers({ 'content-type': 'text/event-stream' });
      return { status: 200, headers, body: eventsFrom(first, lane, signal) };
    },
  };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The events of a response as a stream of events. */
async function* eventsFrom(first: JsonObject, lane: Lane, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let event = first; ; event = await lane.next(signal)) {
    const type = String(event['type']);
    yield Buffer.from(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (/^response\.(?:completed|incomplete|failed)$|^error$/.test(type)) return;
  }
}
