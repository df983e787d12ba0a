import type { AgentEvent, RunError } from '../../agent/ports/events.ts';
import type { SandboxState } from '../../agent/ports/shell.ts';
import type { Machine, SessionOptions, Settings } from '../../app/settings.ts';
import { createWiring } from '../../app/wiring.ts';
import { createRedactor, secretsOf } from '../../policy/redaction/redact.ts';
import type { Fetch } from '../../providers/http/fetch-stream.ts';
import type { FetchSettings } from '../../providers/target/choose-model.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { costOf, priceOf } from '../../providers/target/price.ts';
import { addToMeasure, NOTHING_DONE } from '../play/measure-play.ts';
import { playStory, type RunCheck, type StoryDisk, type StoryPlayer } from '../play/play-story.ts';
import { createYbsPlayer } from '../play/play-with-ybs.ts';
import type { MockModel } from '../run-stories.ts';
import { hidePlaces, type RunPlaces } from './answer-key.ts';
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

export interface RunPorts {
  readonly machine: Machine;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk;
  readonly runCheck: RunCheck;
  readonly options: SessionOptions;
  readonly answers: Pick<AnswerPorts, 'readAnswer' | 'writeAnswer'>;
  /** The commands of stories run in the sandbox. */
  readonly confined: boolean;
  readonly onCached: () => void;
  readonly onAsked: (...request: [...Parameters<AnswerPorts['onAsked']>, settings: Settings]) => void;
}

/** The header with the run for the mock model, so that its chances differ from run to run. */
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
  const record = new RunRecord(machine);
  const player = createPlayer(planned, ports, record);
  const played = await playStory(playable, { disk, player, runCheck, now: machine.clock.now }, signal);
  if (played.type === 'failed' && played.kept !== undefined) await disk.remove(played.kept);
  if (signal.aborted) return { type: 'stopped' };
  if (played.type === 'skipped') return { type: 'unjudged', message: played.reason, isFatal: false };
  const { error, cost } = record;
  const isFatal = error === undefined ? undefined : NOT_ITS_FAULT.get(error.code);
  if (played.type === 'failed' && error !== undefined && isFatal !== undefined) {
    return { type: 'unjudged', message: error.message, isFatal };
  }
  const problems = played.type === 'failed' ? played.problems : [];
  const { turns, toolCalls, toolErrors, inputTokens, outputTokens } = record.measure;
  const result: RunResult = {
    ...{ story: playable.name, variant: variant.name, run },
    passed: played.type === 'passed',
    problems: problems.map((problem) => record.clean(problem)),
    ...{ turns, toolCalls, toolErrors, inputTokens, outputTokens },
    cost,
    durationMs: played.durationMs + record.cachedMs,
    steps: record.steps,
  };
  return { type: 'finished', result };
}

/** Stands for the workspace of a run, and for the directory of its long outputs. */
const [WORKSPACE, OUTPUTS] = ['<workspace>', '<outputs>'];

/** State of a run that is under way, for its report. */
class RunRecord {
  measure = NOTHING_DONE;
  places: RunPlaces = [];
  error: RunError | undefined;
  /** In US dollars; undefined once a price is unknown. */
  cost: number | undefined = 0;
  /** Time that the answers from the cache once took. */
  cachedMs = 0;
  readonly steps: Step[] = [];
  readonly #redact: (text: string) => string;

  constructor({ environment }: Pick<Machine, 'environment'>) {
    this.#redact = createRedactor(secretsOf(environment, keyVariables([]))).redact;
  }

  add(event: AgentEvent, { config }: Settings): void {
    this.measure = addToMeasure(this.measure, event);
    const step = stepOf(event, (text) => this.clean(text));
    if (step !== undefined) this.steps.push(step);
    if (event.type === 'run_end') this.error = event.error;
    if (event.type === 'usage') {
      const price = costOf(event, priceOf(event.model, config.models.prices));
      this.cost = price === undefined || this.cost === undefined ? undefined : this.cost + price;
    }
  }

  /** A text without the directories of the run and without secrets. */
  clean(text: string): string {
    return this.#redact(hidePlaces(text, this.places));
  }
}

const SKIPPED = 'skipped: the story continues a session, and only ybs test plays such stories';

/** A player whose questions beyond the answers of the story are denied, because a live model asks others. */
function createPlayer(planned: PlannedRun, ports: RunPorts, record: RunRecord): StoryPlayer {
  const player = createYbsPlayer(async (_playable, workspace, approver) => {
    record.places = [{ path: workspace, name: WORKSPACE }];
    const { wiring, settings } = await loadSettings(planned, ports, workspace);
    const model = remember(planned, settings, ports, record);
    const session = await wiring.openSession({ ...settings, autoSave: false, model }, approver);
    const outputs = session.agent.record.outputDirectories.map((path) => ({ path, name: OUTPUTS }));
    record.places = [...record.places, ...outputs];
    return { ...session, onEvent: (event) => record.add(event, settings) };
  });
  return {
    async skipReason({ session, sandbox }) {
      if (session !== undefined) return SKIPPED;
      if (sandbox !== 'required') return undefined;
      const state = await ports.machine.probeSandbox?.(ports.machine.resolvePath('.'));
      return state?.type === 'off' ? `skipped: it requires the sandbox, which is off: ${state.reason}` : undefined;
    },
    async play(...args) {
      return { ...(await player.play(...args)), problems: [] };
    },
  };
}

async function loadSettings({ playable, variant, run }: PlannedRun, ports: RunPorts, workspace: string) {
  const { machine, mockModel, options, confined } = ports;
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
      trusted: story.trust ?? true,
      dryRun: story.dry_run ?? options.dryRun,
      ...(variant.file !== undefined && { variant: variant.file }),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(toolProtocol !== undefined && { toolProtocol }),
    },
    () => mockModel.start([source]),
  );
  isMock = settings.config.llm.provider === 'mock';
  const isFree = isMock && story.sandbox !== 'required' && !variant.keys.has('safety.sandbox_enabled');
  return { wiring, settings: isFree ? { ...settings, confined, sandbox: async () => SANDBOX_OFF } : settings };
}

/** A story is decided alike on every machine. Only the commands of a real model, which are not known in advance, are not. */
const SANDBOX_OFF: SandboxState = { type: 'off', reason: 'the story does not require it', chosen: true };

/** The model of a run, whose answers are remembered. Those of the embedded mock depend on its scenarios as well. */
function remember(
  { playable, run }: PlannedRun,
  settings: Settings,
  { machine, answers, onAsked, onCached }: RunPorts,
  record: RunRecord,
): Settings['model'] {
  const { model, config } = settings;
  const source = model.embedded ? playable.source.content : undefined;
  const facts = { llm: config.llm, source, run, places: () => record.places };
  const ports: AnswerPorts = {
    ...answers,
    ...{ digest: machine.digest, now: machine.clock.now },
    onCached(durationMs) {
      record.cachedMs += durationMs;
      onCached();
    },
    onAsked: (usage, identity) => onAsked(usage, identity, settings),
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
