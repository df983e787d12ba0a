import { DRIFT_MODES } from '../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { PERMISSION_MODES } from '../../agent/ports/approver.ts';
import { TOOL_DIALECTS } from '../../agent/ports/tool.ts';
import { REPORTERS } from '../../stories/report/write-report.ts';
import type { Subcommand, SubcommandRequest } from '../subcommands/subcommand.ts';
import { subcommandName } from '../subcommands/subcommands.ts';
import { findSubcommand, nearSubcommand } from './find-subcommand.ts';
import { commandHabit, optionHabit } from './habits.ts';
import { optionProblem } from './option-problems.ts';
import { type ArgumentToken, type CommandLineOptions, OPTIONS, type TestOptions } from './options.ts';

/** A parsed command line. The `message` of a usage error is for the user. */
export type Invocation =
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  /** No prompt: a chat at a terminal, else one run of the piped input. */
  | { readonly type: 'chat'; readonly options: CommandLineOptions }
  | {
      readonly type: 'prompt';
      readonly prompt: string;
      readonly options: CommandLineOptions;
      /** The words of the command line that may be meant, if those of the prompt are nearly a command. */
      readonly nearWords?: readonly string[];
    }
  | ({ readonly type: 'subcommand'; readonly subcommand: Subcommand } & SubcommandRequest)
  | { readonly type: 'test'; readonly stories: readonly string[]; readonly options: TestOptions }
  | { readonly type: 'usage_error'; readonly message: string };

/**
 * The arguments in a form that `parseArgs` reads as meant: an option whose value is missing, although it may be, gets an
 * empty one, instead of the next option.
 */
export function completeArguments(args: readonly string[]): string[] {
  const optional = new Map<string, string>();
  for (const { name, short, optional: mayStandAlone } of OPTIONS) {
    if (mayStandAlone) for (const form of [`--${name}`, `-${short}`]) optional.set(form, `--${name}`);
  }
  const end = args.indexOf('--');
  return args.map((argument, index) => {
    const next = args[index + 1];
    const isMissing = next === undefined || next.startsWith('-');
    const name = isMissing && (end < 0 || index < end) ? optional.get(argument) : undefined;
    return name === undefined ? argument : `${name}=`;
  });
}

/** The options in the format of `parseArgs`. */
export function parserOptions(): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  return Object.fromEntries(
    OPTIONS.map(({ name, short, value }) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, short === undefined ? { type } : { type, short }];
    }),
  );
}

/**
 * Parses a command line. `--help` and `--version` take precedence over everything except an invalid option; the last
 * of several equal options wins, unless a subcommand takes them all. A first word `test` is the subcommand, and so are
 * the words that fit the form of another one, unless `--` precedes them.
 */
export function readInvocation(tokens: readonly ArgumentToken[]): Invocation {
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const literal = tokens.find(({ kind }) => kind !== 'option')?.kind === 'option-terminator';
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const problem = optionProblem(token, literal ? [] : words);
    if (problem !== undefined) return { type: 'usage_error', message: problem };
    values.set(token.name, token.value ?? '');
    lists.set(token.name, [...(lists.get(token.name) ?? []), token.value ?? '']);
  }
  if (values.has('help')) return { type: 'help' };
  if (values.has('version')) return { type: 'version' };
  return invocation(words, literal, values, lists);
}

