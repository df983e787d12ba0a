import { isJsonObject } from '../../text/json/json.ts';
import { SSE_TRANSPORT } from '../../tools/mcp/connection/read-messages.ts';
import { launcherWithoutNetwork } from '../../tools/mcp/connection/sandbox-hint.ts';
import type { McpEntry } from '../../tools/mcp/settings.ts';

/** A server of a file of another program, as an entry of ybs, with one line for each thing that differs. */
export interface ForeignServer {
  readonly name: string;
  /** Absent: it cannot be used, for the reason in `notes`. */
  readonly entry?: McpEntry;
  readonly notes: readonly string[];
}

/** The keys under which programs have their servers. */
const PLACES = ['mcpServers', 'mcp_servers', 'servers', 'context_servers'] as const;

/**
 * The servers of a file: `.mcp.json` and the files of Claude, VS Code's `mcp.json`, `settings.json` of Gemini CLI and Zed,
 * `opencode.json`, `mcp_config.json` of Windsurf, and the parsed `config.toml` of Codex. Pure. `undefined` if the file names
 * no servers.
 */
export function readForeignServers(file: unknown, workspace = ''): readonly ForeignServer[] | undefined {
  const root = object(file);
  const own = object(root['mcp']);
  const isOpencode = Object.values(own).some((each) => ['local', 'remote'].includes(String(object(each)['type'])));
  const places = [root, isOpencode ? {} : own, object(object(root['projects'])[workspace])];
  const written = places.flatMap((place) => PLACES.map((key) => place[key]));
  const found = [...written, isOpencode ? own : undefined].flatMap((servers) => {
    if (Array.isArray(servers))
      return [servers.map((each) => [object(each)['name'] ?? object(each)['key'] ?? '', each])];
    return isJsonObject(servers) ? [Object.entries(servers)] : [];
  });
  if (found.length === 0) return undefined;
  const taken = new Map(found.flat().map(([name]) => [String(name), String(name)]));
  return found.flat().map(([name, given]) => readServer(String(name), plain(object(given)), taken));
}

/** An entry with one text as its command, for which opencode writes a list, and Zed once wrote an object. */
function plain(given: Written): Written {
  const { command } = given;
  if (Array.isArray(command)) return { ...given, command: command[0], args: command.slice(1) };
  if (!isJsonObject(command)) return given;
  const { path, ...others } = command;
  return { ...given, ...others, command: path };
}

