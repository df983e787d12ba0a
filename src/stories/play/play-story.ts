import type { ScenarioFile, Story } from '../../../mock-llm-server/scenario/format.ts';
import type { DriftMode, ObservedPrompt, PromptLock } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { messageOf } from '../../agent/errors.ts';
import type { RunOutcome } from '../../agent/ports/events.ts';
import {
  checkRequests,
  describeUnused,
  driftIn,
  type MockRequest,
  refusedRequests,
  type StoryDrift,
} from '../check-requests.ts';
import type { FileTree } from '../compare-trees.ts';
import { type Rebased, type RebasePorts, rebase } from '../drift/rebase.ts';
import { checksOf, type EndedCheck, judgeCheck, judgeFiles, judgeWork, type StoryCheck } from '../judge-play.ts';
import type { PlayMeasure } from './measure-play.ts';

/** A scenario file with the path it was read from. */
export interface NamedScenarioFile {
  readonly file: string;
  readonly content: ScenarioFile;
  /** The prompts that were accepted; absent if the file has no lock beside it. */
  readonly lock?: PromptLock;
}

/** A story, ready to play. Directories are absolute. */
export interface PlayableStory {
  readonly name: string;
  /** Absolute path of the scenario file. */
  readonly file: string;
  readonly source: NamedScenarioFile;
  readonly story: Story;
  readonly workspace: string | undefined;
  /** The log of the session that the first run continues. */
  readonly session?: string;
  /** The expected files; without this directory the workspace must stay unchanged. */
  readonly expected: string | undefined;
  /** The directory of the expected files, whether it exists or not. */
  readonly expectedPath: string;
}

/** Result of one story. `kept` is the directory of a story that failed, if it has files. */
export type StoryResult = {
  readonly name: string;
  readonly durationMs: number;
  /** The parts of prompts that differ from the lock of the story. */
  readonly drift?: readonly StoryDrift[] | undefined;
} & (
  | {
      readonly type: 'passed';
      /** The directory of expected files that was written. */
      readonly updated?: string | undefined;
      /** The steps of its scenarios that were never used. */
      readonly warning?: string | undefined;
      /** The lock that `--rebase` has written, or left unchanged. */
      readonly rebased?: Exclude<Rebased, { readonly type: 'refused' }> | undefined;
    }
  | { readonly type: 'failed'; readonly problems: readonly string[]; readonly kept?: string | undefined }
  | { readonly type: 'skipped'; readonly reason: string }
);

export interface StoryDisk {
  /** Creates a directory with a copy of `source`, or an empty one; returns its real path. */
  createWorkspace(source: string | undefined): Promise<string>;
  /** Reads every file below the directory; ignores empty directories. */
  readTree(directory: string): Promise<FileTree>;
  remove(directory: string): Promise<void>;
  /** Keeps a workspace. Others that are not removed because the process was killed are removed by a later one. */
  keep(directory: string): Promise<void>;
  /**
   * Replaces a directory, which may be missing, by a copy of `source`, at once and completely. A kill may leave the old
   * one aside, from where `recover` and the next `replace` bring it back.
   */
  replace(directory: string, source: string): Promise<void>;
  /** Brings back a directory whose replacement was killed. Does nothing if there is none. */
  recover(directory: string): Promise<void>;
}

/** Record of one play of a story, from which ybs decides whether the story passed. */
export interface PlayedStory {
  readonly outcome: RunOutcome | undefined;
  readonly message: string;
  /** The tool results that the model received; absent if they are unknown. */
  readonly results?: readonly string[];
  /** The text of the last answer; absent if it is unknown. */
  readonly answer?: string;
  /** The warnings that the user saw; absent if the agent does not report them. */
  readonly warnings?: readonly string[];
  /** The requests to the model, in order; absent for a model that the scenarios of the story do not play. */
  readonly requests?: readonly MockRequest[];
  /** The prompts that steps answered, if the player keeps them. */
  readonly prompts?: readonly ObservedPrompt[];
  /** Actions of the agent, as far as they are known. */
  readonly measure: Partial<PlayMeasure>;
  /** Problems that only this agent can have. */
  readonly problems: readonly string[];
  /** Texts that explain a failure: the output of the agent. */
  readonly details: readonly string[];
}

/** An agent that plays stories. */
export interface StoryPlayer {
  /** The reason why this agent cannot play a story, or `undefined`. */
  skipReason(story: Story): string | undefined | Promise<string | undefined>;
  play(playable: PlayableStory, workspace: string, signal: AbortSignal): Promise<PlayedStory>;
}

export type RunCheck = (check: StoryCheck, directory: string, signal: AbortSignal) => Promise<EndedCheck>;

export interface StoryPorts {
  readonly disk: StoryDisk;
  readonly player: StoryPlayer;
  readonly runCheck: RunCheck;
  /** Reason why the expected files of a story may not be written, `undefined` if they may. Absent to compare only. */
  readonly updateRefusal?: ((playable: PlayableStory) => string | undefined) | undefined;
  /** With `fail`, a story whose prompts differ from its lock fails; `warn` by default. */
  readonly drift?: DriftMode;
  /** Accepts the prompts of a story that passes. Absent to compare only. */
  readonly rebase?: RebasePorts | undefined;
  /** Milliseconds, for durations. */
  readonly now: () => number;
}

/**
 * Plays one story in a copy of its workspace and checks what the agent did and which files it left. The copy is removed
 * when the story passed and kept when it failed and has files. When only the files differ and `updateRefusal` allows
 * it, they become the expected ones. With `rebase`, the prompts of a story that passed become its lock.
 */
