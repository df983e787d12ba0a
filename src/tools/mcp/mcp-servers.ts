import { expandPath } from '../../policy/paths/written-path.ts';
import { shellEnvironment } from '../shell/shell-environment.ts';
import { expandEntry } from './connection/expand-entry.ts';
import type { SendHttp } from './connection/http-transport.ts';
import { sandboxHint } from './connection/sandbox-hint.ts';
import type { LoginStore } from './login/tokens.ts';
import { type MemoryPorts, readRemembered, writeRemembered } from './memory/memory.ts';
import type { FormAsker } from './questions/forms.ts';
import { McpServer } from './server.ts';
import type { OpenConnection } from './server-ports.ts';
import type { McpServerSettings, StartServer } from './settings.ts';

/** Ports of the servers of a session. */
export interface McpPorts extends MemoryPorts {
  readonly startServer: StartServer;
  /** The way to send requests to a server with this URL. */
  readonly openHttp: (url: string) => Promise<SendHttp>;
  /** The environment of the user, of which a server gets what its entry names. */
  readonly userEnvironment: Readonly<Record<string, string | undefined>>;
  /** The names of variables with keys of providers. */
  readonly keyVariables: readonly string[];
  /** The sandbox shows only parts of the home directory. */
  readonly hidesHome?: boolean;
  /** Real path. */
  readonly workspace: string;
  /** Absolute path. */
  readonly home: string;
  readonly version: string;
  /** The login to a server over HTTP. Absent: there are none. */
  readonly openLogin?: ((server: McpServerSettings) => LoginStore) | undefined;
  /** Asks the user what a server asks. Absent: nobody can answer. */
  readonly forms?: FormAsker | undefined;
}

/** The servers of a session, with what is remembered of them. Starts none. */
export async function openMcpServers(
  servers: readonly McpServerSettings[],
  ports: McpPorts,
): Promise<readonly McpServer[]> {
  const enabled = servers.filter(({ entry }) => entry.enabled !== false);
  return Promise.all(
    enabled.map(async (settings) => {
      return new McpServer(settings, await readRemembered(settings, ports), {
        open: connectionOf(settings, ports),
        version: ports.version,
        forms: ports.forms,
        guardedChanges: ports.startServer.guardedChanges,
        hint: ports.startServer.isConfined === true ? sandboxHint(settings.entry, ports) : '',
        remember: (remembered) => writeRemembered(settings, remembered, ports),
      });
    }),
  );
}

function connectionOf(settings: McpServerSettings, ports: McpPorts): OpenConnection {
  return async (heard) => {
    const entry = expandEntry(settings, ports.userEnvironment, ports.keyVariables);
    const { command, args = [], env = {}, environment = [], network = false, url = '', headers = {} } = entry;
    if (command === undefined) {
      const { boundedFetch, openHttpTransport } = await import('./connection/http-transport.ts');
      const fetch = boundedFetch(new URL(url), headers, await ports.openHttp(url), heard);
      const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
      const store = hasToken ? undefined : ports.openLogin?.(settings);
      const { loginTokens } = await import('./login/tokens.ts');
      return openHttpTransport(new URL(url), fetch, store && loginTokens(settings.name, store, fetch));
    }
    const { StdioTransport } = await import('./connection/stdio-transport.ts');
    const base = shellEnvironment(ports.userEnvironment, ports.keyVariables, environment, ports.workspace);
    const pathsOf = (written: readonly string[] = []) => written.map((each) => expandPath(each, ports));
    const files = { read: pathsOf(entry.read), write: pathsOf(entry.write) };
    const program = { command, args, ...files, environment: { ...base, ...env }, workingDirectory: ports.workspace };
    const { hosts = [], local_sockets: localSockets = false } = entry;
    return new StdioTransport(ports.startServer, { ...program, network, hosts, localSockets }, heard);
  };
}
