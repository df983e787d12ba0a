import { ModelError, UsageError } from '../../../agent/errors.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';

/**
 * `ybs auth status`: reports whether the configured model can be used, as far as known without a request. A program that
 * prints the key is run. Hosts call it with `--json`. Returns the exit code: 1 without a model that can be used.
 */
export async function authStatusCommand(
  request: Pick<SubcommandRequest, 'options' | 'ownOptions'>,
  ports: Uses<{ wiring: 'loadSettings'; user: 'write' }>,
): Promise<number> {
  const { text, ...status } = await statusOf(request.options, ports);
  const code = status.loggedIn ? EXIT_CODES.done : EXIT_CODES.failed;
  return report(request, ports, { json: () => status, text: () => escapeLine(text) }, code);
}

async function statusOf(options: SubcommandRequest['options'], { wiring }: Uses<{ wiring: 'loadSettings' }>) {
  try {
    const { model, config } = await wiring.loadSettings(options);
    await model.checkKey?.();
    const authMethod = model.checkKey !== undefined ? 'oauth_token' : model.isKeyless === true ? 'none' : 'api_key';
    return { loggedIn: true, authMethod, apiProvider: config.llm.provider, text: `ready: ${model.name}` };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ModelError)) throw error;
    return { loggedIn: false, authMethod: 'none', text: error.message };
  }
}
