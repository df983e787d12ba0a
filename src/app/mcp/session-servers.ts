import { configuredVariables } from '../../config/agent-settings.ts';
import { ownDirectories, shownToCommands } from '../../config/layers/sources.ts';
import type { Config } from '../../config/schema.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import type { Redactor } from '../../policy/redaction/redact.ts';
import { isThisMachine } from '../../providers/target/endpoint.ts';
import { keyVariables } from '../../providers/target/presets.ts';
import { withinTime } from '../../session/approvals/limit-answer-time.ts';
import type { SendHttp } from '../../tools/mcp/connection/http-transport.ts';
import type { FormAnswer, FormAsker, FormRequest } from '../../tools/mcp/questions/forms.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import type { McpServerSettings, StartServer } from '../../tools/mcp/settings.ts';
import type { Machine, Settings } from '../settings.ts';

/** The servers of the configuration, each with the digest of its entry. */
export function configuredServers(
  { mcp }: Pick<Config, 'mcp'>,
  { digest }: Pick<Machine, 'digest'>,
): readonly McpServerSettings[] {
  return Object.entries(mcp.servers).map(([name, entry]) => {
    const { tools: _tools, enabled: _enabled, ...others } = entry;
    return { name, entry, origin: 'user', digest: digest(new TextEncoder().encode(JSON.stringify(others))) };
  });
}

/** The servers of a session, of which none is started yet. Their code is loaded only if there are any. */
export async function openSessionServers(
  { mcpServers = [], workspace, config, trust }: Pick<Settings, 'mcpServers' | 'workspace' | 'config' | 'trust'>,
  machine: Machine,
  openStart: () => Promise<StartServer | undefined>,
  asking: { readonly forms?: FormAsker | undefined; readonly redactor?: Pick<Redactor, 'redact'> } = {},
): Promise<readonly McpServer[]> {
  const ofProject = trust.parts.some(({ kind }) => kind === 'servers')
    ? await (await import('./project-servers.ts')).readProjectServers({ workspace, trust }, machine)
    : [];
  const names = mcpServers.map(({ name }) => name);
  const all = [...mcpServers, ...ofProject.filter(({ name }) => !names.includes(name))];
  if (all.length === 0) return [];
  const startServer = (await openStart()) ?? startsNone;
  const { openMcpServers } = await import('../../tools/mcp/server.ts');
  const { environment: userEnvironment, fileSystem, platform, home, version = '' } = machine;
  const [, configuration = ''] = ownDirectories(config, machine);
  // Asks without secrets, and waits at most as long as for an approval.
  const { forms: asker, redactor } = asking;
  const forms = asker && {
    modes: asker.modes,
    fill: (request: FormRequest, signal: AbortSignal) => {
      const shown = { ...request, message: redactor?.redact(request.message) ?? request.message };
      const limits = [machine.clock, config.safety.approval_timeout_seconds, signal] as const;
      return withinTime<FormAnswer>((limited) => asker.fill(shown, limited), { action: 'cancel' }, ...limits);
    },
  };
  return openMcpServers(all, {
    ...{ fileSystem, platform, userEnvironment, workspace, home, version, startServer },
    hidesHome: shownToCommands(config, workspace, machine).hidesHome,
    forms,
    openLogin: all.some(({ entry }) => entry.url !== undefined)
      ? (await import('./logins.ts')).createLogins(config, workspace, machine)
      : undefined,
    directory: expandPath(`${configuration}/mcp`, { workspace, platform, home }),
    keyVariables: keyVariables(configuredVariables(config)),
    openHttp: (url) => openHttp(url, config, machine),
  });
}

/** The way to send requests to a server with this URL. */
export async function openHttp(
  url: string,
  { llm }: Pick<Config, 'llm'>,
  { openFetch }: Pick<Machine, 'openFetch'>,
): Promise<SendHttp> {
  return (await openFetch?.({ local: isThisMachine(new URL(url).hostname), caFile: llm.ca_file })) ?? fetch;
}

const startsNone: StartServer = () => Promise.reject(new Error('servers cannot be started here'));
