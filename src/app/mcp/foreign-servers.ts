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

/** The keys of other programs that hold servers by name. */
const PLACE = /(?:^|\.)(?:mcpServers|mcp_servers|servers|context_servers|mcp)$/;

/**
 * The servers of a file: Claude's `.mcp.json`, `.claude.json` and Desktop, VS Code's `mcp.json`, `settings.json` of
 * Gemini CLI and of Zed, Cursor's `mcp.json`, `opencode.json`, and the parsed `config.toml` of Codex; also an object of
 * servers by name alone. Pure. `undefined` if the file names no servers.
 */
export function readForeignServers(file: unknown, workspace?: string): readonly ForeignServer[] | undefined {
  const root = object(file);
  const { projects, mcp }: Written = root;
  const project = workspace === undefined ? undefined : object(projects)[workspace];
  const named = [root, project, mcp].flatMap((place) =>
    Object.entries(object(place)).flatMap(([key, servers]) => {
      const isUsed =
        PLACE.test(key) && isJsonObject(servers) && (key !== 'mcp' || Object.values(servers).some(isServer));
      return isUsed ? [servers] : [];
    }),
  );
  const isBare = Object.keys(root).length > 0 && Object.values(root).every(isServer);
  const found = isBare ? [root] : named;
  return found.length === 0
    ? undefined
    : found.flatMap((servers) => Object.entries(servers).map(([name, given]) => readServer(name, given, root)));
}

function isServer(value: unknown): boolean {
  return ['command', 'url', 'httpUrl', 'serverUrl'].some((key) => Object.hasOwn(object(value), key));
}

function readServer(written: string, given: unknown, root: Written): ForeignServer {
  // The names of tools begin with that of the server, so it has no `__`.
  const name = written
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 32);
  const unusable = (reason: string): ForeignServer => ({ name: name === '' ? written : name, notes: [reason] });
  if (!isJsonObject(given) || name === '') return unusable('it is not an object, or its name has no letter');
  const left = Object.keys(given).filter((key) => !Object.hasOwn(READERS, key));
  const odd: string[] = [];
  const read: { -readonly [Key in keyof McpEntry]: McpEntry[Key] } = {};
  for (const [key, readValue] of Object.entries(READERS)) {
    const value = given[key];
    if (value === undefined || value === null) continue;
    const part = readValue(value);
    if (part === undefined) odd.push(key);
    Object.assign(read, part, part?.headers && { headers: { ...read.headers, ...part.headers } });
  }
  const { command, args = [], env, environment, url, headers, ...others } = read;
  const type = given['type'] ?? given['transport'];
  const isSse = type === 'sse' || (type === undefined && /\/sse\/?$/.test(url ?? ''));
  if (url !== undefined && isSse) return unusable('it uses the SSE transport of 2024, which ybs does not support');
  if (command === undefined && url === undefined && odd.includes('command'))
    return unusable('its "command" is neither a string nor a list of strings');
  if (command === undefined && url === undefined) return unusable('it has neither "command" nor "url"');
  const entry: McpEntry = {
    ...(command === undefined ? { url, headers } : { command, ...(args.length > 0 && { args }), env, environment }),
    ...others,
  };
  const launcher = launcherWithoutNetwork(entry);
  const notes = [
    ...(name === written ? [] : [`its name was ${JSON.stringify(written)}`]),
    ...(left.length === 0 ? [] : [`not taken over: ${left.join(', ')}`]),
    ...odd.map((key) => `not taken over: ${key}, whose value is ${JSON.stringify(given[key])}`),
    ...inputsOf(given, root).map((variable) => `set the environment variable ${variable}`),
    ...(launcher === undefined
      ? []
      : [`in the sandbox, ${launcher} loads its program only if you add "network": true to the entry`]),
  ];
  return { name, entry, notes };
}

/** Reads a value as a part of an entry; `undefined`: it is no value of its key. */
type Read = (value: unknown) => McpEntry | undefined;

/**
 * The keys of other programs, in which the last of several for one thing counts; then those that only describe a
 * server.
 */