function invocation(
  words: readonly string[],
  literal: boolean,
  values: ReadonlyMap<string, string>,
  lists: SubcommandRequest['ownOptions'],
): Invocation {
  const [first, ...rest] = words;
  if (first === 'test' && !literal) return testInvocation(rest, values);
  const found = literal ? ({ type: 'prompt' } as const) : findSubcommand(words);
  if (found.type === 'incomplete' && commandHabit(words.join(' ')) === undefined) {
    // `ybs skills` alone asks for the list, as in other agents.
    const advice = commandHabit(`${words.join(' ')} list`);
    return { type: 'usage_error', message: [found.message, ...(advice === undefined ? [] : [advice])].join(' ') };
  }
  const name = found.type === 'subcommand' ? subcommandName(found.subcommand) : undefined;
  const misplaced = misplacedOption(name, values);
  const near = literal || name !== undefined ? undefined : nearSubcommand(words);
  if (misplaced !== undefined && near !== undefined) return { type: 'usage_error', message: nearProblem(words, near) };
  if (misplaced !== undefined) {
    // `ybs story x.har --out y` lacks a word of the command that has the option.
    const begun = literal ? undefined : findSubcommand(words.slice(0, 1));
    return begun?.type === 'incomplete' ? { type: 'usage_error', message: begun.message } : misplaced;
  }
  const session = SESSION_ONLY.find((option) => values.has(option));
  if (name !== undefined && session !== undefined && !SESSION_COMMANDS.includes(name)) {
    const reason = name === 'acp' ? 'whose editor chooses the session' : 'which opens no session';
    return { type: 'usage_error', message: `--${session} has no meaning for ybs ${name}, ${reason}.` };
  }
  if (values.has('continue') && values.has('resume')) {
    return { type: 'usage_error', message: '--continue and --resume each choose a session. Use one of them.' };
  }
  const idle = YBS_ONLY.find((option) => values.has(option));
  if (found.type === 'subcommand' && found.subcommand.form.startsWith('config set') && idle !== undefined) {
    const message = `--${idle} has no meaning for ybs config set, which changes a file for later sessions. ybs config lists the keys.`;
    return { type: 'usage_error', message };
  }
  const options = optionsFrom(values);
  if (options.quiet === true && (name !== undefined || options.outputFormat !== 'text')) {
    return { type: 'usage_error', message: '--quiet shortens the text of a single run: ybs --quiet "fix the test"' };
  }
  if (found.type === 'subcommand') {
    const own = OPTIONS.filter(({ subcommands = [] }) => name !== undefined && subcommands.includes(name));
    const ownOptions = new Map(own.flatMap((row) => pairOf(row.name, lists.get(row.name))));
    return { ...found, options, ownOptions };
  }
  if (first === undefined) return { type: 'chat', options };
  const prompt = words.join(' ');
  if (prompt.trim() !== '')
    return literal ? { type: 'prompt', prompt, options } : promptOf(words, prompt, options, near);
  return {
    type: 'usage_error',
    message: 'The prompt is empty. Say what to do, or start ybs without a prompt to chat.',
  };
}

/** The prompt, unless it is a command of another agent, or a path. Its words may be a mistyped command. */
function promptOf(
  words: readonly string[],
  prompt: string,
  options: CommandLineOptions,
  nearWords: readonly string[] | undefined,
): Invocation {
  const [first = '', second, ...more] = words;
  if (second === undefined && (first === 'help' || first === 'version')) return { type: first };
  // `exec "fix the test"`, as another agent wants it.
  if (RUNS.includes(first) && more.length === 0 && second !== undefined && /\s/.test(second)) {
    return { type: 'prompt', prompt: second, options };
  }
  const known = second === undefined ? first : `${first} ${second}`;
  const advice = commandHabit(known) ?? (second === undefined && PATH.test(first) ? PATH_ADVICE : undefined);
  if (advice !== undefined) {
    const rest = more.length === 0 ? '' : ' …';
    return { type: 'usage_error', message: `${advice} (To send it as a prompt: ybs -- ${known}${rest})` };
  }
  return { type: 'prompt', prompt, options, ...(nearWords !== undefined && { nearWords }) };
}

/** Commands of other agents that take a prompt. */
const RUNS = ['exec', 'e', 'run'];
/** A single word that is a path, as in `code .`. A `/word` may be a command of the user. */
const PATH = /^(?:\.{1,2}|~)(?:\/|$)|^\/[^/\s]+\//;
const PATH_ADVICE =
  'Work in a directory with --cwd <directory>, and name a file in a prompt: ybs "explain @file:src/main.ts"';

/** The message about words that may be a mistyped command, of which the words are `near`. */
export function nearProblem(words: readonly string[], near: readonly string[]): string {
  const [typed, command] = [words.join(' '), near.join(' ')];
  return `${JSON.stringify(typed)} is not a command. Did you mean ybs ${command}? To send it as a prompt: ybs -- ${typed}`;
}

/** The problem with an option of other subcommands than `name`, which is undefined for a chat or a prompt. */
function misplacedOption(name: string | undefined, values: ReadonlyMap<string, string>): Invocation | undefined {
  const row = OPTIONS.find(
    ({ name: option, subcommands }) =>
      subcommands !== undefined && values.has(option) && (name === undefined || !subcommands.includes(name)),
  );
  if (row === undefined) return undefined;
  const owners = (row.subcommands ?? []).map((owner) => `ybs ${owner}`).join(', ');
  const here = name === undefined ? optionHabit(row.name) : undefined;
  const advice = here === undefined ? '' : ` ${here}`;
  return { type: 'usage_error', message: `--${row.name} is an option of ${owners}.${advice}` };
}

