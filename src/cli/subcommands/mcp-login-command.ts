import { UsageError } from '../../agent/errors.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { createLogins, type UserLogin } from '../../app/mcp/logins.ts';
import { configuredServers } from '../../app/mcp/session-servers.ts';
import { configuredVariables } from '../../config/agent-settings.ts';
import { workspaceOf } from '../../config/layers/sources.ts';
import { isThisMachine } from '../../providers/target/endpoint.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';
import { didYouMean } from '../../text/suggest.ts';
import { expandEntry } from '../../tools/mcp/connection/expand-entry.ts';
import { boundedFetch } from '../../tools/mcp/connection/http-transport.ts';
import { logIn } from '../../tools/mcp/login/login.ts';
import type { McpServerSettings } from '../../tools/mcp/settings.ts';
import type { SubcommandPorts, SubcommandRequest } from './subcommand.ts';

type LoginCommandPorts = Pick<SubcommandPorts, 'wiring' | 'machine' | 'user'>;

/** `ybs mcp login NAME`: logs in to a server over HTTP in the browser. */
export async function loginCommand(
  request: Pick<SubcommandRequest, 'args' | 'options' | 'ownOptions'>,
  ports: LoginCommandPorts,
): Promise<number> {
  const { machine, user } = ports;
  const { server, login, config } = await findServer(request, ports);
  const pages = (await machine.openLogins?.())?.pages;
  if (pages === undefined) throw new UsageError('Nothing can wait for a login here.');
  const {
    url = '',
    headers = {},
    oauth = {},
  } = expandEntry(server, machine.environment, keyVariables(configuredVariables(config)));
  const local = isThisMachine(new URL(url).hostname);
  const send = (await machine.openFetch?.({ local, caFile: config.llm.ca_file })) ?? fetch;
  const callback = await pages.openCallback(oauth.callback_port);
  const showPage = async (page: URL): Promise<void> => {
    await user.write(
      `Open this page to log in to ${server.name} (${page.host}):\n\n${escapeForTerminal(page.href)}\n\n`,
    );
    if (user.interactive) pages.show(page.href);
  };
  const loginPorts = { fetch: boundedFetch(new URL(url), headers, send), callback, showPage, newId: machine.newId };
  const [missing] = request.ownOptions.get('scope') ?? [];
  try {
    await untilStopped(user.onStop, ({ signal }) => logIn(new URL(url), oauth, login, loginPorts, signal, missing));
  } finally {
    await callback.close();
  }
  const where = (await login.isInFile())
    ? `There is no keyring that can be used, so the token is in a file that only you can read: ${escapeLine(login.file)}`
    : 'The token is in the keyring of the system.';
  await user.write(`Logged in to ${server.name}. ${where}\n`);
  return EXIT_CODES.done;
}

/** `ybs mcp logout NAME`: removes the token of a server. */
export async function logoutCommand(
  request: Pick<SubcommandRequest, 'args' | 'options'>,
  ports: LoginCommandPorts,
): Promise<number> {
  const { server, login } = await findServer(request, ports);
  const removed = await login.locked(() => login.remove());
  await ports.user.write(removed ? `Logged out of ${server.name}.\n` : `There was no login to ${server.name}.\n`);
  return EXIT_CODES.done;
}

async function findServer(
  { args, options }: Pick<SubcommandRequest, 'args' | 'options'>,
  { wiring, machine }: LoginCommandPorts,
): Promise<{
  readonly server: McpServerSettings;
  readonly login: UserLogin;
  readonly config: Awaited<ReturnType<LoginCommandPorts['wiring']['readConfig']>>['config'];
}> {
  const [name = ''] = args;
  const workspace = await workspaceOf(options, machine);
  const { config, trust } = await wiring.readConfig(options);
  const { readProjectServers } = await import('../../app/mcp/project-servers.ts');
  const own = configuredServers(config, machine);
  const all = [...own, ...(await readProjectServers({ workspace, trust }, machine))];
  const servers = all.filter(({ entry }) => entry.url !== undefined);
  const server = servers.find((each) => each.name === name);
  if (server === undefined) {
    const names = servers.map((each) => each.name);
    const hint = didYouMean(name, names, ' ybs mcp list lists the servers.');
    throw new UsageError(`There is no server ${escapeLine(name)} over HTTP.${hint}`);
  }
  return { server, login: createLogins(config, workspace, machine)(server), config };
}