const READERS: Readonly<Record<string, Read>> = {
  ...{ command: readCommand, args: readTexts('args'), env: readTexts('env') },
  // The variables themselves, or the names of those of the user.
  environment: (value) => readTexts(Array.isArray(value) ? 'environment' : 'env')(value),
  env_vars: readTexts('environment', String),
  ...{ serverUrl: readUrl, url: readUrl, httpUrl: readUrl },
  ...{ headers: readTexts('headers'), http_headers: readTexts('headers') },
  env_http_headers: readTexts('headers', (variable) => `\${${variable}}`),
  bearer_token_env_var: (name) => (isText(name) ? { headers: { Authorization: `Bearer \${${name}}` } } : undefined),
  ...{ enabled_tools: readChosen, includeTools: readChosen },
  tools: (value) => (Array.isArray(value) && value.includes('*') ? {} : readChosen(value)),
  // Some programs write seconds, others milliseconds, of which nobody allows less than a second.
  timeout: (value) => readTime('timeout_seconds', Number(value) < 1_000 ? 1 : 1_000)(value),
  tool_timeout_sec: readTime('timeout_seconds', 1),
  ...{ startup_timeout_ms: readTime('start_seconds', 1_000), startup_timeout_sec: readTime('start_seconds', 1) },
  ...{ enabled: readFlag(true), disabled: readFlag(false) },
  ...{ type: ignore, transport: ignore, source: ignore, description: ignore, gallery: ignore, version: ignore },
  name: ignore,
};

function ignore(): McpEntry {
  return {};
}

/** A program, alone or with its arguments. Some files have an empty one beside a URL. */
function readCommand(value: unknown): McpEntry | undefined {
  if (value === '') return {};
  const [program = value, ...words]: readonly unknown[] = Array.isArray(value) ? value : [];
  return typeof program === 'string' ? { command: variables(program), ...readTexts('args')(words) } : undefined;
}

/** Reads a list or an object of texts, in which a `null` is none. Without a text, nothing is read. */
function readTexts(key: keyof McpEntry, write = variables): (value: unknown) => McpEntry | undefined {
  return (value) => {
    const given = Object.entries(Object(value)).filter(([, each]) => each !== null);
    const isList = ['args', 'environment', 'tools'].includes(key);
    if (Array.isArray(value) !== isList || typeof value !== 'object' || !given.every(([, each]) => isText(each)))
      return undefined;
    const read = given.map(([name, each]) => [name, write(String(each))] as const);
    if (read.length === 0) return {};
    return { [key]: isList ? read.map(([, text]) => text) : Object.fromEntries(read) };
  };
}

/** The only tools that are offered, which may be none. */
function readChosen(value: unknown): McpEntry | undefined {
  return Array.isArray(value) && value.length === 0 ? { tools: [] } : readTexts('tools', String)(value);
}

function readUrl(value: unknown): McpEntry | undefined {
  return typeof value === 'string' ? { url: variables(value) } : undefined;
}

function readTime(key: 'start_seconds' | 'timeout_seconds', unit: number): Read {
  return (value) =>
    typeof value === 'number' && value > 0 ? { [key]: Math.min(3_600, Math.ceil(value / unit)) } : undefined;
}

function readFlag(on: boolean): Read {
  return (value) => (value === on ? {} : value === !on ? { enabled: false } : undefined);
}

/**
 * The variables of another program as `${NAME}`: `$NAME`, `${env:NAME}`, `{env:NAME}`, `${input:id}`; a workspace is
 * that of ybs. A `$` before lower-case letters is part of a text, such as a password.
 */
function variables(text: string): string {
  return text
    .replaceAll(/\$\{workspace(?:Folder|Root)\}/g, '.')
    .replaceAll(/\$\{userHome\}/g, () => `\${HOME}`)
    .replaceAll(/\$?\{env:(\w+)\}/g, (_all, name: string) => `\${${name}}`)
    .replaceAll(/\$\{input:([^}]+)\}/g, (_all, id: string) => `\${${inputName(id)}}`)
    .replaceAll(/(?<!\$)\$([A-Z_][A-Z0-9_]*)\b/g, (_all, name: string) => `\${${name}}`);
}

const inputName = (id: string): string => id.toUpperCase().replaceAll(/\W+/g, '_');

/** The variables that stand for the inputs of VS Code, which asks for them. */
function inputsOf(given: Written, { inputs }: Written): readonly string[] {
  const text = JSON.stringify(given);
  const ids = Array.isArray(inputs) ? inputs.map((input) => String(object(input)['id'])) : [];
  return ids.filter((id) => text.includes(`\${input:${id}}`)).map(inputName);
}

const object = (value: unknown): Written => (isJsonObject(value) ? value : {});

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
