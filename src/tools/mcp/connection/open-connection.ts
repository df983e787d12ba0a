import type { Transport } from '@modelcontextprotocol/client';
import { ToolError } from '../../../agent/errors.ts';
import { expandPath } from '../../../policy/paths/written-path.ts';
import { mapTexts } from '../../../text/json/map-texts.ts';
import { shellEnvironment } from '../../shell/shell-environment.ts';
import type { LoginStore } from '../login/tokens.ts';
import type { MemoryPorts } from '../memory/memory.ts';
import type { FormAsker } from '../questions/forms.ts';
import type { McpEntry, McpServerSettings, StartServer } from '../settings.ts';
import type { SendHttp } from './http-transport.ts';
import type { Heard } from './server-log.ts';

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
  /** The login to a server over HTTP, of the expanded entry. Absent: there are none. */
  readonly openLogin?: ((server: McpServerSettings) => LoginStore) | undefined;
  /** Asks the user what a server asks. Absent: nobody can answer. */
  readonly forms?: FormAsker | undefined;
}

/** Opens a connection to a server. `heard` gets what it sends outside of the protocol. Rejects with a reason for people. */
export async function openConnection(settings: McpServerSettings, ports: McpPorts, heard: Heard): Promise<Transport> {
  const entry = expandEntry(settings, ports.userEnvironment, ports.keyVariables);
  const { command, args = [], env = {}, environment = [], url = '', headers = {} } = entry;
  if (command === undefined) {
    const { boundedFetch, openHttpTransport } = await import('./http-transport.ts');
    const fetch = boundedFetch(new URL(url), headers, await ports.openHttp(url), heard);
    const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    const store = hasToken ? undefined : ports.openLogin?.({ ...settings, entry });
    const { loginTokens } = await import('../login/tokens.ts');
    return openHttpTransport(new URL(url), fetch, store && loginTokens(settings.name, store, fetch));
  }
  const { stdioTransport } = await import('./stdio-transport.ts');
  const base = shellEnvironment(ports.userEnvironment, ports.keyVariables, environment, ports.workspace);
  const pathsOf = (written: readonly string[] = []) => written.map((each) => expandPath(each, ports));
  const { network = false, hosts = [], local_sockets: localSockets = false, read, write } = entry;
  const granted = { network, hosts, localSockets, read: pathsOf(read), write: pathsOf(write) };
  const program = { command, args, environment: { ...base, ...env }, workingDirectory: ports.workspace };
  return stdioTransport(ports.startServer, { ...program, ...granted }, heard);
}

/**
 * The entry of a server with the values of `${NAME}` and `${NAME:-default}`. Throws `ToolError` for a variable that is not
 * set, and for a key of a provider in an entry of a project.
 */
export function expandEntry(
  { name, entry, origin }: Pick<McpServerSettings, 'name' | 'entry' | 'origin'>,
  environment: Readonly<Record<string, string | undefined>>,
  keyVariables: readonly string[],
): McpEntry {
  const refusal = (reason: string): ToolError => new ToolError('io_error', `The server ${name} ${reason}.`);
  const expand = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_written, variable: string, fallback?: string) => {
      if (origin === 'project' && keyVariables.includes(variable))
        throw refusal(`of the project must not get ${variable}, a key of a model`);
      const value = environment[variable];
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      throw refusal(`needs the environment variable ${variable}, which is not set`);
    });
  const { command, args, env, url, headers, oauth } = entry;
  const expanded = { ...entry, ...mapTexts({ command, args, env, url, headers, oauth }, expand) };
  if (url !== undefined && !/^https?:$/.test(URL.parse(expanded.url ?? '')?.protocol ?? ''))
    throw refusal('has a "url" that is not a URL of http or https');
  return expanded;
}
