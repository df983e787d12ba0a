import type { DriftMode } from '../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type { RunOutcome } from '../agent/ports/events.ts';
import { untilStopped } from '../app/driver/until-stopped.ts';
import type { SessionOptions, Settings } from '../app/settings.ts';
import type { Palette, WriteText } from '../app/terminal.ts';
import type { Wiring } from '../app/wiring.ts';
import { NO_EXTERNAL_TOOLS } from '../tools/external-tools.ts';
import { type ForeignAgent, readForeignAgent } from './agents/agent-setup.ts';
import { type DraftLock, isLockOf, type RebasePorts } from './drift/rebase.ts';
import { readStory, type StoryFiles, updateRefusal } from './load-story.ts';
import { confineCheck, type IsTrusted, mustConfine } from './play/confinement.ts';
import {
  type NamedScenarioFile,
  type PlayableStory,
  playStory,
  type RunCheck,
  type StoryDisk,
  type StoryPlayer,
  type StoryResult,
} from './play/play-story.ts';
import { type CommandPlayPorts, createCommandPlayer, type RunningModel } from './play/play-with-command.ts';
import { createYbsPlayer } from './play/play-with-ybs.ts';
import { chooseServerModel, type NamedServer, whileServerRuns, withAnswerCheck } from './play/server-model.ts';
import { createReporter, hasFailed, type Reporter, type ReportFacts } from './report/report-stories.ts';
import { chooseShard, readShard } from './report/shard.ts';
import type { ReporterName } from './report/write-report.ts';
import { type Fingerprint, playAgainOnChange, watchedPath } from './watch-stories.ts';

/** The model server that answers from scenario files. */
export interface MockModel {
  /** Reads scenario files, story directories, directories of them, and globs. Rejects with `ScenarioError`. */
  load(paths: readonly string[]): Promise<readonly NamedScenarioFile[]>;
  /** Starts a server on a free port of this machine that answers from these files. */
  start(files: readonly NamedScenarioFile[], options?: ModelOptions): Promise<RunningModel>;
  /** Starts a server that passes requests on to the server at this address, and reads them and their answers. */
  watch(endpoint: string): Promise<RunningModel>;
  readonly draftLock: DraftLock;
}

export interface ModelOptions {
  /** Report of the parts of prompts that differ from the lock of their story; `off` by default. */
  readonly drift?: DriftMode;
  /** True: keeps the prompts of all requests. */
  readonly keepsPrompts?: boolean;
}

/** Options of `ybs test`. */
export interface StoriesOptions extends SessionOptions {
  /** The agent that plays: a command with `{prompt}`, or the name of a known one. Absent for ybs itself. */
  readonly agent?: string;
  readonly reporter: ReporterName;
  /** Rewrites the expected files. */
  readonly update: boolean;
  /** Treatment of prompts that differ from the lock of their story. */
  readonly drift: DriftMode;
  /** Rewrites the locks of stories that pass. */
  readonly rebase: boolean;
  /** Plays again after each change of a file. */
  readonly watch: boolean;
  /** Value of `--shard`, of which only the stories are played. */
  readonly shard?: string;
  /** A report in JSON with the durations of stories. */
  readonly timings?: string;
  /** The paths are reports of shards, which become one report. */
  readonly merge?: boolean;
  /** The file for the report as a page. */
  readonly html?: string;
}

export interface StoriesPorts extends Pick<CommandPlayPorts, 'runProgram' | 'environment'> {
  readonly wiring: Wiring;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk & StoryFiles & CommandPlayPorts['disk'] & Fingerprint & RebasePorts['disk'];
  /** Reason why agents can reach other hosts; absent when they run in a network namespace. */
  readonly reachable?: string;
  /** Runs the commands that must succeed after a story. */
  readonly runCheck: RunCheck;
  readonly isTrusted: IsTrusted;
  readonly clock: Clock;
  readonly user: {
    readonly write: WriteText;
    readonly palette: (allowed: boolean) => Palette;
    readonly onStop: (listener: () => void) => () => void;
  };
}

/** Outcomes of `ybs test`. */
type StoriesOutcome = Extract<RunOutcome, 'done' | 'failed' | 'aborted'>;

/**
 * Plays the stories that files, directories and globs name, one after the other, and reports each. Fails when a story
 * failed or none was played. With `watch`, plays them again after each change until it is stopped.
 */
