import type { Story } from '../scenario/format.ts';
import type { NamedScenarioFile } from '../scenario/prepare.ts';
import { wireOf } from './answer-path.ts';
import { createRecorder, type RecordedResponse } from './recorder.ts';
import type { RecordingFiles } from './recording-files.ts';
import { createReplay, type LiveStart } from './replay.ts';
import type { StoryContent } from './story-directory.ts';
import { isAllowedUpstream } from './upstream.ts';

/** A request for a model. Header names are in lower case. */
interface ModelRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A response whose body arrives as it is read. */
type ModelResponse = RecordedResponse & { readonly ok: boolean };

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
 * recording replaces this story from the first answer of the model on.
 */
export function createFetchRecorder(secrets: readonly string[], replayed?: ReplayedFile): FetchRecorder {
  const recorder = createRecorder({ secrets, replay: replayed && createReplay(replayed.source, replayed.step) });
  return {
    wrap: (fetch) => async (address, init) => {
      const url = new URL(address);
      if (!isAllowedUpstream(url)) {
        throw new Error(`${url.host} is not recorded: the endpoint must be https, or http on this machine`);
      }
      const { method = 'GET', headers = {}, body = '', signal } = init;
      // A question about the models of a server is not a request for an answer.
      if (method === 'GET') return fetch(address, init);
      const query = Object.fromEntries(url.searchParams);
      const request = { method, path: url.pathname, query, headers, body };
      const sent = { wire: wireOf(request), request, connection: { signal } };
      const response = await recorder.exchange(sent, () => fetch(address, init));
      return { ...response, ok: response.status >= 200 && response.status < 300 };
    },
    live: recorder.live,
    async finish({ story, workspace, expected = new Map(), agent }) {
      await recorder.settle();
      const trees = Object.entries({ workspace, expected });
      const beside = new Map(
        trees.flatMap(([name, tree]) => [...tree].map(([file, bytes]) => [`${name}/${file}`, bytes] as const)),
      );
      const { content: scenario, lock } = replayed?.source ?? {};
      const { files, scenarios, notes } = recorder.files({ agent, scenario, lock, story }, beside);
      return { files: new Map<string, string | Uint8Array>([...files, ...beside]), scenarios, notes };
    },
  };
}
