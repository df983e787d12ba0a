import { countOf } from './count-of.ts';
import { findDoubts } from './find-doubts.ts';
import { loadScenarioFiles } from './load.ts';
import { nodeScenarioFiles } from './node-scenario-files.ts';
import { describeProblem, ScenarioError } from './scenario-error.ts';
import { createScenarioSet } from './scenario-set.ts';

/** What a command that ends by itself prints, and its exit code. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly text: string;
}

/**
 * Checks scenario files. Exit code 0: they are fine; 1: they load, but some of it will not do what was meant; 2: they
 * do not load. Two lines for each problem: `file: path: reason`, and the fix.
 */
export async function runValidate(paths: readonly string[]): Promise<CommandResult> {
  try {
    const files = await loadScenarioFiles(paths, nodeScenarioFiles);
    const { scenarios } = createScenarioSet(files);
    const doubts = findDoubts(files);
    const lines = doubts.map(describeProblem);
    const loaded = `${countOf(scenarios.length, 'scenario')} in ${countOf(files.length, 'file')}`;
    const summary = `${loaded}, ${countOf(doubts.length, 'problem')}`;
    return { exitCode: doubts.length > 0 ? 1 : 0, text: [...lines, summary].join('\n') };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { exitCode: 2, text: error.message };
  }
}