export async function runStories(
  paths: readonly string[],
  options: StoriesOptions,
  ports: StoriesPorts,
): Promise<StoriesOutcome> {
  const { config, sandbox } = await ports.wiring.loadSettings({ ...options, provider: 'mock', endpoint: undefined });
  const reporter = createReporter(options.reporter, ports.user.palette(config.ui.color));
  if (options.merge === true) {
    const { mergeStories } = await import('./report/merge-stories.ts');
    const writePage = pageWriter(options, ports);
    return mergeStories(paths, reporter, { disk: ports.disk, write: ports.user.write, writePage });
  }
  const agent = options.agent === undefined ? undefined : await readForeignAgent(options.agent, findFileIn(ports.disk));
  return untilStopped(ports.user.onStop, async (stop) => {
    const server = await serverOf(options, ports, stop.signal);
    const play = async (stories: readonly PlayableStory[]) => {
      const confined = await mustConfine(
        stories,
        sandbox,
        ports.isTrusted,
        agent === undefined ? 'commands' : 'checks',
      );
      const ybs = () => {
        const player = createYbsPlayer(openWith(options, ports, server, confined), () =>
          missingSandbox(sandbox, ports),
        );
        return server === undefined ? player : whileServerRuns(player, server, ports.wiring);
      };
      const own = agent === undefined ? ybs() : commandPlayer(agent, options, ports);
      const player = options.endpoint === undefined ? own : withAnswerCheck(own);
      const runCheck = confineCheck(ports.runCheck, confined);
      return playAll(stories, options, { ...ports, reporter, player, runCheck }, stop);
    };
    const load = () => loadStories(paths, options, ports);
    const stories = await load();
    if (!options.watch) return (await play(stories)).outcome;
    return await playAgainOnChange(stories, [...paths.map(watchedPath), ...(agent?.files ?? [])], {
      ...{ load, play, stop: stop.signal, write: ports.user.write, disk: ports.disk, clock: ports.clock },
    });
  });
}

/** The model on the server of `--endpoint`, if ybs plays. Rejects before any story if nothing answers there. */
async function serverOf(
  options: StoriesOptions,
  { wiring, mockModel }: StoriesPorts,
  signal: AbortSignal,
): Promise<NamedServer | undefined> {
  const { endpoint, agent } = options;
  if (endpoint === undefined) return undefined;
  if (agent === undefined) return chooseServerModel({ ...options, endpoint }, wiring, signal);
  await (await mockModel.watch(endpoint)).close();
  return undefined;
}

async function loadStories(
  paths: readonly string[],
  { update, shard, timings }: StoriesOptions,
  { mockModel, disk }: StoriesPorts,
): Promise<readonly PlayableStory[]> {
  const sources = await mockModel.load(paths);
  const stories = await Promise.all(sources.map((source) => readStory(source, disk, { createsExpected: update })));
  if (shard === undefined) return stories;
  if (timings === undefined) return chooseShard(stories, readShard(shard));
  const { readTimings } = await import('./report/read-reports.ts');
  return chooseShard(stories, readShard(shard), await readTimings(timings, disk));
}

/** Plays every story once and reports it. */
async function playAll(
  stories: readonly PlayableStory[],
  options: StoriesOptions,
  ports: StoriesPorts & { readonly reporter: Reporter; readonly player: StoryPlayer },
  { signal }: AbortController,
): Promise<{ readonly outcome: StoriesOutcome; readonly results: readonly StoryResult[] }> {
  const { agent, update, drift, shard } = options;
  const { disk, player, runCheck, reporter, user, clock, reachable } = ports;
  const facts = {
    agent,
    reachable: agent === undefined ? undefined : reachable,
    shard: shard === undefined ? undefined : readShard(shard),
  };
  const storyPorts = {
    ...{ disk, player, runCheck, drift, now: clock.now },
    rebase: options.rebase ? { disk, agent: agentOf(options), draftLock: ports.mockModel.draftLock } : undefined,
    updateRefusal: update ? (playable: PlayableStory) => updateRefusal(playable, stories) : undefined,
  };
  const results: StoryResult[] = [];
  if (!(await user.write(reporter.start(facts)))) return { outcome: 'aborted', results };
  for (const playable of stories) {
    const result = await playStory(playable, storyPorts, signal);
    if (signal.aborted) {
      if (result.type === 'failed' && result.kept !== undefined) await disk.remove(result.kept);
      return { outcome: 'aborted', results };
    }
    results.push(result);
    if (!(await user.write(reporter.story(result)))) return { outcome: 'aborted', results };
  }
  await pageWriter(options, ports)(results, facts);
  await user.write(reporter.end(results, facts));
  return { outcome: hasFailed(results) ? 'failed' : 'done', results };
}

