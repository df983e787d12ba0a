import { listen } from '../server/listen.ts';
import { errorText } from '../text.ts';
import type { RecordedRequest } from './exchange.ts';
import { createRecordingProxy } from './proxy.ts';
import { createRecorder } from './recorder.ts';
import { outcomeOf } from './recording-files.ts';
import { sendUpstream, type Upstream } from './upstream.ts';

/** A request that was passed on; the server that answered does not tell which step of a scenario it was. */
interface WatchedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Kind of a request that agents send beside the conversation. */
  readonly auxiliary?: string | undefined;
  readonly error?: string;
  readonly hasUnknownStep: true;
}

/** A server between an agent and a model server, and what has passed. */
export interface WatchedServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly requests: readonly WatchedRequest[];
  /** The tool results in the requests, each once, in order. */
  results(): readonly string[];
  /** The text of the last answer; undefined if there was none. */
  answer(): string | undefined;
  /** Resolves when everything that has passed is read. */
  close(): Promise<void>;
}

/** Time in which a server that is there begins to answer; one that does not may be busy. */
const ANSWER_MS = 10_000;

/**
 * A server that passes requests on to the one at `endpoint`, and reads them and their answers. Rejects, with the reason
 * for the user, if nothing answers there.
 */
export async function watchServer(endpoint: string): Promise<WatchedServer> {
  const recorder = createRecorder({ secrets: [] });
  // The variables for agents add the path of their protocol.
  const url = new URL(endpoint.replace(/\/+(?:v1\/*)?$/, ''));
  const upstream = { url };
  await reach(upstream);
  const server = await listen(createRecordingProxy({ upstream, recorder }), {});
  const asked = (): readonly RecordedRequest[] => recorder.requests.filter(({ protocol }) => protocol !== undefined);
  return {
    url: server.url,
    get requests() {
      return asked().map(describeRequest);
    },
    results: () => [...new Set(asked().flatMap(resultsIn))],
    answer() {
      const last = asked().findLast(({ exchange }) => exchange !== undefined && exchange.auxiliary === undefined);
      return last && (last.exchange?.answer?.content ?? '');
    },
    async close() {
      await server.close();
      await recorder.settle();
    },
  };
}

/** Rejects if nothing answers at the address. Any answer will do, even an error. */
async function reach(upstream: Upstream): Promise<void> {
  const soon = AbortSignal.timeout(ANSWER_MS);
  try {
    const request = { method: 'GET', path: '/', headers: {}, body: new Uint8Array() };
    (await sendUpstream(upstream, request, soon)).destroy();
  } catch (error) {
    if (soon.aborted) return;
    const { origin } = upstream.url;
    throw new Error(
      `Nothing answers at ${origin} (${errorText(error)}). Is the server running, and is the address right?`,
    );
  }
}

function describeRequest(request: RecordedRequest): WatchedRequest {
  // This server answers 502 where the other one does not answer.
  const { method, path, status = 502, exchange } = request;
  const reason = request.status === undefined ? 'the server did not answer' : outcomeOf(request);
  const error = status >= 400 ? { error: exchange?.error?.message ?? reason } : {};
  return { method, path, status, auxiliary: exchange?.auxiliary, hasUnknownStep: true, ...error };
}

function resultsIn({ exchange }: RecordedRequest): readonly string[] {
  return (exchange?.conversation.messages ?? []).flatMap(({ parts }) =>
    [...parts].flatMap((part) => (part.type === 'tool_result' ? [part.content] : [])),
  );
}