/** `taken`: the names of servers, each with the name in the file for which it stands. */
function readServer(written: string, given: Written, taken: Map<string, string>): ForeignServer {
  // The names of tools begin with that of the server, so it has no `__`.
  const usable = written
    .replaceAll(/(?:[^A-Za-z0-9_-]|__)+/g, '-')
    .slice(0, 32)
    .replace(/^[^A-Za-z]+|[_-]+$/g, '');
  let name = usable;
  for (let count = 2; name !== '' && (taken.get(name) ?? written) !== written; count += 1)
    name = `${usable.slice(0, 29)}-${count}`;
  taken.set(name, written);
  const unusable = (reason: string): ForeignServer => ({
    name: name || written || '(without a name)',
    notes: [reason],
  });
  if (name === '') return unusable('its name has no letter');
  const left = Object.keys(given).filter((key) => !Object.hasOwn(READERS, key) && !IGNORED.includes(key));
  const odd: string[] = [];
  const read: { -readonly [Key in keyof McpEntry]: McpEntry[Key] } = {};
  for (const [key, readValue] of Object.entries(READERS)) {
    const value = given[key] ?? undefined;
    const part = value === undefined ? {} : readValue(value);
    if (part === undefined) odd.push(key);
    Object.assign(read, part, part?.headers && { headers: { ...read.headers, ...part.headers } });
  }
  const { command, args, env, environment, url, headers, ...others } = read;
  const type = given['type'] ?? given['transport'] ?? given['transportType'];
  if (url !== undefined && (type === 'sse' || (type === undefined && /\/sse\/?$/.test(url))))
    return unusable(`it uses ${SSE_TRANSPORT}`);
  if (!command && !url) return unusable('it has neither "command" nor "url"');
  const entry = { ...(url ? { url, headers } : { command, args, env, environment }), ...others };
  const launcher = launcherWithoutNetwork(entry);
  const notes = [
    ...(name === written ? [] : [`its name was ${JSON.stringify(written)}`]),
    ...(left.length === 0 ? [] : [`not taken over: ${left.join(', ')}`]),
    ...odd.map((key) => `not taken over: ${key}, whose value is ${JSON.stringify(given[key])}`),
    ...(JSON.stringify(entry).match(/\{file:[^}"]+\}/g) ?? []).map(
      (file) => `replace ${file} by a variable: ybs reads no files into an entry`,
    ),
    ...[...new Set(JSON.stringify(given).match(INPUT))].map((each) => `set the variable ${variables(each)}`),
    ...(launcher === undefined
      ? []
      : [`in the sandbox, ${launcher} loads its program only if you add "network": true to the entry`]),
  ];
  return { name, entry, notes };
}

/** Keys that only describe a server. */
const IGNORED = [
  ...['type', 'transport', 'transportType', 'name', 'key', 'description', 'gallery', 'version'],
  ...['source', 'settings'],
];

/** The keys of other programs, as parts of an entry; `undefined` for a value that ybs cannot read. Of two, the last one counts. */
const READERS: Readonly<Record<string, (value: unknown) => McpEntry | undefined>> = {
  ...{ command: readText('command'), args: readList('args', variables), env_vars: readList('environment') },
  ...{ env: readTexts('env', variables), environment: readTexts('env', variables) },
  ...{ url: readText('url'), httpUrl: readText('url'), serverUrl: readText('url') },
  ...{ headers: readTexts('headers', variables), http_headers: readTexts('headers', variables) },
  env_http_headers: readTexts('headers', (variable) => `\${${variable}}`),
  bearer_token_env_var: (name) => (isText(name) ? { headers: { Authorization: `Bearer \${${name}}` } } : undefined),
  ...{ enabled_tools: readList('tools'), includeTools: readList('tools') },
  // Some programs write seconds, others milliseconds, of which nobody allows less than a second.
  timeout: (value) => readTime('timeout_seconds', Number(value) < 1_000 ? 1 : 1_000)(value),
  tool_timeout_sec: readTime('timeout_seconds', 1),
  ...{ startup_timeout_ms: readTime('start_seconds', 1_000), startup_timeout_sec: readTime('start_seconds', 1) },
  ...{ enabled: readFlag(true), isActive: readFlag(true), disabled: readFlag(false) },
};

function readList(key: 'args' | 'environment' | 'tools', write: (text: string) => string = String) {
  return (value: unknown): McpEntry | undefined =>
    Array.isArray(value) && value.every(isText) ? { [key]: value.map((each) => write(String(each))) } : undefined;
}

function readTexts(key: 'env' | 'headers', write: (text: string) => string) {
  return (value: unknown): McpEntry | undefined => {
    const given = Object.entries(object(value)).filter(([, each]) => each !== null);
    if (!isJsonObject(value) || !given.every(([, each]) => isText(each))) return undefined;
    return { [key]: Object.fromEntries(given.map(([name, each]) => [name, write(String(each))])) };
  };
}

function readText(key: 'command' | 'url') {
  return (value: unknown): McpEntry | undefined =>
    typeof value === 'string' ? { [key]: variables(value) } : undefined;
}

function readTime(key: 'start_seconds' | 'timeout_seconds', unit: number) {
  return (value: unknown): McpEntry | undefined =>
    typeof value === 'number' && value > 0 ? { [key]: Math.min(3_600, Math.ceil(value / unit)) } : undefined;
}

function readFlag(on: boolean) {
  return (value: unknown): McpEntry | undefined => (value === on ? {} : value === !on ? { enabled: false } : undefined);
}

/**
 * The variables of another program as `${NAME}`: `$NAME`, `${env:NAME}`, `{env:NAME}`, `${input:id}`; a workspace is that of ybs. A `$`
 * before lower-case letters is part of a text, such as a password.
 */
function variables(text: string): string {
  return text
    .replaceAll(/\$\{workspaceFolder\}/g, '.')
    .replaceAll(/\$\{userHome\}/g, () => `\${HOME}`)
    .replaceAll(/\$?\{env:(\w+)\}/g, (_all, name: string) => `\${${name}}`)
    .replaceAll(INPUT, (_all, id: string) => `\${${inputName(id)}}`)
    .replaceAll(/(?<!\$)\$([A-Z_][A-Z0-9_]*)\b/g, (_all, name: string) => `\${${name}}`);
}

/** An input for which VS Code asks. Here, a variable stands for it. */
const INPUT = /\$\{input:([^}]+)\}/g;

const inputName = (id: string): string => id.toUpperCase().replaceAll(/\W+/g, '_');

type Written = Readonly<Record<string, unknown>>;

const object = (value: unknown): Written => (isJsonObject(value) ? value : {});

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
