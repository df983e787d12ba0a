/** Values of `--output-format` that are for hosts. */
export const HOST_FORMATS = ['stream-json', 'yume-json'] as const;

/**
 * The effect of a flag on the command line of a host. `switch` takes no value; `value` takes one; `list` takes all words
 * up to the next flag, which may themselves be lists with commas.
 */
export type HostFlagKind = 'switch' | 'value' | 'optional' | 'list';

/** A flag of a host: its spellings, the first of which is its name here, and what follows it. */
interface HostFlag {
  readonly names: readonly [string, ...string[]];
  readonly kind: HostFlagKind;
  /** The flag is for parts of another agent that ybs does not have, so it changes nothing. */
  readonly idle?: true;
}

/** The flags that hosts start an agent with: those of the Claude CLI, and those of ybs that make sense for a host. */
const FLAGS: readonly HostFlag[] = [
  { names: ['output-format'], kind: 'value' },
  { names: ['input-format'], kind: 'value' },
  { names: ['print', 'p'], kind: 'switch' },
  { names: ['prompt'], kind: 'value' },
  { names: ['include-partial-messages'], kind: 'switch' },
  { names: ['permission-prompt-tool'], kind: 'value' },
  { names: ['permission-mode'], kind: 'value' },
  { names: ['dangerously-skip-permissions'], kind: 'switch' },
  { names: ['model', 'm'], kind: 'value' },
  { names: ['fallback-model'], kind: 'value' },
  { names: ['provider'], kind: 'value' },
  { names: ['endpoint', 'api-base'], kind: 'value' },
  { names: ['config'], kind: 'value' },
  { names: ['cwd'], kind: 'value' },
  { names: ['no-sandbox'], kind: 'switch' },
  { names: ['dry-run'], kind: 'switch' },
  { names: ['tools-dialect'], kind: 'value' },
  { names: ['continue', 'c'], kind: 'switch' },
  { names: ['resume', 'r'], kind: 'optional' },
  { names: ['session-id'], kind: 'value' },
  { names: ['fork-session'], kind: 'switch' },
  { names: ['no-session-persistence'], kind: 'switch' },
  { names: ['history-file'], kind: 'value' },
  { names: ['max-turns'], kind: 'value' },
  { names: ['max-budget-usd'], kind: 'value' },
  { names: ['tools'], kind: 'list' },
  { names: ['allowed-tools', 'allowedTools'], kind: 'list' },
  { names: ['disallowed-tools', 'disallowedTools'], kind: 'list' },
  { names: ['add-dir'], kind: 'list' },
  { names: ['system-prompt'], kind: 'value' },
  { names: ['append-system-prompt'], kind: 'value' },
  { names: ['json-schema'], kind: 'value' },
  { names: ['verbose'], kind: 'switch', idle: true },
  { names: ['protocol-version'], kind: 'value', idle: true },
  { names: ['allow-dangerously-skip-permissions'], kind: 'switch', idle: true },
  { names: ['replay-user-messages'], kind: 'switch', idle: true },
  { names: ['strict-mcp-config'], kind: 'switch', idle: true },
  { names: ['settings'], kind: 'value', idle: true },
  { names: ['setting-sources'], kind: 'value', idle: true },
  { names: ['betas'], kind: 'list', idle: true },
  { names: ['effort'], kind: 'value', idle: true },
  { names: ['thinking'], kind: 'value', idle: true },
  { names: ['max-thinking-tokens'], kind: 'value', idle: true },
];

/** True for the name of a flag that only has a meaning on the command line of a host. */
export function isHostFlag(name: string): boolean {
  return FLAGS.some(({ names }) => names.includes(name));
}

/** Flags of the Claude CLI that ybs does not have, and that take a value: it is no part of the prompt. */
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
  /** The flags that are not known, as they were written. */
  readonly unknown: readonly string[];
}

const FLAG_NAMES = new Map(FLAGS.flatMap((flag) => flag.names.map((name) => [name, flag] as const)));

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
    const [key] = flag.names;
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
