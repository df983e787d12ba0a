import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createAnswerer } from '../answering/answer-request.ts';
import { systemClock } from '../delivery/clock.ts';
import { createPromptWatch } from '../drift/watch-prompts.ts';
import { createJournal } from '../journal/journal.ts';
import type { StepSpecification } from '../scenario/format/step-format.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/loading/load.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from '../scenario/prepare.ts';
import { listen } from '../server/listen.ts';
import { connectionOf } from '../server/read-request.ts';
import { countOf, errorText, escapeControls } from '../text.ts';
import { readNow } from '../wire/read-now.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import { isAnswered, type RecordedRequest } from './exchange.ts';
import { createRecordingProxy, type ProxyOptions } from './proxy.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import {
  describeVolatile,
  type EarlierFiles,
  outcomeOf,
  type RecordingFiles,
  readObserved,
} from './recording-files.ts';
import { createReplay, type Replay } from './replay.ts';
import { mergeScenarios, placeIn } from './scenarios/build-scenarios.ts';
import { checkStoryPlace, recoverStory, writeStory } from './story-directory.ts';
import { parseUpstream } from './upstream.ts';

export interface RecordOptions {
  readonly port: number;
  readonly upstream: string;
  /** API key for the upstream; undefined to pass on that of the client. */
  readonly key: string | undefined;
  /** Directory of the story. */
  readonly out: string;
  /** Scenarios that answer in place of the upstream, with `fallbackOnly`. */
  readonly scenarios: readonly string[];
  /** Forwards only the requests that no scenario answers, and adds them to the story. */
  readonly fallbackOnly: boolean;
  /** Answers as the story does until its prompt drifts from its lock, and re-records the rest. */
  readonly fromDrift: boolean;
  /** Replaces a story that exists. */
  readonly force: boolean;
  /** Receives one line for each request, without a line break. */
  readonly log: (line: string) => void;
}

export interface RunningRecording {
  /** Without a trailing slash: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Ends the recording. Resolves when the story is written; rejects if it cannot be. */
  close(): Promise<{ readonly exitCode: 0 | 1 }>;
}

/** Starts a recording. Rejects with an error for the user if it cannot start. */
export async function startRecording(options: RecordOptions): Promise<RunningRecording> {
  const { out, log, port, key } = options;
  const upstream = { url: parseUpstream(options.upstream), key };
  const { earlier, loaded, previous } = await readEarlier(options);
  const replay = options.fromDrift ? replayOf(loaded, out) : undefined;
  let set = createScenarioSet(loaded);
  const saver = createSaver(async () => {
    const made = recorder.files(earlier);
    await writeStory(out, made.files).catch((error: unknown) => {
      throw new Error(
        `The recording cannot be written to ${out}: ${errorText(error)}. The last saved recording is kept.`,
      );
    });
    if (options.fallbackOnly) set = withRecorded(loaded, made, out);
    return made;
  });
  const recorder = createRecorder({
    secrets: key === undefined ? [] : [key],
    replay,
    onEnd(request) {
      log(escapeControls(describeRequest(request)));
      // The old recording stays until the new one is complete.
      if (replay === undefined) saver.saveSoon((error) => log(`warning: ${errorText(error)}`));
    },
  });
  const answerLocally = options.fallbackOnly ? answerFrom(() => set, log) : undefined;
  const server = await listen(createRecordingProxy({ upstream, recorder, answerLocally }), { port, log });
  return {
    url: server.url,
    async close() {
      await server.close();
      await recorder.settle();
      if (recorder.requests.length === 0) {
        log('nothing was recorded, so nothing is written');
        return { exitCode: 0 };
      }
      const kept = replay && reasonToKeep(recorder);
      if (kept !== undefined) {
        log(`${kept.message}, so the recording in ${out} is unchanged`);
        return { exitCode: kept.exitCode };
      }
      const { scenarios, notes, observed } = await saver.finish();
      for (const note of notes) log(`note: ${note}`);
      for (const line of describeVolatile(previous, observed, earlier.lock?.volatile ?? [])) log(escapeControls(line));
      const counts = `${countOf(recorder.requests.length, 'request')}, ${countOf(scenarios.length, 'scenario')}`;
      log(`recorded in ${out}: ${counts}`);
      return { exitCode: 0 };
    },
  };
}

/** Share of the time that saves may take while requests arrive. */
const SAVING_SHARE = 0.1;

/** Runs one save at a time. Saves that are requested during another one are joined into one after it. */
function createSaver(save: () => Promise<RecordingFiles>) {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<RecordingFiles> | undefined;
  let pauseMs = 0;
  /** Saves at once. */
  const saveNow = (): Promise<RecordingFiles> => {
    next ??= running.then(() => {
      next = undefined;
      const started = performance.now();
      const now = save();
      running = now
        .catch(() => {})
        .finally(() => {
          pauseMs = (performance.now() - started) / SAVING_SHARE;
        });
      return now;
    });
    return next;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Saves for the last time. */
    finish(): Promise<RecordingFiles> {
      clearTimeout(timer);
      return saveNow();
    },
    /** Saves soon: a long recording takes longer to save, and is saved less often. */
    saveSoon(onError: (error: unknown) => void): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        saveNow().catch(onError);
      }, pauseMs);
      timer.unref();
    },
  };
}

