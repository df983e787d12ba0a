import type { Machine, SessionOptions, Settings } from '../app/settings.ts';
import { createWiring } from '../app/wiring.ts';
import type { AgentEvent, RunError } from '../ports/events.ts';
import type { FetchSettings } from '../providers/choose-model.ts';
import type { Fetch } from '../providers/http/fetch-stream.ts';
import { costOf, priceOf } from '../providers/price.ts';
import { addToMeasure, NOTHING_DONE } from '../stories/measure-play.ts';
import { playStory, type RunCheck, type StoryDisk, type StoryPlayer } from '../stories/play-story.ts';
import { createYbsPlayer } from '../stories/play-with-ybs.ts';
import type { MockModel } from '../stories/run-stories.ts';
import { replaceWorkspace, WORKSPACE } from './answer-key.ts';
import type { PlannedRun } from './plan.ts';
import { type AnswerPorts, rememberAnswers } from './remember-answers.ts';
import type { RunResult, Step } from './report/report-format.ts';
import { stepOf } from './report/transcript.ts';

/**
 * End of a run. `unjudged`: the model could not be asked, which says nothing about a variant; `isFatal` if it cannot be
 * asked at all.
 */
export type PlayedRun =
  | { readonly type: 'finished'; readonly result: RunResult }
  | { readonly type: 'unjudged'; readonly message: string; readonly isFatal: boolean }
  | { readonly type: 'stopped' };

/** Ports of `playRun`. */
export interface RunPorts {
  readonly machine: Machine;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk;
  readonly runCheck: RunCheck;
  readonly options: SessionOptions;
  readonly answers: Pick<AnswerPorts, 'readAnswer' | 'writeAnswer'>;
  readonly onCached: () => void;
  readonly onAsked: (usage: Parameters<AnswerPorts['onAsked']>[0], settings: Settings) => void;
}

/** The header that tells the mock model which run this is, so that its chances differ from run to run. */
const SEED_HEADER = 'x-mock-seed';

/** Reasons for a failed run that say nothing about the agent; with `true` every other run would fail, too. */
const NOT_ITS_FAULT: ReadonlyMap<RunError['code'], boolean> = new Map([
  ['auth', true],
  ['unknown_model', true],
  ['unreachable', true],
  ['network', false],
  ['rate_limit', false],
  ['overloaded', false],
  ['bad_request', false],
]);

/** Plays one run in a copy of the workspace, which is removed afterwards, with a model whose answers are remembered. */
export async function playRun(planned: PlannedRun, ports: RunPorts, signal: AbortSignal): Promise<PlayedRun> {
  const { playable, variant, run } = planned;
  const { disk, runCheck, machine } = ports;
  const events = collectEvents();
  let cachedMs = 0;
  const player = createPlayer(planned, ports, events.add, (durationMs) => {
    cachedMs += durationMs;
    ports.onCached();
  });
  const storyPorts = { disk, player, runCheck, now: machine.clock.now };
  const played = await playStory(playable, storyPorts, signal);
  if (played.type === 'failed') await disk.remove(played.kept);
  if (signal.aborted || played.type === 'skipped') return { type: 'stopped' };
  const { measure, steps, workspace, cost, error } = events.collected();
  const isFatal = error === undefined ? undefined : NOT_ITS_FAULT.get(error.code);
  if (played.type === 'failed' && error !== undefined && isFatal !== undefined) {
    return { type: 'unjudged', message: error.message, isFatal };
  }
  const problems = played.type === 'failed' ? played.problems : [];
  const { turns, toolCalls, toolErrors, inputTokens, outputTokens } = measure;
  const result: RunResult = {
    ...{ story: playable.name, variant: variant.name, run },
    passed: played.type === 'passed',
    problems: problems.map((problem) => replaceWorkspace(problem, workspace, WORKSPACE)),
    ...{ turns, toolCalls, toolErrors, inputTokens, outputTokens },
    ...(cost !== undefined && { cost }),
    durationMs: played.durationMs + cachedMs,
    steps: [...steps],
  };
  return { type: 'finished', result };
}

type AddEvent = (event: AgentEvent, workspace: string, settings: Settings) => void;

