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

/** Keys that allow or trust something, which the user of ybs has to set again. */
const GRANTS = [
  ...['trust', 'alwaysAllow', 'autoApprove', 'allowedTools', 'allow', 'sandbox', 'sandboxEnabled', 'approval_mode'],
  ...['default_tools_approval_mode', 'tools', 'supports_parallel_tool_calls'],
];

/** Keys that say nothing more, or that the form reads below. */
const READ = [
  ...['type', 'command', 'args', 'env', 'env_vars', 'url', 'httpUrl', 'serverUrl', 'headers', 'http_headers', 'name'],
  ...['env_http_headers', 'bearer_token_env_var', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['timeout', 'enabled_tools', 'includeTools', 'enabled', 'disabled', 'description', 'gallery', 'version'],
];

/**
 * The servers of a file: Claude's `.mcp.json`, `.claude.json` and Desktop, VS Code's `mcp.json`, `settings.json` of Gemini CLI,
 * Cursor's `mcp.json`, and Codex' `config.toml` as values. Pure. `undefined` if the file names no servers.
 */
export function readForeignServers(file: unknown, workspace?: string): readonly ForeignServer[] | undefined {
  const root = isJsonObject(file) ? file : {};
  const projects: unknown = root['projects'];
  const project = isJsonObject(projects) && workspace !== undefined ? projects[workspace] : undefined;
  const vscode: unknown = root['mcp'];
  const places = [root, ...(isJsonObject(project) ? [project] : []), ...(isJsonObject(vscode) ? [vscode] : [])];
  const found = places.flatMap((place) =>
    [place['mcpServers'], place['mcp_servers'], place['servers']].filter((servers) => isJsonObject(servers)),
  );
  if (found.length === 0) return undefined;
  return found.flatMap((servers) => Object.entries(servers).map(([name, entry]) => readServer(name, entry, root)));
}

function readServer(written: string, given: unknown, root: Written): ForeignServer {
  // The names of tools begin with that of the server, so it has no `__`.
  const name = written
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 32);
  const notes = name === written ? [] : [`its name was ${JSON.stringify(written)}`];
  const unusable = (reason: string): ForeignServer => ({ name: name === '' ? written : name, notes: [reason] });
  if (!isJsonObject(given) || name === '') return unusable('it is no object with a name that has letters');
  const { type, command, httpUrl, url = given['serverUrl'] } = given;
  const address = httpUrl ?? url;
  const isSse = type === 'sse' || (type === undefined && /\/sse\/?$/.test(String(address)));
  if (typeof address === 'string' && isSse) return unusable('it uses the SSE transport of 2024, which ybs has not');
  if (typeof command !== 'string' && typeof address !== 'string') return unusable('it has neither "command" nor "url"');
  const left = Object.keys(given).filter((key) => !READ.includes(key) && !GRANTS.includes(key));
  const granted = Object.keys(given).filter((key) => GRANTS.includes(key));
  if (granted.length > 0) notes.push(`what it allows is not taken over: ${granted.join(', ')}`);
  if (left.length > 0) notes.push(`left out: ${left.join(', ')}`);
  for (const variable of inputsOf(given, root)) notes.push(`set the environment variable ${variable}`);
  const common = { ...timesOf(given), ...toolsOf(given), ...(isOff(given) && { enabled: false }) };
  const entry =
    typeof command === 'string'
      ? { command: variables(command), ...argumentsOf(given), ...environmentOf(given), ...common }
      : { url: variables(String(address)), ...headersOf(given), ...common };
  const launcher = launcherWithoutNetwork(entry);
  if (launcher !== undefined)
    notes.push(`in the sandbox, ${launcher} loads its program only if you add "network": true to the entry`);
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
  const ids = Array.isArray(inputs)
    ? inputs.flatMap((input) => (isJsonObject(input) ? [String(input['id'])] : []))
    : [];
  return ids.filter((id) => text.includes(`\${input:${id}}`)).map(inputName);
}

function argumentsOf({ args }: Written): Pick<McpEntry, 'args'> {
  return Array.isArray(args) && args.length > 0 ? { args: args.map((each) => variables(String(each))) } : {};
}

function textsOf(given: unknown, write = variables): Readonly<Record<string, string>> {
  const entries = isJsonObject(given) ? Object.entries(given) : [];
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === null ? [] : [[key, write(String(value))]])));
}

function environmentOf({ env, env_vars: names }: Written): Pick<McpEntry, 'env' | 'environment'> {
  const texts = textsOf(env);
  return {
    ...(Object.keys(texts).length > 0 && { env: texts }),
    ...(Array.isArray(names) && { environment: names.map(String) }),
  };
}

function headersOf(given: Written): Pick<McpEntry, 'headers'> {
  const token = given['bearer_token_env_var'];
  const headers = {
    ...textsOf(given['headers']),
    ...textsOf(given['http_headers']),
    ...textsOf(given['env_http_headers'], (name) => `\${${name}}`),
    ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function timesOf(given: Written): Pick<McpEntry, 'start_seconds' | 'timeout_seconds'> {
  const seconds = (value: unknown, unit: number): number | undefined =>
    typeof value === 'number' && value > 0 ? Math.min(3_600, Math.max(1, Math.ceil(value / unit))) : undefined;
  const start = seconds(given['startup_timeout_sec'], 1) ?? seconds(given['startup_timeout_ms'], 1_000);
  const call = seconds(given['tool_timeout_sec'], 1) ?? seconds(given['timeout'], 1_000);
  return { ...(start !== undefined && { start_seconds: start }), ...(call !== undefined && { timeout_seconds: call }) };
}

function toolsOf(given: Written): Pick<McpEntry, 'tools'> {
  const named: unknown = given['enabled_tools'] ?? given['includeTools'];
  return Array.isArray(named) ? { tools: named.map(String) } : {};
}

const isOff = ({ enabled, disabled }: Written): boolean => enabled === false || disabled === true;