/** Files of the story and the other scenarios, as they are before the recording. */
async function readEarlier({ out, scenarios, fallbackOnly, fromDrift, force }: RecordOptions) {
  await checkStoryPlace(out);
  await recoverStory(out);
  const file = path.join(out, 'scenario.json');
  const exists = existsSync(file);
  if (exists && !fallbackOnly && !fromDrift && !force) {
    throw new Error(
      `${out} already has a story. Extend it with --fallback-only, re-record it from the first drift with ` +
        '--from-drift, replace it with --force, or choose another --out.',
    );
  }
  const own = exists ? await loadScenarioFiles([file], nodeScenarioFiles) : [];
  const recording = await readFile(path.join(out, 'recording.jsonl'), 'utf8').catch(() => '');
  const [{ content, lock } = {}] = own;
  if (fromDrift) return { earlier: { lock, scenario: content }, loaded: own, previous: [] };
  if (!fallbackOnly) return { earlier: { lock }, loaded: [], previous: readObserved(recording) };
  const others = scenarios.length === 0 ? [] : await loadScenarioFiles(scenarios, nodeScenarioFiles);
  const loaded = [...own, ...others.filter((each) => path.resolve(each.file) !== path.resolve(file))];
  const all = loaded.flatMap((each) => each.content.scenarios);
  const earlier: EarlierFiles = { lock, scenario: content, recording, loaded: all };
  return { earlier, loaded, previous: [] };
}

/** The replay of the story that is re-recorded. Throws an error for the user if it has no lock. */
function replayOf([story]: readonly NamedScenarioFile[], out: string): Replay {
  if (story === undefined) throw new Error(`${out} has no scenario.json to replay; record it without --from-drift.`);
  if (story.lock === undefined) {
    throw new Error(`${out} has no prompt.lock.json to compare prompts with. Write it with ybs test --rebase ${out}.`);
  }
  return createReplay(story);
}

/** The reason to keep the old recording: nothing has drifted, or the new one is not complete. Otherwise `undefined`. */
function reasonToKeep({
  live,
  requests,
}: Recorder): { readonly message: string; readonly exitCode: 0 | 1 } | undefined {
  if (live() === undefined) return { message: 'no prompt drifted', exitCode: 0 };
  const last = requests.findLast(({ exchange }) => exchange !== undefined && exchange.auxiliary === undefined);
  const isComplete =
    last?.exchange !== undefined && isAnswered(last.exchange) && last.exchange.answer?.toolCalls.length === 0;
  return isComplete ? undefined : { message: 'the new run did not finish', exitCode: 1 };
}

/** Answers the requests that a scenario of the current set answers. */
function answerFrom(
  current: () => ScenarioSet,
  log: (line: string) => void,
): NonNullable<ProxyOptions['answerLocally']> {
  const answerer = createAnswerer({
    ...({ current, log, lint: 'warn', limits: 'apply', chaos: undefined, clock: systemClock } as const),
    service: undefined,
    allow: [],
    journal: createJournal(),
    prompts: createPromptWatch({ checksDrift: false, observe: undefined }),
  });
  return (wire: Wire, request: WireRequest, context) => {
    const read = readNow(wire, request);
    if (read.type === 'error') return undefined;
    const { callIdPrefix, pairing } = wire;
    const place = placeIn(
      { conversation: read.conversation, headers: request.headers, callIdPrefix, pairing },
      current(),
    );
    return place.scenario === undefined ? undefined : answerer.answer(wire, request, () => connectionOf(context));
  };
}

/** The loaded scenarios and the recorded ones, except for steps with a failure: it must not answer the retry. */
function withRecorded(loaded: readonly NamedScenarioFile[], { scenarios }: RecordingFiles, out: string): ScenarioSet {
  const before = loaded.flatMap(({ content }) => content.scenarios);
  const isAnswer = ({ fault }: StepSpecification) => fault === undefined || fault.times !== undefined;
  const answering = scenarios.filter(({ name, steps }) => {
    const known = before.find((scenario) => scenario.name === name)?.steps.length ?? 0;
    return steps.slice(known).every(isAnswer);
  });
  const all = mergeScenarios(before, answering);
  return all.length === 0 ? createScenarioSet([]) : createScenarioSet([{ file: out, content: { scenarios: all } }]);
}

function describeRequest(request: RecordedRequest): string {
  const { number, method, path: target, status, exchange, unread } = request;
  const kind = exchange?.auxiliary === undefined ? '' : ` (${exchange.auxiliary})`;
  const reason = unread === undefined ? '' : ` (not read: ${unread})`;
  return `${number} ${method} ${target} ${status ?? '-'} ${outcomeOf(request)}${kind}${reason}`;
}
