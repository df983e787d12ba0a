import { UsageError } from '../../agent/errors.ts';
import { didYouMean } from '../../text/suggest.ts';
import { QUIET } from '../../tools/shell/shell-environment.ts';
import { KNOWN_AGENTS, type KnownAgent } from './known-agents.ts';

/** Values of one run: the address of the mock server, the agent's home directory, and the prompt of the story. */
export interface RunValues {
  readonly base: string;
  readonly home: string;
  readonly prompt: string;
}

/** Everything that starts an agent for one story. */
export interface AgentSetup {
  /** Contents of configuration files, by their paths in the home directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Variables besides those that every agent gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Programs with their arguments, to run one after the other; the last one plays the story. */
  readonly commands: readonly (readonly string[])[];
}

/** The agent that `--agent` names. */
export interface ForeignAgent {
  readonly name: string;
  /** Absolute paths of the files that its command names. */
  readonly files: readonly string[];
  prepare(values: RunValues): AgentSetup;
}

/**
 * Variables that own agents get, with the protocol whose SDKs read them. `$BASE` stands for the address of the server.
 * docs/your-agent.md lists them.
 */
export const MODEL_VARIABLES: readonly { readonly protocol: string; readonly name: string; readonly value: string }[] =
  [
    { protocol: 'OpenAI', name: 'OPENAI_BASE_URL', value: '$BASE/v1' },
    { protocol: 'OpenAI', name: 'OPENAI_API_BASE', value: '$BASE/v1' },
    { protocol: 'OpenAI', name: 'OPENAI_API_KEY', value: 'unused' },
    { protocol: 'Anthropic', name: 'ANTHROPIC_BASE_URL', value: '$BASE' },
    { protocol: 'Anthropic', name: 'ANTHROPIC_API_KEY', value: 'unused' },
    { protocol: 'Gemini', name: 'GOOGLE_GEMINI_BASE_URL', value: '$BASE' },
    { protocol: 'Gemini', name: 'GEMINI_API_KEY', value: 'unused' },
    { protocol: 'Ollama', name: 'OLLAMA_HOST', value: '$BASE' },
    { protocol: 'Ollama', name: 'OLLAMA_API_KEY', value: 'unused' },
  ];

/** Names for `--agent` that need no command. */
export const AGENT_NAMES: readonly string[] = [...new Set(KNOWN_AGENTS.map(({ bin }) => bin))].toSorted();

const PROMPT = '{prompt}';

/**
 * Reads the value of `--agent`: the command of a known agent, the name of one of its configurations, or an own command
 * with `{prompt}`. `findFile` returns the absolute path of a file that a word names, because the agent runs in another
 * directory. Throws `UsageError`.
 */
export async function readForeignAgent(
  value: string,
  findFile: (word: string) => Promise<string | undefined>,
): Promise<ForeignAgent> {
  const known = KNOWN_AGENTS.find(({ bin, name }) => bin === value || name === value);
  if (known !== undefined) return { name: known.name, files: [], prepare: (values) => fillAgent(known, values) };
  const split = splitWords(value);
  if (split.type === 'unclosed') throw new UsageError(`--agent: the quote ${split.quote} is not closed in ${value}`);
  if (!split.words.some((word) => word.includes(PROMPT))) throw new UsageError(missingPrompt(value));
  const files = await Promise.all(split.words.map(findFile));
  const words = split.words.map((word, index) => files[index] ?? word);
  return {
    name: value,
    files: files.filter((file) => file !== undefined),
    prepare: (values) => ownSetup(words, values),
  };
}

function missingPrompt(value: string): string {
  const hint = didYouMean(value, AGENT_NAMES);
  return (
    `--agent ${JSON.stringify(value)} does not contain {prompt}.${hint} ` +
    `Write {prompt} where the prompt belongs, as in --agent "my-agent --print {prompt}", or name one of ` +
    `${AGENT_NAMES.join(', ')}.`
  );
}

function ownSetup(words: readonly string[], { base, prompt }: RunValues): AgentSetup {
  const environment = MODEL_VARIABLES.map(({ name, value }) => [name, value.replace('$BASE', () => base)]);
  return {
    files: {},
    environment: Object.fromEntries(environment),
    commands: [words.map((word) => word.replaceAll(PROMPT, () => prompt))],
  };
}

