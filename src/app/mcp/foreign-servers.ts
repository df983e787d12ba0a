import { isJsonObject } from '../../text/json/json.ts';
import { launcherWithoutNetwork } from '../../tools/mcp/connection/sandbox-hint.ts';
import type { McpEntry } from '../../tools/mcp/settings.ts';

/** A server of a file of another program, as an entry of ybs, with one line for each thing that differs. */
export interface ForeignServer {
  readonly name: string;
  /** Absent: it cannot be used, for the reason in `notes`. */
  readonly entry?: McpEntry;
  readonly notes: readonly string[];
}

type Written = Readonly<Record<string, unknown>>;

/**
 * The servers of a file: Claude's `.mcp.json`, `.claude.json` and Desktop, VS Code's `mcp.json`, `settings.json` of Gemini CLI,
 * Cursor's `mcp.json`, and Codex' `config.toml` as values. Pure. `undefined` if the file names no servers.
 */
export function readForeignServers(file: unknown, workspace?: string): readonly ForeignServer[] | undefined {
  const root = isJsonObject(file) ? file : {};
  const { projects, mcp }: Written = root;
  const project = isJsonObject(projects) && workspace !== undefined ? projects[workspace] : undefined;
  const found = [root, project, mcp]
    .flatMap((place) => (isJsonObject(place) ? [place['mcpServers'], place['mcp_servers'], place['servers']] : []))
    .filter((servers) => isJsonObject(servers));
  if (found.length === 0) return undefined;
  return found.flatMap((servers) => Object.entries(servers).map(([name, entry]) => readServer(name, entry, root)));
}

/** The keys that are read, and those that describe a server alone. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'command', 'args', 'env', 'env_vars', 'enabled', 'disabled', 'serverUrl', 'url', 'httpUrl'],
  ...['enabled_tools', 'includeTools', 'headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec', 'timeout'],
  ...['description', 'gallery', 'version', 'name'],
]);

function readServer(written: string, given: unknown, root: Written): ForeignServer {
  // The names of tools begin with that of the server, so it has no `__`.
  const name = written
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 32);
  const unusable = (reason: string): ForeignServer => ({ name: name === '' ? written : name, notes: [reason] });
  if (!isJsonObject(given) || name === '') return unusable('it is no object with a name that has letters');
  const { type, command, args, env, env_vars: passed, enabled, disabled }: Written = given;
  const { serverUrl, url = serverUrl, httpUrl = url, enabled_tools: allowed, includeTools = allowed }: Written = given;
  const { headers, http_headers: fixed, env_http_headers: fromEnv, bearer_token_env_var: token }: Written = given;
  const { startup_timeout_sec: start, startup_timeout_ms: startMs, tool_timeout_sec: call, timeout }: Written = given;
  const left = Object.keys(given).filter((key) => !KNOWN.has(key));
  const isSse = type === 'sse' || (type === undefined && /\/sse\/?$/.test(String(httpUrl)));
  if (typeof httpUrl === 'string' && isSse) return unusable('it uses the SSE transport of 2024, which ybs has not');
  // Some programs write an empty command beside a URL.
  const isLocal = typeof command === 'string' && command !== '';
  if (!isLocal && typeof httpUrl !== 'string') return unusable('it has neither "command" nor "url"');
  const entry: McpEntry = {
    ...(isLocal
      ? { command: variables(command), args: textsOf(args), env: pairsOf(env), environment: textsOf(passed, String) }
      : {
          url: variables(String(httpUrl)),
          headers: pairsOf(
            { ...object(headers), ...object(fixed) },
            {
              ...pairsOf(fromEnv, {}, (variable) => `\${${variable}}`),
              ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
            },
          ),
        }),
    start_seconds: seconds(start, 1) ?? seconds(startMs, 1_000),
    timeout_seconds: seconds(call, 1) ?? seconds(timeout, 1_000),
    tools: Array.isArray(includeTools) ? includeTools.map(String) : undefined,
    enabled: enabled === false || disabled === true ? false : undefined,
  };
  const launcher = launcherWithoutNetwork(entry);
  const notes = [
    ...(name === written ? [] : [`its name was ${JSON.stringify(written)}`]),
    ...(left.length === 0 ? [] : [`not taken over: ${left.join(', ')}`]),
    ...inputsOf(given, root).map((variable) => `set the environment variable ${variable}`),
    ...(launcher === undefined
      ? []
      : [`in the sandbox, ${launcher} loads its program only if you add "network": true to the entry`]),
  ];
  return { name, entry, notes };
}

/** The variables of another program as `${NAME}`: `$NAME`, `${env:NAME}`, `${input:id}`; a workspace is that of ybs. */
function variables(text: string): string {
  return text
    .replaceAll(/\$\{workspaceFolder\}/g, '.')
    .replaceAll(/\$\{env:(\w+)\}/g, (_all, name: string) => `\${${name}}`)
    .replaceAll(/\$\{input:([^}]+)\}/g, (_all, id: string) => `\${${inputName(id)}}`)
    .replaceAll(/\$(?!\{)([A-Za-z_]\w*)/g, (_all, name: string) => `\${${name}}`);
}

const inputName = (id: string): string => id.toUpperCase().replaceAll(/\W+/g, '_');

/** The variables that stand for the inputs of VS Code, which asks for them. */
function inputsOf(given: Written, { inputs }: Written): readonly string[] {
  const text = JSON.stringify(given);
  const ids = Array.isArray(inputs) ? inputs.map((input) => String(object(input)['id'])) : [];
  return ids.filter((id) => text.includes(`\${input:${id}}`)).map(inputName);
}

const object = (value: unknown): Written => (isJsonObject(value) ? value : {});

function textsOf(value: unknown, write = variables): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map((each) => write(String(each))) : undefined;
}

function pairsOf(
  value: unknown,
  more: Readonly<Record<string, string>> = {},
  write = variables,
): Readonly<Record<string, string>> | undefined {
  const given = Object.entries(object(value)).filter(([, each]) => each !== null);
  const pairs = { ...Object.fromEntries(given.map(([key, each]) => [key, write(String(each))])), ...more };
  return Object.keys(pairs).length === 0 ? undefined : pairs;
}

function seconds(value: unknown, unit: number): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.min(3_600, Math.max(1, Math.ceil(value / unit))) : undefined;
}
