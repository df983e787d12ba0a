import { ToolError, UsageError } from '../../agent/errors.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { createLogins } from '../../app/mcp/logins.ts';
import { readProjectServers } from '../../app/mcp/project-servers.ts';
import { configuredServers, openHttp, openSessionServers } from '../../app/mcp/session-servers.ts';
import { readSessionSandbox } from '../../app/skills/session-skills.ts';
import { configuredVariables } from '../../config/agent-settings.ts';
import { findSandbox, workspaceOf } from '../../config/layers/sources.ts';
import { projectNotice } from '../../config/trust/describe-trust.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';
import { formatSize } from '../../text/quantities.ts';
import { didYouMean } from '../../text/suggest.ts';
import { boundedFetch } from '../../tools/mcp/connection/http-transport.ts';
import { expandEntry } from '../../tools/mcp/connection/open-connection.ts';
import { describeServers } from '../../tools/mcp/describe-servers.ts';
import { type LoginCallback, logIn } from '../../tools/mcp/login/login.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import { type RunSubcommand, report, type SubcommandPorts, type SubcommandRequest } from './subcommand.ts';

/** `ybs mcp list`: the configured servers, and what is remembered of them. Starts nothing. */
export const listServersCommand: RunSubcommand = async (request, ports) => {
  const { servers, notice } = await openConfigured(request, ports);
  const json = () => ({
    servers: servers.map(({ settings, state, remembered }) => ({
      ...{ name: settings.name, state: state.type, revision: state.revision },
      tools: remembered.tools.map(({ name }) => name),
    })),
  });
  return report(request, ports, { json, text: () => escapeForTerminal(`${describeServers(servers)}${notice}`) });
};

/** `ybs mcp check NAME`: starts the server, lists its tools, and ends it. */
export const checkServerCommand: RunSubcommand = async (request, ports) => {
  const [name = ''] = request.args;
  const server = named(name, 'server', (await openConfigured(request, ports)).servers);
  const reasonOf = (error: unknown): string => {
    if (error instanceof ToolError) return error.message;
    throw error;
  };
  const check = async ({ signal }: AbortController): Promise<number> => {
    const failure = await server.listTools(signal).then(() => undefined, reasonOf);
    const tools = server.remembered.tools.map(({ name: tool, parameters }) => {
      return { name: tool, bytes: JSON.stringify(parameters).length };
    });
    const { state } = server;
    // The sentence about a failure is for the model; the state has the same facts.
    const told = state.problem === undefined && failure !== undefined ? [failure] : [];
    const rows = failure === undefined ? tools.map(({ name: tool, bytes }) => `  ${tool}  ${formatSize(bytes)}`) : told;
    return report(
      request,
      ports,
      {
        json: () => ({ name, ...state, ...(failure === undefined ? { tools } : { failure }) }),
        text: () => escapeForTerminal([describeServers([server]), ...rows].join('\n')),
      },
      failure === undefined ? EXIT_CODES.done : EXIT_CODES.failed,
    );
  };
  return untilStopped(ports.user.onStop, check).finally(() => server.close());
};

/** `ybs mcp login NAME`: logs in to a server over HTTP in the browser. */
export const loginCommand: RunSubcommand = async (request, ports) => {
  const { machine, user } = ports;
  const { server, login, config } = await findRemote(request, ports);
  const pages = (await machine.openLogins?.())?.pages;
  if (pages === undefined) throw new UsageError('Nothing can wait for a login here.');
  const { url = '', headers = {}, oauth = {} } = server.entry;
  const send = await openHttp(url, config, machine);
  const callback = await pages.openCallback(oauth.redirect_uri);
  const toDo = user.interactive
    ? 'paste the address of its last page here'
    : 'pass the address of its last page to curl on this machine';
  const showPage = async (page: URL): Promise<void> => {
    await user.write(
      `Open this page to log in to ${server.name} (${page.host}):\n\n${escapeForTerminal(page.href)}\n\nIf your browser is on another machine, ${toDo}.\n`,
    );
    if (user.interactive) pages.show(page.href);
  };
  const loginPorts = { fetch: boundedFetch(new URL(url), headers, send), showPage, newId: machine.newId };
  const [missing] = request.ownOptions.get('scope') ?? [];
  try {
    await untilStopped(user.onStop, (stop) => {
      const received = () => answerOf(callback, user, stop);
      const ports = { ...loginPorts, callback: { ...callback, received } };
      return logIn(new URL(url), oauth, login, ports, stop.signal, missing);
    });
  } finally {
    await callback.close();
  }
  const where = (await login.isInFile())
    ? `There is no keyring that can be used, so the token is in a file that only you can read: ${escapeLine(login.file)}`
    : 'The token is in the keyring of the system.';
  await user.write(`Logged in to ${server.name}. ${where}\n`);
  return EXIT_CODES.done;
};

