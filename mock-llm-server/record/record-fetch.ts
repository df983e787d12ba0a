import type { ScenarioFile, Story } from '../scenario/format.ts';
import type { NamedScenarioFile } from '../scenario/prepare.ts';
import { isLoopback } from '../server/access.ts';
import type { WireRequest } from '../wire/wire.ts';
import { createRecorder, type PendingRequest } from './recorder.ts';
import { type EarlierFiles, makeRecordingFiles, type RecordingFiles, SecretError } from './recording-files.ts';
import { createRedaction } from './redaction.ts';
import { createReplay, type LiveStart, type Replay } from './replay.ts';
import type { StoryContent } from './story-directory.ts';
import { wireOf } from './upstream.ts';

/** A request for a model. Header names are in lower case. */
interface ModelRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A response whose body arrives as it is read. */
interface ModelResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The part of `fetch` that clients of models use. */
type Fetch = (url: string, init: ModelRequest) => Promise<ModelResponse>;

/** The files of a workspace by their paths, with `/`. */
type Tree = ReadonlyMap<string, Uint8Array>;

/** The user's side of a recorded run. */
export interface RecordedRun {
  readonly story: Story;
  readonly workspace: Tree;
  /** Absent if the run left the workspace as it was. */
  readonly expected: Tree | undefined;
  readonly agent: string;
}

/** Records what a program in this process sends to a model through `fetch`. */
export interface FetchRecorder {
  /** A `fetch` that records. It rejects for an address that is not https and not on this machine. */
  wrap(fetch: Fetch): Fetch;
  /** The first request that the model answered; undefined while a story answers. */
  live(): LiveStart | undefined;
  /** The files of the story. Throws if one of them holds a secret. */
  finish(run: RecordedRun): Promise<Pick<RecordingFiles, 'scenarios' | 'notes'> & { readonly files: StoryContent }>;
}

/** A story that answers the first requests: until its prompt drifts, or until its answer number `step`, from 0. */
export interface ReplayedFile {
  readonly source: NamedScenarioFile;
  readonly step?: number;
}

/**
 * Creates a recorder that has recorded nothing. `secrets` are removed from everything it writes. With `replayed`, the
 * recording takes the place of this story from the first answer of the model on.
 */
export function createFetchRecorder(secrets: readonly string[], replayed?: ReplayedFile): FetchRecorder {
  const replay = replayed && createReplay(replayed.source, replayed.step);
  const redaction = createRedaction(secrets);
  const recorder = createRecorder({ redaction, now: () => performance.now() });
  return {
    wrap: (fetch) => async (address, init) => {
      const url = new URL(address);
      if (url.protocol !== 'https:' && !isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
        throw new Error(`${url.host} is not recorded: the endpoint must be https, or http on this machine`);
      }
      const request = describe(url, init);
      const wire = wireOf(request);
      const pending = recorder.begin(wire, request);
      try {
        const asked = { ...request, number: pending.number, url: address, signal: init.signal };
        const local = wire === undefined ? undefined : await replay?.answer(asked);
        const response = local ?? (await fetch(address, init));
        pending.respond(response.status, readHeaders(response));
        const { ok, status, headers } = response;
        const body = response.body === null ? null : watch(response.body, pending);
        if (body === null) pending.end('complete');
        return { ok, status, headers, body };
      } catch (error) {
        pending.end(init.signal?.aborted === true ? 'client_left' : 'unreachable');
        throw error;
      }
    },
    live: () => replay?.live(),
    async finish({ story, workspace, expected, agent }) {
      // Bodies are read after their last byte has passed.
      await new Promise((resolve) => setImmediate(resolve));
      const withStory = (content: ScenarioFile): ScenarioFile => ({ ...content, story });
      const earlier = { agent, ...(replay && replayed && earlierOf(replayed, replay)) };
      const made = makeRecordingFiles(recorder.requests, redaction, earlier, withStory);
      const files = new Map<string, string | Uint8Array>(made.files);
      for (const [directory, tree] of [
        ['workspace', workspace],
        ['expected', expected ?? new Map()],
      ] as const) {
        for (const [name, bytes] of tree) files.set(`${directory}/${name}`, bytes);
      }
      for (const [name, content] of files) {
        const secret =
          typeof content === 'string' ? undefined : redaction.find(Buffer.from(content).toString('latin1'));
        if (secret !== undefined) throw new SecretError(secret, name);
      }
      return { files, scenarios: made.scenarios, notes: made.notes };
    },
  };
}

/** The story that the recording replaces from the first answer of the model on. */
function earlierOf({ source: { content, lock } }: ReplayedFile, replay: Replay): EarlierFiles {
  const { places } = replay;
  const firstLive = replay.live()?.number ?? Number.POSITIVE_INFINITY;
  const replayed = { scenarios: content.scenarios, places, firstLive };
  return { scenario: content, replayed, ...(lock !== undefined && { lock }) };
}

function describe(url: URL, { body = '', method = 'GET', headers = {} }: ModelRequest): WireRequest {
  return { method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body };
}

/** The headers that a recording needs. */
function readHeaders({ headers }: ModelResponse): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'retry-after', 'retry-after-ms'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** A body that the recording receives as it passes. */
async function* watch(body: AsyncIterable<Uint8Array>, pending: PendingRequest): AsyncGenerator<Uint8Array> {
  let how: Parameters<PendingRequest['end']>[0] = 'client_left';
  try {
    for await (const chunk of body) {
      pending.receive(chunk);
      yield chunk;
    }
    how = 'complete';
  } catch (error) {
    how = 'reset';
    throw error;
  } finally {
    const end = how;
    setImmediate(() => pending.end(end));
  }
}
