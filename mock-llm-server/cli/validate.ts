import { findWarnings } from '../scenario/find-warnings.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/load.ts';
import { createScenarioSet } from '../scenario/prepare.ts';
import { describeProblem, ScenarioError } from '../scenario/problems.ts';
import { countOf } from '../text.ts';

/** Exit code and output of a command that ends by itself. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly text: string;
}

/**
 * Checks scenario files. Exit code 0: no warnings; 1: warnings; 2: the files do not load. Two lines for each problem: `file: path: reason`, and the fix.
 */
export async function runValidate(paths: readonly string[]): Promise<CommandResult> {
  try {
    const files = await loadScenarioFiles(paths, nodeScenarioFiles);
    const { scenarios } = createScenarioSet(files);
    const warnings = findWarnings(files);
    const lines = warnings.map(describeProblem);
    const loaded = `${countOf(scenarios.length, 'scenario')} in ${countOf(files.length, 'file')}`;
    const summary = `${loaded}, ${countOf(warnings.length, 'warning')}`;
    return { exitCode: warnings.length > 0 ? 1 : 0, text: [...lines, summary].join('\n') };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { exitCode: 2, text: error.message };
  }
}
