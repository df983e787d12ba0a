import type { Machine } from '../../app/settings.ts';
import { keyVariables } from '../../providers/presets.ts';
import { shellEnvironment } from '../../tools/shell/shell-environment.ts';
import type { RunCheck } from './play-story.ts';

/** Number of characters of the output that are kept. */
const KEPT_OUTPUT = 10_000;

/** Runs the checks of stories in the shell of the machine, without keys of providers in their environment. */
export function createRunCheck({
  environment: inherited,
  loadSessionAdapters,
}: Pick<Machine, 'environment' | 'loadSessionAdapters'>): RunCheck {
  return async (check, workingDirectory, signal) => {
    const environment = shellEnvironment(inherited, keyVariables([]));
    const { shell } = (await loadSessionAdapters()).openShell(environment);
    let output = '';
    for await (const event of shell.run({ ...check, workingDirectory, environment }, signal)) {
      if (event.type === 'exit') return { exit: event, output };
      output = (output + event.text).slice(-KEPT_OUTPUT);
    }
    throw new Error(`${check.command} did not end`);
  };
}