export async function playStory(playable: PlayableStory, ports: StoryPorts, signal: AbortSignal): Promise<StoryResult> {
  const { disk, player, now } = ports;
  const { name, workspace } = playable;
  const reason = await player.skipReason(playable.story);
  if (reason !== undefined) return { type: 'skipped', name, reason, durationMs: 0 };
  const started = now();
  const directory = await disk.createWorkspace(workspace);
  const played = await player.play(playable, directory, signal).catch((error: unknown) => messageOf(error));
  const durationMs = now() - started;
  const trees = {
    before: workspace === undefined ? new Map() : await disk.readTree(workspace),
    expected: playable.expected === undefined ? undefined : await disk.readTree(playable.expected),
    after: await disk.readTree(directory),
  };
  const problems =
    typeof played === 'string'
      ? [`could not be played: ${played}`]
      : [
          ...checkStory(playable, played),
          ...judgeWork(playable.story, played.measure, trees),
          ...(await runChecks(playable, directory, ports, signal)),
        ];
  const differences = typeof played === 'string' ? [] : judgeFiles(playable.story, trees);
  let updated: string | undefined;
  if (problems.length === 0 && differences.length > 0 && ports.updateRefusal !== undefined) {
    const refusal = ports.updateRefusal(playable);
    if (refusal === undefined) {
      updated = playable.expectedPath;
      await disk.replace(updated, directory);
    } else {
      problems.push(`--update did not write ${playable.expectedPath}: ${refusal}`);
    }
  }
  if (updated === undefined) problems.push(...differences);
  const { requests, prompts = [], details = [] }: Partial<PlayedStory> = typeof played === 'string' ? {} : played;
  const result = problems.length === 0 ? await rebaseWith(playable, prompts, ports, signal) : undefined;
  const rebased = result?.type === 'refused' ? undefined : result;
  if (result?.type === 'refused') problems.push(`--rebase did not write the lock: ${result.reason}`);
  const drift = driftIn(requests ?? []);
  if (ports.drift === 'fail' && ports.rebase === undefined && drift.length > 0) problems.push(DRIFTED);
  const facts = { name, durationMs, drift: drift.length > 0 ? drift : undefined };
  if (problems.length > 0) {
    const kept = trees.after.size === 0 ? undefined : directory;
    await (kept === undefined ? disk.remove(directory) : disk.keep(kept));
    return { type: 'failed', ...facts, problems: [...problems, ...details], kept };
  }
  await disk.remove(directory);
  const warning = requests && describeUnused(requests, playable.source.content);
  return { type: 'passed', ...facts, updated, warning, rebased };
}

const DRIFTED = 'the prompt differs from the lock of the story; --rebase accepts it';

/** Writes the lock of a story that passed, if it is asked for; plays the story once more where that needs two runs. */
async function rebaseWith(
  playable: PlayableStory,
  prompts: readonly ObservedPrompt[],
  { rebase: ports, disk, player }: StoryPorts,
  signal: AbortSignal,
): Promise<Rebased | undefined> {
  if (ports === undefined) return undefined;
  const playAgain = async () => {
    const directory = await disk.createWorkspace(playable.workspace);
    try {
      return (await player.play(playable, directory, signal)).prompts ?? [];
    } finally {
      await disk.remove(directory);
    }
  };
  return rebase({ file: playable.file, lock: playable.source.lock }, prompts, playAgain, ports);
}

/** Runs the commands that must succeed, in a copy, because their files are not those of the agent. */
async function runChecks(
  { story }: PlayableStory,
  directory: string,
  { disk, runCheck }: StoryPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const checks = checksOf(story);
  if (checks.length === 0) return [];
  const copy = await disk.createWorkspace(directory);
  try {
    const problems: string[] = [];
    for (const check of checks) problems.push(...judgeCheck(check, await runCheck(check, copy, signal)));
    return problems;
  } finally {
    await disk.remove(copy);
  }
}

function checkStory({ story, source }: PlayableStory, played: PlayedStory): readonly string[] {
  const { outcome, message, results, warnings, requests, problems } = played;
  const { expected_outcome: expected = 'done' } = story;
  const ending =
    outcome === expected
      ? expected === 'done' && problems.length === 0 && requests !== undefined
        ? checkRequests(requests, source.content)
        : []
      : [`expected the outcome ${expected}, got ${outcome}: ${message}`, ...refusedRequests(requests ?? [], message)];
  return [
    ...ending,
    ...problems,
    ...(results === undefined ? [] : missingTexts('tool result', results, story.expected_result_contains)),
    ...(warnings === undefined ? [] : missingTexts('warning', warnings, story.expected_warning_contains)),
  ];
}

/** The expectation that could not be checked, because nothing sees the results that this agent sends to its server. */
function missingTexts(
  kind: 'tool result' | 'warning',
  found: readonly string[],
  wanted: readonly string[] = [],
): readonly string[] {
  const shown = found.length === 0 ? '(none)' : found.map((text, index) => `[${index + 1}] ${text}`).join('\n');
  const names = kind === 'warning' ? 'warnings' : 'results';
  return wanted
    .filter((text) => !found.some((one) => containsText(one, text)))
    .map((text) => `no ${kind} contains ${JSON.stringify(text)}; the ${names} were:\n${shown}`);
}

/** True if a result contains the text, or contains it as JSON, because some agents wrap their results in JSON. */
function containsText(result: string, text: string): boolean {
  return result.includes(text) || result.includes(JSON.stringify(text).slice(1, -1));
}
