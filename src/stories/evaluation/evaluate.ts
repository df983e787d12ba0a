import path from 'node:path';
import { FileSystemError, messageOf, UsageError } from '../../agent/errors.ts';
import { CONFIG_KEYS } from '../../app/config-keys.data.ts';
import { readRulesFile } from '../../app/prompt/gather-prompt.ts';
import type { Machine, SessionOptions, Settings } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import { indexKeys } from '../../config/describe/keys.ts';
import { readLayer } from '../../config/layers/read-layer.ts';
import { findSandbox } from '../../config/layers/sources.ts';
import { readText } from '../../config/load.ts';
import { priceOf } from '../../providers/target/price.ts';
import { TOOL_NAMES } from '../../tools/tools.ts';
import type { FileTree } from '../compare-trees.ts';
import { readStory, type StoryFiles } from '../load-story.ts';
import { confineCheck, createTrustCheck, mustConfine } from '../play/confinement.ts';
import type { PlayableStory, StoryDisk } from '../play/play-story.ts';
import { createRunCheck } from '../play/run-check.ts';
import { chooseShard, type Shard } from '../report/shard.ts';
import type { MockModel } from '../run-stories.ts';
import type { EvaluationBudget } from './budget.ts';
import { createEvaluationStore, type EvaluationStore } from './evaluation-store.ts';
import { orderRuns, type PlannedRun, type PlannedStory, type RunConditions, runKey, runsOf } from './plan.ts';
import { playRun, type RunPorts } from './play-run.ts';
import type { EvaluationReport } from './report/report-format.ts';
import { type EvaluationPorts, type Progress, runEvaluation } from './run-evaluation.ts';
import { type EvaluationVariant, type NamedVariant, readVariant } from './variants.ts';

/** An evaluation as the command line states it. */
export interface EvaluationRequest {
  readonly stories: readonly string[];
  readonly variants: readonly NamedVariant[];
  /** Runs of each variant; absent for those that the stories name. */
  readonly runs: number | undefined;
  readonly jobs: number;
  readonly budget: EvaluationBudget;
  readonly shard: Shard | undefined;
  /** Durations of stories by name. */
  readonly timings: ReadonlyMap<string, number> | undefined;
  readonly options: SessionOptions;
}

/** Ports of `evaluate`. */
export interface EvaluatePorts {
  readonly machine: Machine;
  readonly wiring: Pick<Wiring, 'loadSettings' | 'readConfig'>;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk & StoryFiles;
  readonly onProgress: (progress: Progress) => void;
}

/** Answers that were stored longer ago are removed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Plays stories with every variant and reports how often they passed. Continues an evaluation of the same runs that was
 * interrupted. Throws `UsageError` if it cannot be done at all; then no model was asked.
 */
export async function evaluate(
  request: EvaluationRequest,
  ports: EvaluatePorts,
  stop: AbortSignal,
): Promise<EvaluationReport> {
  const { machine, mockModel, disk, wiring } = ports;
  const { budget, jobs, shard, options } = request;
  const variants = await Promise.all(request.variants.map((variant) => checkVariant(variant, request, ports)));
  const stories = await planStories(request, ports);
  const runs = orderRuns(stories, variants);
  const confined = await mustConfineRuns(stories, request, ports);
  const store = await openStore(machine);
  const keyOf = await prepareKeys(request, variants, stories, ports);
  const answers: RunPorts['answers'] = {
    readAnswer: store.readAnswer,
    // A run continues without it: the answer only costs a second request.
    writeAnswer: (key, answer) =>
      store.writeAnswer(key, answer).catch(async (error: unknown) => {
        await machine.warn(`An answer could not be stored: ${messageOf(error)}`);
      }),
  };
  const run = createRunCheck(machine, async () => (await wiring.readConfig(options)).config);
  const runCheck = confineCheck(run, confined);
  const play: EvaluationPorts['play'] = (run, { asked, cached: onCached }, signal) => {
    const onAsked: RunPorts['onAsked'] = (usage, identity, { config }) =>
      asked(usage, priceOf(identity, config.models.prices));
    return playRun(run, { machine, mockModel, disk, runCheck, options, answers, confined, onCached, onAsked }, signal);
  };
  const report = await runEvaluation(
    { stories, variants, runs, budget, jobs },
    {
      play,
      readRun: (run) => store.readRun(keyOf(run)),
      writeRun: (run, result) => store.writeRun(keyOf(run), result),
      onProgress: ports.onProgress,
    },
    stop,
  );
  if (report.stopped === undefined) {
    for (const run of runs) await store.removeRun(keyOf(run));
    await store.removeOld(machine.clock.now() - KEPT_MS);
  }
  return { ...report, shard };
}

