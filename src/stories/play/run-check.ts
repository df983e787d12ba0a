import type { Machine } from '../../app/settings.ts';
import type { Config } from '../../config/schema.ts';
import { assumedTrust } from '../../config/trust/project-trust.ts';
import type { SandboxRules } from '../../policy/sandbox/rules.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { shellEnvironment } from '../../tools/shell/shell-environment.ts';
import type { RunCheck } from './play-story.ts';

export { createTrustCheck } from './confinement.ts';

/** Number of characters of the output that are kept. */
const KEPT_OUTPUT = 10_000;

/**
 * Runs the checks of stories in the shell of the machine, without keys of providers in their environment, and in the
 * sandbox of the settings if the story requires it. A check whose sandbox is off does not start.
 */
export function createRunCheck(machine: Machine, readConfig: () => Promise<Config>): RunCheck {
  return async ({ command, timeoutMs, sandboxed, trusted }, workingDirectory, signal) => {
    const environment = shellEnvironment(machine.environment, keyVariables([]), [], workingDirectory);
    let rules: SandboxRules | undefined;
    if (sandboxed) {
      const state = await machine.probeSandbox?.(workingDirectory);
      if (state?.type !== 'on') {
        const reason = `the sandbox is off: ${state?.reason ?? 'this system has none'}`;
        return {
          exit: { type: 'exit', cause: 'failed_to_start', reason, durationMs: 0, leftProcesses: false },
          output: '',
        };
      }
      const { readSessionSandbox } = await import('../../app/skills/session-skills.ts');
      const [config, trust] = [await readConfig(), assumedTrust(trusted)];
      rules = await readSessionSandbox({ config, trust, workspace: workingDirectory }, machine);
    }
    const { shell } = (await machine.loadSessionAdapters()).openShell(environment, rules);
    let output = '';
    for await (const event of shell.run({ command, timeoutMs, workingDirectory, environment }, signal)) {
      if (event.type === 'exit') return { exit: event, output };
      output = (output + event.text).slice(-KEPT_OUTPUT);
    }
    throw new Error(`${command} did not end`);
  };
}
