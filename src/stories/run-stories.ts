import type { SessionOptions, Wiring } from '../app/wiring.ts';
import type { RunOutcome } from '../ports/events.ts';
import type { Palette, WriteText } from '../ports/terminal.ts';
import { readAgent } from './agents/agent-setup.ts';
import { readStory, type StoryFiles } from './load-story.ts';
import {
  type NamedScenarioFile,
  type PlayableStory,
  playStory,
  type StoryDisk,
  type StoryPlayer,
  type StoryResult,
} from './play-story.ts';
import { type CommandPorts, createCommandPlayer, type RunningModel } from './play-with-command.ts';
import { createYbsPlayer } from './play-with-ybs.ts';
import { createReporter, type ReporterName } from './report.ts';

/** The model server that answers from scenario files. */
export interface MockModel {
  /** Reads scenario files, story directories, directories of them, and globs. Rejects with `ScenarioError`. */
  load(paths: readonly string[]): Promise<readonly NamedScenarioFile[]>;
  /** Starts a server on a free port of this machine that answers from these files. */
  start(files: readonly NamedScenarioFile[]): Promise<RunningModel>;
}

/** Options of `ybs test`. */
export interface StoriesOptions extends SessionOptions {
  /** The agent that plays: a command with `{prompt}`, or the name of a known one. Absent for ybs itself. */
  readonly agent?: string;
  readonly reporter: ReporterName;
}

/** Ports of `runStories`. */
export interface StoriesPorts extends Pick<CommandPorts, 'runProgram' | 'environment'> {
  readonly wiring: Wiring;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk & StoryFiles & CommandPorts['disk'];
  /** Reason why agents can reach other hosts; absent when they run in a network namespace. */
  readonly reachable?: string;
  /** Milliseconds, for durations. */
  readonly now: () => number;
  readonly user: {
    readonly write: WriteText;
    readonly palette: (allowed: boolean) => Palette;
    readonly onStop: (listener: () => void) => () => void;
  };
}

/**
 * Plays the stories that files, directories and globs name, one after the other, and reports each. Fails when a story
 * failed or none was played.
 */
export async function runStories(
  paths: readonly string[],
  options: StoriesOptions,
  ports: StoriesPorts,
): Promise<Extract<RunOutcome, 'done' | 'failed' | 'aborted'>> {
  const { wiring, mockModel, disk, user } = ports;
  const { config } = await wiring.loadSettings({ ...options, provider: 'mock' });
  const reporter = createReporter(options.reporter, user.palette(config.ui.color));
  const player = await createPlayer(options, ports);
  const sources = await mockModel.load(paths);
  const stories = await Promise.all(sources.map((source) => readStory(source, disk)));
  const facts = options.agent === undefined ? {} : { agent: options.agent, ...reachableOf(ports) };
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => stop.abort());
  const results: StoryResult[] = [];
  try {
    if (!(await user.write(reporter.start(facts)))) return 'aborted';
    for (const playable of stories) {
      const result = await playStory(playable, { disk, player, now: ports.now }, stop.signal);
      if (stop.signal.aborted) {
        if (result.type === 'failed') await disk.remove(result.kept);
        return 'aborted';
      }
      results.push(result);
      if (!(await user.write(reporter.story(result)))) return 'aborted';
    }
  } finally {
    unsubscribe();
  }
  await user.write(reporter.end(results, facts));
  const played = results.filter(({ type }) => type !== 'skipped');
  return played.length === 0 || played.some(({ type }) => type === 'failed') ? 'failed' : 'done';
}

function reachableOf({ reachable }: StoriesPorts): { readonly reachable?: string } {
  return reachable === undefined ? {} : { reachable };
}

async function createPlayer(options: StoriesOptions, ports: StoriesPorts): Promise<StoryPlayer> {
  const { mockModel, disk, runProgram, environment } = ports;
  if (options.agent === undefined) return createYbsPlayer(openWith(options, ports));
  const agent = await readAgent(options.agent, async (word) => {
    // A plain word is a program or an argument, even if a file has this name.
    if (!/[./\\]/.test(word) || (await disk.kindOf(word)) !== 'file') return undefined;
    return disk.resolve(word);
  });
  const startModel = (source: NamedScenarioFile) => mockModel.start([source]);
  return createCommandPlayer(agent, { startModel, runProgram, disk, environment });
}

/** Opens ybs in the workspace of a story. A workspace may contain a configuration, so each story has its own settings. */
function openWith(options: StoriesOptions, { wiring, mockModel }: StoriesPorts): Parameters<typeof createYbsPlayer>[0] {
  return async ({ source, story }: PlayableStory, cwd, approver) => {
    let model: RunningModel | undefined;
    const settings = await wiring.loadSettings(
      {
        ...options,
        provider: 'mock',
        cwd,
        permissionMode: story.permission_mode ?? options.permissionMode ?? 'ask',
        dryRun: story.dry_run ?? options.dryRun,
      },
      async () => {
        model = await mockModel.start([source]);
        return model;
      },
    );
    const session = await wiring.openSession(settings, approver);
    return { ...session, requests: () => model?.requests ?? [] };
  };
}
