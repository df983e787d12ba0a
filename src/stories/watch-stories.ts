import { messageOf } from '../agent/errors.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type { WriteText } from '../app/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import type { PlayableStory, StoryDisk, StoryResult } from './play/play-story.ts';

/** A summary of files that differs after each change. */
export interface Fingerprint {
  /** Summary of every file at or below these paths; including paths that do not exist. */
  fingerprint(paths: readonly string[]): Promise<string>;
}

export interface WatchPorts {
  /** Loads the stories again. Rejects when a file is invalid. */
  readonly load: () => Promise<readonly PlayableStory[]>;
  readonly play: (stories: readonly PlayableStory[]) => Promise<{
    readonly outcome: 'done' | 'failed' | 'aborted';
    readonly results: readonly StoryResult[];
  }>;
  readonly stop: AbortSignal;
  readonly write: WriteText;
  readonly disk: Fingerprint & Pick<StoryDisk, 'remove'>;
  readonly clock: Pick<Clock, 'sleep'>;
}

const WAITING = 'waiting for a change; Ctrl-C ends\n';

/**
 * Plays stories, and plays them again whenever a file at or below `paths`, of a workspace or of the expected files
 * changes, until `stop` aborts. A story file that is invalid for the moment is reported. Keeps the files of failed
 * stories until they are played again.
 */
export async function playAgainOnChange(
  first: readonly PlayableStory[],
  paths: readonly string[],
  ports: WatchPorts,
): Promise<'aborted'> {
  let stories: readonly PlayableStory[] | undefined = first;
  let watched = watchedBy(first, paths);
  for (;;) {
    const seen = await ports.disk.fingerprint(watched);
    let results: readonly StoryResult[] = [];
    if (stories !== undefined) {
      const played = await ports.play(stories);
      if (played.outcome === 'aborted') return 'aborted';
      results = played.results;
    }
    if (!(await ports.write(WAITING))) return 'aborted';
    if (!(await hasChanged(watched, seen, ports))) return 'aborted';
    for (const result of results) {
      if (result.type === 'failed' && result.kept !== undefined) await ports.disk.remove(result.kept);
    }
    stories = await ports.load().catch(async (error: unknown) => {
      await ports.write(`${escapeForTerminal(messageOf(error))}\n`);
      return undefined;
    });
    watched = watchedBy(stories ?? [], watched);
  }
}

function watchedBy(stories: readonly PlayableStory[], paths: readonly string[]): readonly string[] {
  return [
    ...new Set([...paths, ...stories.flatMap(({ workspace, expectedPath }) => [workspace ?? [], expectedPath].flat())]),
  ];
}

/** Time between two checks of the files. */
const CHECK_INTERVAL_MS = 300;

/**
 * Waits until the files at or below `paths` differ from those of the fingerprint `seen` and rest again, because an
 * editor or a checkout writes several files. False when it was stopped.
 */
async function hasChanged(
  paths: readonly string[],
  seen: string,
  { disk, clock, stop }: Pick<WatchPorts, 'disk' | 'clock' | 'stop'>,
): Promise<boolean> {
  let last = seen;
  while (!stop.aborted) {
    const current = await disk.fingerprint(paths);
    if (current !== seen && current === last) return true;
    last = current;
    await clock.sleep(CHECK_INTERVAL_MS, stop).catch(() => {});
  }
  return false;
}

/** The path to watch for an argument of `ybs test`: itself, or the directory in which a glob looks. */
export function watchedPath(argument: string): string {
  const special = argument.search(/[*?[\]{}()!]/);
  if (special < 0) return argument;
  const base = argument.slice(0, special).replace(/[^/]*$/, '');
  return base === '' ? '.' : base;
}