/** The setup of a known agent: its texts with values in place of `$BASE`, `$HOME` and `$PROMPT`. */
export function fillAgent({ bin, files, environment, before, args }: KnownAgent, values: RunValues): AgentSetup {
  const texts = new Map([
    ['$BASE', values.base],
    ['$HOME', values.home],
    ['$PROMPT', values.prompt],
  ]);
  const fill = (text: string) => text.replaceAll(/\$(?:BASE|HOME|PROMPT)\b/g, (name) => texts.get(name) ?? name);
  const fillAll = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fill(text)]));
  return {
    files: fillAll(files),
    environment: fillAll(environment),
    commands: [...(before === undefined ? [] : [before]), args].map((words) => [bin, ...words.map(fill)]),
  };
}

/** Names of variables that hold keys, passwords or tokens. */
const SECRET =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET_?KEY|PRIVATE_?KEY|AUTH_?TOKEN|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Variables that direct an agent to another model, configuration, host or directory. */
const MISLEADING =
  /^(?:OPENAI|AZURE|ANTHROPIC|CLAUDE|CODEX|GEMINI|GOOGLE|OLLAMA|XDG_\w+_HOME$|(?:HTTPS?|ALL|NO)_PROXY$|(?:OLDPWD|INIT_CWD)$|npm_)/i;

/** Variables that the shell reads before a command, and functions that Bash imports: they change the meaning of words. */
const READ_BY_SHELL = /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/i;

/** Variables that turn colours on in spite of NO_COLOR, or belong to a test run of ybs itself. */
const OF_THIS_RUN = /^(?:FORCE_COLOR|CLICOLOR_FORCE|NODE_V8_COVERAGE|NODE_TEST_CONTEXT)$/i;

const REMOVED = [SECRET, MISLEADING, READ_BY_SHELL, OF_THIS_RUN];

/** Names of variables that select a pager, such as `PAGER`, `MANPAGER` and `AWS_PAGER`. */
const PAGER = /^(?:\w*_|MAN)?PAGER$/i;

/**
 * The environment of an agent: that of the user without secrets, without variables that direct it elsewhere and without
 * those that make a program wait or use a pager, then its home and working directory and the variables of the setup.
 * Ignores the case of names.
 */
export function agentEnvironment(
  user: Readonly<Record<string, string | undefined>>,
  { home, workspace }: { readonly home: string; readonly workspace: string },
  setup: AgentSetup,
): Record<string, string> {
  const kept = Object.entries(user).flatMap(([name, value]) => {
    if (value === undefined || Object.hasOwn(QUIET, name.toUpperCase())) return [];
    if (REMOVED.some((removed) => removed.test(name))) return [];
    return [[name, PAGER.test(name) ? 'cat' : value] as const];
  });
  // Some agents trust PWD more than the directory that they were started in.
  const places = { HOME: home, USERPROFILE: home, PWD: workspace };
  return { ...Object.fromEntries(kept), ...QUIET, ...places, ...setup.environment };
}

/** The words of a command, or the quote that is missing at its end. */
export type SplitWords =
  | { readonly type: 'words'; readonly words: readonly string[] }
  | { readonly type: 'unclosed'; readonly quote: string };

/**
 * Splits a command into words without a shell: whitespace separates them, single and double quotes keep it. A backslash
 * takes a following quote, backslash or space literally, except in single quotes; before anything else it is itself, as
 * in paths of Windows. Nothing is expanded.
 */
export function splitWords(text: string): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {} } of text.matchAll(PART)) {
    const { space, single, double, escaped, open, plain } = groups;
    if (open !== undefined) return { type: 'unclosed', quote: open };
    if (space === undefined) {
      const part = single ?? double?.replaceAll(ESCAPED, '$1') ?? escaped ?? plain ?? '';
      word = (word ?? '') + part;
      continue;
    }
    if (word !== undefined) words.push(word);
    word = undefined;
  }
  if (word !== undefined) words.push(word);
  return { type: 'words', words };
}

/** A part of a command. The text of double quotes has escapes; `open` is a quote that is not closed. */
const PART =
  /(?<space>\s+)|'(?<single>[^']*)'|"(?<double>(?:\\["'\\\s]|\\(?!["'\\\s])|[^"\\])*)"|\\(?<escaped>["'\\\s])|(?<open>["'])|(?<plain>[^\s"'\\]+|\\)/g;
const ESCAPED = /\\(["'\\\s])/g;