function pairOf<Value>(name: string, value: Value | undefined): readonly (readonly [string, Value])[] {
  return value === undefined ? [] : [[name, value]];
}

/** Options that set up ybs, so they have no effect on another agent. */
const YBS_ONLY = ['model', 'provider', 'endpoint', 'tools-dialect', 'permission-mode', 'no-sandbox', 'dry-run'];
/** Those of them that the server of the stories, or their checks, need with another agent, too. */
const OF_CHECKS = ['endpoint', 'no-sandbox'];
/** Subcommands with a session of the user. */
const SESSION_COMMANDS = ['web', 'app'];
/** Options that choose a session, which stories do not have. */
const SESSION_ONLY = ['continue', 'resume'];

function testInvocation(stories: readonly string[], values: ReadonlyMap<string, string>): Invocation {
  const options = optionsFrom(values);
  if (options.outputFormat === 'json') {
    return { type: 'usage_error', message: 'ybs test has its own formats. Use --reporter json.' };
  }
  if (options.quiet === true) {
    return { type: 'usage_error', message: '--quiet has no meaning for ybs test. Use --reporter.' };
  }
  const misplaced = misplacedOption('test', values);
  if (misplaced !== undefined) return misplaced;
  const session = SESSION_ONLY.find((name) => values.has(name));
  if (session !== undefined) {
    return { type: 'usage_error', message: `--${session} has no meaning for ybs test, which stores no sessions.` };
  }
  if (stories.length === 0) {
    return { type: 'usage_error', message: 'ybs test needs at least one story: ybs test scenarios/read-then-answer' };
  }
  const agent = values.get('agent');
  const idle = YBS_ONLY.find((name) => !OF_CHECKS.includes(name) && values.has(name));
  if (agent !== undefined && idle !== undefined) {
    const message = `--${idle} sets up ybs, not the agent of --agent. Give the agent its own options in its command.`;
    return { type: 'usage_error', message };
  }
  const ofMock = ['rebase', 'drift'].find((name) => values.has(name));
  if (values.has('endpoint') && ofMock !== undefined) {
    const message = `--${ofMock} needs the mock model, which sees the prompts. Remove --endpoint.`;
    return { type: 'usage_error', message };
  }
  const reporter = REPORTERS.find((name) => name === values.get('reporter')) ?? 'text';
  const [update, rebase, watch] = [values.has('update'), values.has('rebase'), values.has('watch')];
  const drift = DRIFT_MODES.find((mode) => mode === values.get('drift')) ?? 'warn';
  if (watch && reporter !== 'text') {
    return { type: 'usage_error', message: `--watch reports as text. Remove --reporter ${reporter}.` };
  }
  return {
    type: 'test',
    stories,
    options: {
      ...options,
      ...named(values, 'agent'),
      ...{ reporter, update, drift, rebase, watch },
      ...named(values, 'shard'),
      ...named(values, 'timings'),
      ...named(values, 'html'),
      ...(values.has('merge') && { merge: true }),
    },
  };
}

function optionsFrom(values: ReadonlyMap<string, string>): CommandLineOptions {
  const permissionMode = PERMISSION_MODES.find((mode) => mode === values.get('permission-mode'));
  const toolsDialect = TOOL_DIALECTS.find((dialect) => dialect === values.get('tools-dialect'));
  return {
    ...named(values, 'config'),
    ...named(values, 'model'),
    ...named(values, 'provider'),
    ...named(values, 'endpoint'),
    ...named(values, 'cwd'),
    ...named(values, 'resume'),
    ...(values.has('continue') ? { continue: true } : {}),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(toolsDialect !== undefined && { toolsDialect }),
    outputFormat: values.get('output-format') === 'json' ? 'json' : 'text',
    ...(values.has('quiet') && { quiet: true }),
    ...(values.has('screen-reader') && { screenReader: true }),
    dryRun: values.has('dry-run'),
    ...(values.has('no-sandbox') && { noSandbox: true }),
  };
}

/** The value of an option as a field of that name, if it is given. */
function named<Name extends string>(
  values: ReadonlyMap<string, string>,
  name: Name,
): { readonly [K in Name]?: string } {
  const value = values.get(name);
  const found: { [K in Name]?: string } = {};
  if (value !== undefined) found[name] = value;
  return found;
}