/** See `mustConfine`. */
async function mustConfineRuns(
  stories: readonly PlannedStory[],
  { options, variants }: EvaluationRequest,
  { machine, wiring }: EvaluatePorts,
): Promise<boolean> {
  const configs = await Promise.all(variants.map((variant) => wiring.readConfig(optionsOf(options, variant))));
  const { config, origins } = await wiring.readConfig(options);
  const plays = [config, ...configs.map((each) => each.config)].some(({ llm }) => llm.provider === 'mock');
  const sandbox = () => findSandbox({ config, origins }, machine.resolvePath('.'), machine);
  const files = stories.map(({ playable }) => playable);
  const isTrusted = createTrustCheck(machine, wiring, options);
  return mustConfine(files, sandbox, isTrusted, plays ? 'commands' : 'checks');
}

/** Reads a variant, and checks that its model can be used and that its price is known where it must be. */
async function checkVariant(
  variant: NamedVariant,
  { options, budget }: EvaluationRequest,
  { machine, wiring, mockModel }: EvaluatePorts,
): Promise<EvaluationVariant> {
  const keys = indexKeys(CONFIG_KEYS, TOOL_NAMES);
  const readKeys = async (file: string) => {
    const text = (await readText(machine.fileSystem, file)) ?? '{}';
    return [...(await readLayer(keys, file, true, text)).values.keys()];
  };
  const checked = await readVariant(variant, options, { readConfig: wiring.readConfig, readKeys });
  const settings = await wiring.loadSettings(optionsOf(options, variant), () => mockModel.start([]));
  if (budget.maxCost !== undefined && priceOfModel(settings) === undefined) {
    throw new UsageError(
      `The price of ${settings.model.name} is unknown, so --max-cost cannot be kept. Set it in models.prices, or use --max-tokens.`,
    );
  }
  return checked;
}

function optionsOf(options: SessionOptions, { file }: NamedVariant): SessionOptions {
  return file === undefined ? options : { ...options, variant: file };
}

function priceOfModel({ model, config }: Settings) {
  const [, provider = '', name = ''] = /^([^/]*)\/(.*)$/s.exec(model.name) ?? [];
  return priceOf({ provider, model: name }, config.models.prices);
}

async function planStories(
  { stories: paths, runs: wanted, variants, shard, timings }: EvaluationRequest,
  { mockModel, disk }: EvaluatePorts,
): Promise<readonly PlannedStory[]> {
  const sources = await mockModel.load(paths);
  const all = await Promise.all(sources.map((source) => readStory(source, disk)));
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new UsageError(`Two stories have the name ${twice}. Rename the directory of one of them.`);
  const chosen = shard === undefined ? all : chooseShard(all, shard, timings);
  return chosen.map((playable) => {
    const runs = runsOf(playable.name, playable.story, { wanted, variants: variants.length });
    return { playable, runs };
  });
}

/** The names of all runs in the store. */
async function prepareKeys(
  { options }: EvaluationRequest,
  variants: readonly EvaluationVariant[],
  stories: readonly PlannedStory[],
  { machine, wiring, disk }: EvaluatePorts,
): Promise<(run: PlannedRun) => string> {
  const readTree = async (directory: string | undefined): Promise<FileTree> =>
    directory === undefined ? new Map() : disk.readTree(directory);
  const trees = new Map<PlayableStory, Pick<RunConditions, 'before' | 'expected'>>();
  for (const { playable } of stories) {
    trees.set(playable, { before: await readTree(playable.workspace), expected: await readTree(playable.expected) });
  }
  const configs = new Map<EvaluationVariant, Pick<RunConditions, 'config' | 'rules'>>();
  for (const variant of variants) {
    const { config } = await wiring.readConfig(optionsOf(options, variant));
    const file = config.prompt.system_file;
    const rules =
      file === undefined ? '' : await readRulesFile(file, machine.resolvePath('.'), machine).catch(() => '');
    configs.set(variant, { config, rules });
  }
  return (run) => {
    const [tree, settings] = [trees.get(run.playable), configs.get(run.variant)];
    if (tree === undefined || settings === undefined) throw new Error('a run was not planned');
    return runKey(run, { ...tree, ...settings }, machine.digest);
  };
}

/** The store of this user: `~/.cache/ybs/eval`, or below `XDG_CACHE_HOME`. Throws `UsageError` if it cannot be used. */
async function openStore({ environment, home, platform, fileSystem }: Machine): Promise<EvaluationStore> {
  const { join, isAbsolute } = platform === 'windows' ? path.win32 : path.posix;
  const cache = environment['XDG_CACHE_HOME'] ?? '';
  const directory = join(isAbsolute(cache) ? cache : join(home, '.cache'), 'ybs', 'eval');
  const store = createEvaluationStore(directory, join, fileSystem);
  try {
    await store.prepare();
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    throw new UsageError(
      `${directory} cannot be used for answers: ${error.reason}. Set XDG_CACHE_HOME to another place.`,
    );
  }
  return store;
}