/** Writes the report as a page, if that is wanted. */
function pageWriter({ html }: StoriesOptions, { disk }: Pick<StoriesPorts, 'disk'>) {
  return async (results: readonly StoryResult[], facts: ReportFacts): Promise<void> => {
    if (html === undefined) return;
    const { storiesHtml } = await import('./report/stories-page.ts');
    await disk.writeFile(disk.resolve(html), storiesHtml(results, facts));
  };
}

/** The reason why there is no sandbox. With YBS_REQUIRE_SANDBOX=1 the story is played, and fails for that reason. */
async function missingSandbox(
  probe: Settings['sandbox'],
  { environment }: Pick<StoriesPorts, 'environment'>,
): Promise<string | undefined> {
  const state = await probe?.();
  if (state?.type === 'on' || environment['YBS_REQUIRE_SANDBOX'] === '1') return undefined;
  return state?.reason ?? 'this system has none';
}

/** Finds the file that a word of a command names. A plain word is a program or an argument, even if it names a file. */
function findFileIn(disk: StoryFiles): (word: string) => Promise<string | undefined> {
  return async (word) => {
    if (!/[./\\]/.test(word) || (await disk.kindOf(word)) !== 'file') return undefined;
    return disk.resolve(word);
  };
}

function commandPlayer(agent: ForeignAgent, options: StoriesOptions, ports: StoriesPorts): StoryPlayer {
  const { mockModel, disk, runProgram, environment } = ports;
  const { endpoint } = options;
  const startModel = async (source: NamedScenarioFile) =>
    endpoint === undefined ? mockModel.start([source], modelOptions(source, options)) : mockModel.watch(endpoint);
  return createCommandPlayer(agent, { startModel, runProgram, disk, environment });
}

/** The agent that plays, as locks name it. */
function agentOf({ agent = 'ybs' }: StoriesOptions): string {
  return agent;
}

/** A lock with the prompts of another agent says nothing about this one. */
function modelOptions({ lock }: NamedScenarioFile, options: StoriesOptions): ModelOptions {
  const drift = lock === undefined || isLockOf(lock, agentOf(options)) ? options.drift : 'off';
  return { drift, keepsPrompts: options.rebase };
}

/** Opens ybs in the workspace of a story. A workspace may contain a configuration, so each story has its own settings. */
function openWith(
  options: StoriesOptions,
  { wiring, mockModel, disk }: StoriesPorts,
  server: Pick<SessionOptions, 'provider' | 'model' | 'endpoint'> | undefined,
  confined: boolean,
): Parameters<typeof createYbsPlayer>[0] {
  return async ({ source, story, session: log }: PlayableStory, cwd, approver) => {
    let model: RunningModel | undefined;
    const settings = await wiring.loadSettings(
      {
        ...options,
        ...(server ?? { provider: 'mock' }),
        cwd,
        trusted: story.trust ?? true,
        permissionMode: story.permission_mode ?? options.permissionMode ?? 'ask',
        dryRun: story.dry_run ?? options.dryRun,
        // A story is decided alike on every machine, unless it is about the sandbox.
        noSandbox: story.sandbox !== 'required',
        ...(story.tool_protocol !== undefined && { toolProtocol: story.tool_protocol }),
      },
      async () => {
        model = await mockModel.start([source], modelOptions(source, options));
        return model;
      },
    );
    const sandbox = story.sandbox === 'required' ? await settings.sandbox?.() : undefined;
    if (sandbox?.type === 'off') throw new Error(`the story requires the sandbox, which is off: ${sandbox.reason}`);
    const stored = log === undefined ? undefined : await storeLog(log, settings, disk);
    const session = await wiring.openSession(
      { ...settings, confined, autoSave: false, externalTools: NO_EXTERNAL_TOOLS, ...stored?.settings },
      approver,
      stored?.chosen,
    );
    const close = async (): Promise<void> => {
      await session.close();
      await stored?.remove();
    };
    if (server !== undefined) return { ...session, close };
    return { ...session, close, requests: () => model?.requests ?? [], prompts: () => model?.prompts() ?? [] };
  };
}

/** Stores a copy of a log, so that the agent can go on with its session and write to it. */
async function storeLog(
  log: string,
  { config }: Awaited<ReturnType<Wiring['loadSettings']>>,
  disk: StoriesPorts['disk'],
) {
  const directory = await disk.createWorkspace(undefined);
  const chosen = { type: 'stored', name: 'session' } as const;
  await disk.writeFile(disk.resolve(directory, `${chosen.name}.jsonl`), await disk.readFile(log));
  const session = { ...config.session, storage_path: directory };
  return { settings: { autoSave: true, config: { ...config, session } }, chosen, remove: () => disk.remove(directory) };
}
