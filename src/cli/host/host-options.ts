/** Values of `--output-format` that are for hosts. */
export const HOST_FORMATS = ['stream-json', 'yume-json'] as const;

/**
 * The words that may follow a flag on the command line of a host: none after a `switch`, one after a `value`, up to one
 * after an `optional`; after a `list`, all words up to the next flag, which may themselves be lists with commas.
 */
const KINDS = ['switch', 'value', 'optional', 'list'] as const;
type HostFlagKind = (typeof KINDS)[number];

/**
 * The flags that hosts start an agent with: those of the Claude CLI, and those of ybs that make sense for a host. The first
 * spelling of a flag is its name here.
 */
const FLAGS: Readonly<Record<HostFlagKind, readonly string[]>> = {
  switch: [
    ...['print|p', 'include-partial-messages', 'dangerously-skip-permissions', 'no-sandbox', 'dry-run', 'continue|c'],
    ...['fork-session', 'no-session-persistence'],
  ],
  value: [
    ...['output-format', 'input-format', 'prompt', 'permission-prompt-tool', 'permission-mode', 'model|m'],
    ...['fallback-model', 'provider', 'endpoint|api-base', 'config', 'cwd', 'tools-dialect', 'session-id'],
    ...['history-file', 'max-turns', 'max-budget-usd', 'system-prompt', 'append-system-prompt', 'json-schema'],
  ],
  optional: ['resume|r'],
  list: ['tools', 'allowed-tools|allowedTools', 'disallowed-tools|disallowedTools', 'add-dir'],
};

/** The flags that are accepted and change nothing: they are for parts of another agent that ybs does not have. */
const IDLE_FLAGS: typeof FLAGS = {
  switch: ['verbose', 'allow-dangerously-skip-permissions', 'replay-user-messages', 'strict-mcp-config'],
  value: ['protocol-version', 'settings', 'setting-sources', 'effort', 'thinking', 'max-thinking-tokens'],
  optional: [],
  list: ['betas'],
};

/** The kind of each flag and its name, by its spellings. */
const FLAG_NAMES = new Map(
  [FLAGS, IDLE_FLAGS].flatMap((flags) =>
    KINDS.flatMap((kind) =>
      flags[kind].flatMap((spellings) => {
        const names = spellings.split('|');
        return names.map((name) => [name, { kind, key: names[0] ?? name }] as const);
      }),
    ),
  ),
);

/** True for the name of a flag that only has a meaning on the command line of a host. */
export function isHostFlag(name: string): boolean {
  return FLAG_NAMES.has(name);
}

/** Flags of the Claude CLI that ybs does not have, and that take a value, which is not part of the prompt. */
const UNKNOWN_WITH_VALUE: ReadonlySet<string> = new Set([
  ...['agent', 'agents', 'append-system-prompt-file', 'debug-file', 'file', 'from-pr', 'mcp-config', 'name', 'n'],
  ...['plugin-dir', 'resume-session-at', 'system-prompt-file', 'task-budget'],
]);

/** The flags of a command line, by name. */
export interface HostFlags {
  /** The last value of each flag; empty for switches. */
  readonly values: ReadonlyMap<string, string>;
  /** The words of each list, without empty ones. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** The words that belong to no flag. */
  readonly words: readonly string[];
  /** The unknown flags, as they were written. */
  readonly unknown: readonly string[];
}

/**
 * Reads the flags of a host in any order and in every spelling: `--flag value`, `--flag=value`, `--flag=` for none, one
 * dash before a letter. Everything after `--` is words.
 */
export function readHostFlags(args: readonly string[]): HostFlags {
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const words: string[] = [];
  const unknown: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0));
      break;
    }
    const [, dashes, name = '', value] = /^(--?)([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const flag = dashes === undefined || (dashes === '-') !== (name.length === 1) ? undefined : FLAG_NAMES.get(name);
    if (flag === undefined) {
      if (/^--?[A-Za-z]/.test(word)) unknown.push(word.replace(/=[\s\S]*$/, ''));
      else if (word !== '') words.push(word);
      if (value === undefined && UNKNOWN_WITH_VALUE.has(name)) takeValue(rest, 'value');
      continue;
    }
    const { key } = flag;
    if (flag.kind === 'list') {
      const given = value === undefined ? takeWords(rest) : [value];
      lists.set(key, [...(lists.get(key) ?? []), ...given.flatMap(splitList)]);
    } else if (flag.kind === 'switch') {
      if (value !== 'false') values.set(key, '');
    } else {
      values.set(key, value ?? takeValue(rest, flag.kind));
    }
  }
  return { values, lists, words, unknown };
}

function takeValue(rest: string[], kind: HostFlagKind): string {
  const next = rest[0];
  // The text of a prompt may begin with a dash; an id of a session does not.
  if (next === undefined || (kind === 'optional' && next.startsWith('-')) || next.startsWith('--')) return '';
  return rest.shift() ?? '';
}

function takeWords(rest: string[]): readonly string[] {
  const end = rest.findIndex((word) => word.startsWith('-'));
  return rest.splice(0, end < 0 ? rest.length : end);
}

/** The entries of a list with commas or spaces, which stay within parentheses: `Bash(git log, x),Read`. */
function splitList(value: string): readonly string[] {
  return value.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
}
