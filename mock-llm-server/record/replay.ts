import type { AnsweredPrompt } from '../drift/check-drift.ts';
import { createJournal } from '../journal/journal.ts';
import type { PromptDrift } from '../scenario/lock/prompt-lock.ts';
import { createScenarioSet, type NamedScenarioFile } from '../scenario/prepare.ts';
import { createMockServer } from '../server/app.ts';
import type { WireRequest } from '../wire/wire.ts';
import { localPathOf } from './answer-path.ts';

/** A step of a scenario, from 0. */
export interface ScenarioStep {
  readonly scenario: string;
  readonly step: number;
}

/** A request for an answer, with its number in the recording. */
interface ReplayedRequest extends Pick<WireRequest, 'path' | 'query' | 'headers' | 'body'> {
  readonly number: number;
  readonly signal?: AbortSignal | undefined;
}

/** A story that answers the first requests of a run, before a model does. */
export interface Replay {
  /** The answer of the story; undefined if the model is to answer. */
  answer(request: ReplayedRequest): Promise<Response | undefined>;
  /** The step that the model was the first to answer, and why; undefined while the story answers. */
  live(): LiveStart | undefined;
  /** The step of the story for each request that it answers, or would answer, by the number of the request. */
  readonly places: ReadonlyMap<number, ScenarioStep>;
}

/** The first request that a model answered. */
export interface LiveStart {
  /** Undefined for a request that the story does not answer. */
  readonly at: ScenarioStep | undefined;
  /** The parts of its prompt that differ from the lock. */
  readonly drift: readonly PromptDrift[];
  readonly number: number;
}

/**
 * Creates a replay that ends when the prompt drifts from the lock of the story, at a request that the story does not
 * answer, or with `step` at the answer of this number, counted from 0. Other sampling settings are not drift here,
 * because the lock may come from another provider.
 */
export function createReplay(source: NamedScenarioFile, step?: number): Replay {
  const journal = createJournal({ maxEntries: 1 });
  let seen: AnsweredPrompt | undefined;
  const app = createMockServer({
    scenarios: createScenarioSet([source]),
    journal,
    lint: 'warn',
    drift: step === undefined ? 'warn' : 'off',
    observePrompt: (prompt) => {
      seen = prompt;
    },
  });
  const places = new Map<number, ScenarioStep>();
  const answered = new Set<string>();
  let live: LiveStart | undefined;
  const isDue = (key: string, drift: readonly PromptDrift[]) =>
    step === undefined ? drift.length > 0 : !answered.has(key) && answered.size === step;
  return {
    live: () => live,
    places,
    async answer({ number, path, query, headers, body, signal }) {
      seen = undefined;
      const url = new URL(localPathOf(path) ?? path, LOCAL);
      url.search = new URLSearchParams(query).toString();
      const request = new Request(url, { method: 'POST', headers: ofBody(headers), body });
      const response = await app.fetch(request, { ...(signal && { signal }) });
      const place = placeOf(seen);
      const [entry] = journal.entries;
      const drift = (entry?.drift ?? []).filter(({ part }) => part !== 'sampling');
      const key = JSON.stringify(place);
      // An agent sends auxiliary requests, such as one for a summary, beside the steps.
      const isOver = place === undefined ? entry?.auxiliary === undefined : isDue(key, drift);
      if (isOver) live ??= { at: place, drift, number };
      if (place !== undefined) {
        places.set(number, place);
        answered.add(key);
      }
      if (live === undefined) return response;
      await response.body?.cancel();
      return undefined;
    },
  };
}

/** The headers without those that describe the body as it was sent, which is decoded here. */
function ofBody(headers: ReplayedRequest['headers']): Record<string, string> {
  const { 'content-encoding': _encoding, 'content-length': _length, 'transfer-encoding': _transfer, ...rest } = headers;
  return rest;
}

const LOCAL = 'http://replay';

function placeOf(prompt: AnsweredPrompt | undefined): ScenarioStep | undefined {
  return prompt && { scenario: prompt.scenario, step: prompt.step };
}
