import { ToolError, UsageError } from '../../agent/errors.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { configuredServers, openSessionServers } from '../../app/mcp/session-servers.ts';
import { sandboxOff, sandboxSettings, workspaceOf } from '../../config/layers/sources.ts';
import { projectNotice } from '../../config/trust/describe-trust.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';
import { formatSize } from '../../text/quantities.ts';
import { didYouMean } from '../../text/suggest.ts';
import { describeServers } from '../../tools/mcp/describe-servers.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import { readSandboxRules } from '../../tools/shell/sandbox-rules.ts';
import { report, type SubcommandPorts, type SubcommandRequest } from './subcommand.ts';

type McpCommandPorts = Pick<SubcommandPorts, 'wiring' | 'machine' | 'user' | 'version'>;

/** `ybs mcp list`: the configured servers, and what is remembered of them. Starts nothing. */
export async function listServersCommand(
  request: Pick<SubcommandRequest, 'options'>,
  ports: McpCommandPorts,
): Promise<number> {
  const { servers, notice } = await openConfigured(request, ports);
  const json = () => ({
    servers: servers.map(({ settings, state, remembered }) => ({
      ...{ name: settings.name, state: state.type, revision: state.revision },
      tools: remembered.tools.map(({ name }) => name),
    })),
  });
  return report(request, ports, { json, text: () => escapeForTerminal(`${describeServers(servers)}${notice}`) });
}

/** `ybs mcp check NAME`: starts the server, lists its tools, and ends it. */
export async function checkServerCommand(
  request: Pick<SubcommandRequest, 'args' | 'options'>,
  ports: McpCommandPorts,
): Promise<number> {
  const [name = ''] = request.args;
  const { servers } = await openConfigured(request, ports);
  const server = servers.find(({ settings }) => settings.name === name);
  if (server === undefined) {
    const names = servers.map(({ settings }) => settings.name);
    throw new UsageError(
      `There is no server ${escapeLine(name)}.${didYouMean(name, names, ' ybs mcp list lists them.')}`,
    );
  }
  const check = async ({ signal }: AbortController): Promise<number> => {
    const failure = await server.listTools(signal).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ToolError) return error.message;
        throw error;
      },
    );
    const tools = server.remembered.tools.map(({ name: tool, parameters }) => {
      return { name: tool, bytes: JSON.stringify(parameters).length };
    });
    const rows =
      failure === undefined ? tools.map(({ name: tool, bytes }) => `  ${tool}  ${formatSize(bytes)}`) : [failure];
    const { state } = server;
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
}

/** The servers of the configuration, in the sandbox of a session here. */
async function openConfigured(
  { options }: Pick<SubcommandRequest, 'options'>,
  { wiring, machine, version }: McpCommandPorts,
): Promise<{ readonly servers: readonly McpServer[]; readonly notice: string }> {
  const workspace = await workspaceOf(options, machine);
  const { config, origins, trust } = await wiring.readConfig(options);
  const mcpServers = configuredServers(config, machine);
  const hasServers = trust.parts.some(({ kind }) => kind === 'servers');
  const notice = hasServers ? projectNotice(trust) : undefined;
  const servers = await openSessionServers(
    { mcpServers, workspace, config, trust },
    { ...machine, version },
    async () => {
      const sandbox = sandboxOff(config, origins) ?? (await machine.probeSandbox?.(workspace));
      const isOn = sandbox?.type === 'on';
      const rules = isOn ? await readSandboxRules(sandboxSettings(config, machine), workspace, machine) : undefined;
      return (await machine.loadSessionAdapters()).openServerStart?.(rules);
    },
  );
  return { servers, notice: notice === undefined ? '' : `\n${notice}` };
}
