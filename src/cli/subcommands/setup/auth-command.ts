import { UsageError } from '../../../agent/errors.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { Wiring } from '../../../app/wiring.ts';
import { escapeLine, type UserConsole } from '../../../terminal/output.ts';
import type { SubcommandRequest } from '../subcommand.ts';

/** Ports of `ybs auth status`. */
interface AuthPorts {
  readonly wiring: Pick<Wiring, 'loadSettings'>;
  readonly user: Pick<UserConsole, 'write'>;
}

/**
 * `ybs auth status`: reports whether the configured model can be used, as far as known without a request. Hosts call
 * it with `--json`. Returns the exit code: 1 without a model that can be used.
 */
export async function authStatusCommand(
  { options, ownOptions }: Pick<SubcommandRequest, 'options' | 'ownOptions'>,
  { wiring, user }: AuthPorts,
): Promise<number> {
  const { loggedIn, text, ...details } = await statusOf(options, wiring);
  await user.write(ownOptions.has('json') ? `${JSON.stringify({ loggedIn, ...details })}\n` : `${escapeLine(text)}\n`);
  return loggedIn ? EXIT_CODES.done : EXIT_CODES.failed;
}

async function statusOf(options: SubcommandRequest['options'], wiring: AuthPorts['wiring']) {
  try {
    const { model, config } = await wiring.loadSettings(options);
    const details = { authMethod: 'api_key', apiProvider: config.llm.provider };
    return { loggedIn: true, ...details, text: `ready: ${model.name}` };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { loggedIn: false, authMethod: 'none', text: error.message };
  }
}
