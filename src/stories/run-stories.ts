import type { CommandLineOptions } from '../cli/arguments.ts';
import { chooseModel } from '../cli/choose-model.ts';
import { EXIT_CODES } from '../cli/exit.ts';
import { openSession } from '../cli/open-session.ts';
import type { Palette } from '../cli/output.ts';
import { loadSettings } from '../cli/settings.ts';
import type { NamedScenarioFile, World } from '../cli/world.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { readStory } from './load-story.ts';
import { type OpenStoryAgent, type PlayableStory, playStory, type StoryResult } from './play-story.ts';

/** Plays stories one after the other and reports each; returns the exit code. */
export async function runStories(paths: readonly string[], options: CommandLineOptions, world: World): Promise<number> {
  const { render } = await loadSettings({ ...options, provider: 'mock' }, world);
  const files = await world.mockModel.load(paths.map((path) => world.storyFiles.resolve(path)));
  const stories = await Promise.all(
    files.map(async (file) => ({ file, playable: await readStory(file.file, file.content, world.storyFiles) })),
  );
  const stop = new AbortController();
  const unsubscribe = world.onStop(() => stop.abort());
  const results: StoryResult[] = [];
  try {
    const disk = await world.storyDisk();
    for (const { file, playable } of stories) {
      const openAgent = agentOpener(file, options, world);
      const result = await playStory(playable, { disk, openAgent, now: world.now }, stop.signal);
      if (stop.signal.aborted) {
        if (result.kept !== undefined) await disk.remove(result.kept);
        return EXIT_CODES.aborted;
      }
      results.push(result);
      if (!(await world.stdout(reportStory(result, render.palette)))) return EXIT_CODES.aborted;
    }
  } finally {
    unsubscribe();
  }
  await world.stdout(reportTotals(results));
  return results.some(({ problems }) => problems.length > 0) ? EXIT_CODES.failed : EXIT_CODES.done;
}

/** Real agents on a mock model that knows one file; the project's own configuration in the workspace counts. */
function agentOpener(file: NamedScenarioFile, options: CommandLineOptions, world: World): OpenStoryAgent {
  return async ({ story }: PlayableStory, workspace, approver) => {
    const permissionMode = story.permission_mode ?? options.permissionMode ?? 'ask';
    const dryRun = story.dry_run ?? options.dryRun;
    const chosen = { ...options, provider: 'mock', cwd: workspace, permissionMode, dryRun };
    const settings = await loadSettings(chosen, world);
    const model = await chooseModel(settings.config, world, [file]);
    const session = await openSession(
      { ...settings, approver, model: await model.ready(), modelName: model.name },
      world,
    );
    return {
      agent: session.agent,
      async close() {
        await session.close();
        await model.close();
      },
    };
  };
}

/** One line for a story that passed; for one that did not, what was wrong and where its files are. */
export function reportStory(result: StoryResult, palette: Palette): string {
  const name = escapeForTerminal(result.name, { keepNewlines: false });
  const seconds = palette('dim', `(${(result.durationMs / 1000).toFixed(1)} s)`);
  if (result.problems.length === 0) return `${palette('green', 'passed')} ${name} ${seconds}\n`;
  const problems = result.problems.map((problem) => `${indent(escapeForTerminal(problem))}\n`).join('');
  const kept = result.kept === undefined ? '' : `  the files are kept in ${escapeForTerminal(result.kept)}\n`;
  return `${palette('red', 'FAILED')} ${name} ${seconds}\n${problems}${kept}`;
}

/** The last line: `11 passed, 0 failed`. */
export function reportTotals(results: readonly StoryResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return `${results.length - failed} passed, ${failed} failed\n`;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