/** The answer of a login page: as it arrives, or from the pasted address of a browser on another machine. */
async function answerOf(
  callback: LoginCallback,
  user: SubcommandPorts['user'],
  stop: AbortController,
): Promise<URLSearchParams> {
  if (!user.interactive) return callback.received(stop.signal);
  const terminal = await user.openTerminal();
  const isOver = new AbortController();
  const signal = AbortSignal.any([stop.signal, isOver.signal]);
  const arrived = callback.received(signal);
  const pasted = async (): Promise<URLSearchParams> => {
    for (;;) {
      const input = await terminal.readLine({ prompt: '> ', fresh: true }, signal);
      if (input.type === 'interrupt') stop.abort();
      if (input.type !== 'line') return arrived;
      const { searchParams } = URL.parse(input.text.trim()) ?? {};
      if (searchParams?.has('code') || searchParams?.has('error')) return searchParams;
      await user.write('This is not the address of the last page. Paste the one that contains "code=".\n');
    }
  };
  try {
    return await Promise.race([arrived, pasted()]);
  } finally {
    isOver.abort();
    terminal.close();
  }
}

/** `ybs mcp logout NAME`: removes the token of a server. */
export const logoutCommand: RunSubcommand = async (request, ports) => {
  const { server, login } = await findRemote(request, ports);
  const removed = await login.locked(() => login.remove());
  await ports.user.write(removed ? `Logged out of ${server.name}.\n` : `There was no login to ${server.name}.\n`);
  return EXIT_CODES.done;
};

/** The server over HTTP of this name with the values of variables, and the login to it. */
async function findRemote({ args: [name = ''], options }: SubcommandRequest, { wiring, machine }: SubcommandPorts) {
  const workspace = await workspaceOf(options, machine);
  const { config, trust } = await wiring.readConfig(options);
  const all = [...configuredServers(config, machine), ...(await readProjectServers({ workspace, trust }, machine))];
  const remote = all.filter(({ entry }) => entry.url !== undefined).map((settings) => ({ settings }));
  const { settings } = named(name, 'server over HTTP', remote);
  const entry = expandEntry(settings, machine.environment, keyVariables(configuredVariables(config)));
  const server = { ...settings, entry };
  return { server, login: createLogins(config, workspace, machine)(server), config };
}

/** The server of this name. Throws `UsageError` with the nearest one. */
function named<Server extends Pick<McpServer, 'settings'>>(
  name: string,
  kind: string,
  servers: readonly Server[],
): Server {
  const server = servers.find(({ settings }) => settings.name === name);
  if (server !== undefined) return server;
  const names = servers.map(({ settings }) => settings.name);
  const known = `There are: ${names.map(escapeLine).join(', ')}.`;
  const advice = names.length === 0 ? 'There are none here; docs/mcp.md says how to add one.' : known;
  throw new UsageError(`There is no ${kind} named ${escapeLine(name)}.${didYouMean(name, names, ` ${advice}`)}`);
}

/** The servers of the configuration, in the sandbox of a session here. */
async function openConfigured({ options }: SubcommandRequest, { wiring, machine, version }: SubcommandPorts) {
  const workspace = await workspaceOf(options, machine);
  const { config, origins, trust } = await wiring.readConfig(options);
  const mcpServers = configuredServers(config, machine);
  const notice = trust.parts.some(({ kind }) => kind === 'servers') ? projectNotice(trust) : undefined;
  const servers = await openSessionServers(
    { mcpServers, workspace, config, trust },
    { ...machine, version },
    async () => {
      const sandbox = await findSandbox({ config, origins }, workspace, machine);
      const isOn = sandbox?.type === 'on';
      const rules = isOn ? await readSessionSandbox({ config, trust, workspace }, machine) : undefined;
      return (await machine.loadSessionAdapters()).openServerStart?.(rules);
    },
  );
  return { servers, notice: notice === undefined ? '' : `\n${notice}` };
}
