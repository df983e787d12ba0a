import { findWarnings } from '../scenario/loading/find-warnings.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/loading/load.ts';
import { createScenarioSet } from '../scenario/prepare.ts';
import { describeProblem } from '../scenario/problems.ts';
import { countOf } from '../text.ts';

/** Exit code and output of a command that ends by itself. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly text: string;
}

/**
 * Checks scenario files. Exit code 0: no warnings; 1: warnings, each of two lines: `file: path: reason`, and the fix.
 * Rejects with a `ScenarioError` if the files do not load.
 */
export async function runValidate(paths: readonly string[]): Promise<CommandResult> {
  const files = await loadScenarioFiles(paths, nodeScenarioFiles);
  const { scenarios } = createScenarioSet(files);
  const warnings = findWarnings(files);
  const loaded = `${countOf(scenarios.length, 'scenario')} in ${countOf(files.length, 'file')}`;
  const summary = `${loaded}, ${countOf(warnings.length, 'warning')}`;
  return { exitCode: warnings.length > 0 ? 1 : 0, text: [...warnings.map(describeProblem), summary].join('\n') };
}