/** Collects what a report says about a run. */
function collectEvents() {
  let measure = NOTHING_DONE;
  let directory = WORKSPACE;
  let error: RunError | undefined;
  let cost: number | undefined = 0;
  const steps: Step[] = [];
  const add: AddEvent = (event, workspace, { config }) => {
    directory = workspace;
    measure = addToMeasure(measure, event);
    const step = stepOf(event, workspace);
    if (step !== undefined) steps.push(step);
    if (event.type === 'run_end') error = event.error;
    if (event.type === 'usage') {
      const price = costOf(event, priceOf(event.model, config.models.prices));
      cost = price === undefined || cost === undefined ? undefined : cost + price;
    }
  };
  return { add, collected: () => ({ measure, steps, workspace: directory, cost, error }) };
}

/** A player whose questions beyond the answers of the story are denied, because a live model asks others. */
function createPlayer(
  planned: PlannedRun,
  ports: RunPorts,
  add: AddEvent,
  onCached: (ms: number) => void,
): StoryPlayer {
  const player = createYbsPlayer(async (_playable, workspace, approver) => {
    const settings = await loadSettings(planned, ports, workspace);
    const { wiring } = settings;
    const session = await wiring.openSession(
      {
        ...settings.settings,
        autoSave: false,
        model: remember(planned, settings.settings, ports, workspace, onCached),
      },
      approver,
    );
    const run: typeof session.agent.run = async function* (prompt, signal) {
      for await (const event of session.agent.run(prompt, signal)) {
        add(event, workspace, settings.settings);
        yield event;
      }
    };
    return { agent: { ...session.agent, run }, close: session.close, requests: () => [] };
  });
  return {
    skipReason: player.skipReason,
    async play(...args) {
      const { requests: _requests, ...played } = await player.play(...args);
      return { ...played, problems: [] };
    },
  };
}

async function loadSettings({ playable, variant, run }: PlannedRun, ports: RunPorts, workspace: string) {
  const { machine, mockModel, options } = ports;
  const { story, source } = playable;
  let isMock = false;
  const openFetch = async (fetchSettings: FetchSettings): Promise<Fetch> => {
    const send: Fetch = (await machine.openFetch?.(fetchSettings)) ?? fetch;
    return (url, init) =>
      send(url, isMock ? { ...init, headers: { ...init.headers, [SEED_HEADER]: String(run) } } : init);
  };
  const wiring = createWiring({ ...machine, openFetch });
  const ofStory = <Value>(key: string, value: Value | undefined, otherwise?: Value) =>
    variant.keys.has(key) ? undefined : (value ?? otherwise);
  const permissionMode = ofStory('safety.permission_mode', story.permission_mode, options.permissionMode);
  const toolProtocol = ofStory('llm.tool_protocol', story.tool_protocol);
  const settings = await wiring.loadSettings(
    {
      ...options,
      cwd: workspace,
      dryRun: story.dry_run ?? options.dryRun,
      ...(variant.file !== undefined && { variant: variant.file }),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(toolProtocol !== undefined && { toolProtocol }),
    },
    () => mockModel.start([source]),
  );
  isMock = settings.config.llm.provider === 'mock';
  return { wiring, settings };
}

/** The model of a run, whose answers are remembered. Those of the embedded mock depend on its scenarios as well. */
function remember(
  { playable, run }: PlannedRun,
  settings: Settings,
  { machine, answers, onAsked }: RunPorts,
  workspace: string,
  onCached: (durationMs: number) => void,
): Settings['model'] {
  const { model, config } = settings;
  const source = model.embedded ? playable.source.content : undefined;
  const facts = { llm: config.llm, source, run, workspace };
  const { digest, clock } = machine;
  const ports: AnswerPorts = {
    ...answers,
    ...{ digest, now: clock.now, onCached },
    onAsked: (usage) => onAsked(usage, settings),
  };
  return {
    ...model,
    open: async (effort) => rememberAnswers(await model.open(effort), facts, ports),
    async openSmall() {
      const small = await model.openSmall();
      return small === undefined ? undefined : rememberAnswers(small, facts, ports);
    },
  };
}
