import type { ScenarioFile } from '../../mock-llm-server/scenario/format.ts';
import type { OpenSession, SessionOptions, StartMockModel, Wiring } from '../app/wiring.ts';
import type { Approver } from '../ports/approver.ts';
import type { RunOutcome } from '../ports/events.ts';
import type { Palette, WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { readStory, type StoryFiles } from './load-story.ts';
import { playStory, type StoryDisk, type StoryResult } from './play-story.ts';

/** A scenario file with the path it was read from. */
export interface NamedScenarioFile {
  readonly file: string;
  readonly content: ScenarioFile;
}

/** The model server that answers from scenario files. */
export interface MockModel {
  /** Reads scenario files, story directories, directories of them, and globs. Rejects with `ScenarioError`. */
  load(paths: readonly string[]): Promise<readonly NamedScenarioFile[]>;
  /** Starts a server on a free port of this machine that answers from these files. */
  start(files: readonly NamedScenarioFile[]): ReturnType<StartMockModel>;
}

/** Ports of `runStories`. */
export interface StoriesPorts {
  readonly wiring: Wiring;
  readonly mockModel: MockModel;
  readonly disk: StoryDisk & StoryFiles;
  /** Milliseconds, for durations. */
  readonly now: () => number;
  readonly user: {
    readonly write: WriteText;
    readonly palette: (allowed: boolean) => Palette;
    readonly onStop: (listener: () => void) => () => void;
  };
}

/** Plays the stories that files, directories and globs name, one after the other, and reports each. */
export async function runStories(
  paths: readonly string[],
  options: SessionOptions,
  { wiring, mockModel, disk, now, user }: StoriesPorts,
): Promise<Extract<RunOutcome, 'done' | 'failed' | 'aborted'>> {
  const { config } = await wiring.loadSettings({ ...options, provider: 'mock' });
  const palette = user.palette(config.ui.color);
  const scenarioFiles = await mockModel.load(paths);
  const stories = await Promise.all(
    scenarioFiles.map(async (file) => ({ file, playable: await readStory(file.file, file.content, disk) })),
  );
  const stop = new AbortController();
  const unsubscribe = user.onStop(() => stop.abort());
  const results: StoryResult[] = [];
  try {
    for (const { file, playable } of stories) {
      const { story } = playable;
      // A workspace may contain a configuration, so each story loads its own settings.
      const openAgent = async (workspace: string, approver: Approver): Promise<OpenSession> => {
        const settings = await wiring.loadSettings(
          {
            ...options,
            provider: 'mock',
            cwd: workspace,
            permissionMode: story.permission_mode ?? options.permissionMode ?? 'ask',
            dryRun: story.dry_run ?? options.dryRun,
          },
          () => mockModel.start([file]),
        );
        return wiring.openSession(settings, approver);
      };
      const result = await playStory(playable, { disk, openAgent, now }, stop.signal);
      if (stop.signal.aborted) {
        if (result.kept !== undefined) await disk.remove(result.kept);
        return 'aborted';
      }
      results.push(result);
      if (!(await user.write(reportStory(result, palette)))) return 'aborted';
    }
  } finally {
    unsubscribe();
  }
  await user.write(reportTotals(results));
  return results.some(({ problems }) => problems.length > 0) ? 'failed' : 'done';
}

/** Report of one story: a line when it passed; otherwise also its problems and the directory of its files. */
export function reportStory(result: StoryResult, palette: Palette): string {
  const name = escapeForTerminal(result.name, { keepNewlines: false });
  const seconds = palette('dim', `(${(result.durationMs / 1000).toFixed(1)} s)`);
  if (result.problems.length === 0) return `${palette('green', 'passed')} ${name} ${seconds}\n`;
  const problems = result.problems.map((problem) => `${indent(escapeForTerminal(problem))}\n`).join('');
  const kept = result.kept === undefined ? '' : `  the files are kept in ${escapeForTerminal(result.kept)}\n`;
  return `${palette('red', 'FAILED')} ${name} ${seconds}\n${problems}${kept}`;
}

/** The last line of the report: `11 passed, 0 failed`. */
export function reportTotals(results: readonly StoryResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return `${results.length - failed} passed, ${failed} failed\n`;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
