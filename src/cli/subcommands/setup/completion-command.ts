import { UsageError } from '../../../agent/errors.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { choiceProblem } from '../../../text/suggest.ts';
import { COMPLETION_SHELLS } from '../../command-line/completion-offers.ts';
import { completionScript } from '../../command-line/completion-script.ts';
import type { RunSubcommand, Subcommand } from '../subcommand.ts';

/** `ybs completion SHELL`: prints the script that completes the command line, whose subcommands are these. */
export function createCompletionCommand(subcommands: readonly Subcommand[]): RunSubcommand {
  return async ({ args }, { user }) => {
    const [wanted = ''] = args;
    const shell = COMPLETION_SHELLS.find((name) => name === wanted);
    if (shell === undefined)
      throw new UsageError(choiceProblem('The shell of ybs completion', wanted, COMPLETION_SHELLS));
    await user.write(completionScript(shell, subcommands));
    return EXIT_CODES.done;
  };
}
