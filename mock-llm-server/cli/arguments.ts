import { parseArgs } from 'node:util';
import { PROTOCOLS, type Protocol } from '../conversation/conversation.ts';
import { errorText } from '../text.ts';
import { LINT_MODES, type LintMode } from '../wire/wire.ts';
import { refuseUnknownOption } from './refuse-unknown-option.ts';

/** The largest seed of chaos; the smallest is 0. */
export const MAX_SEED = 2 ** 32 - 1;

/** What the command line asks for. `scenarios` is empty when none were named. */
export type Command = Subcommand | { readonly type: 'version' } | ServeCommand;

/** What serving needs. */
export interface ServeCommand {
  readonly type: 'serve';
  readonly port: number;
  readonly host: string;
  readonly scenarios: readonly string[];
  /** Undefined where nobody sets one; then one is made up and printed if the host can be reached from elsewhere. */
  readonly token: string | undefined;
  readonly allowHosts: readonly string[];
  /** Whether changed files are loaded again while the server runs. */
  readonly watch: boolean;
  /** What becomes of requests that the provider would refuse. */
  readonly lint: LintMode;
  /** Undefined where no request goes wrong that no step has a fault for; a seed is picked where none is given. */
  readonly chaos: ChaosArguments | undefined;
}

/** What `--help` prints. */
export const HELP = `Usage: mock-llm-server [options]
       mock-llm-server explain REQUEST.json [options]
       mock-llm-server validate PATH…

A model that answers from scenario files, over the protocols of real providers.

Options:
  --port N             port to listen on, 0 picks a free one (default 8000)
  --host ADDRESS       address to listen on (default 127.0.0.1); one that others
                       can reach needs a token
  --token TOKEN        what requests must bring as their API key, better set as
                       MOCK_LLM_SERVER_TOKEN; made up and printed where needed
  --allow-host NAME    a further name that clients reach the server by
  --scenarios PATH…    scenario files, story directories, directories of them or
                       globs, in this order (default: the shipped stories)
  --lint MODE          what becomes of requests that a provider refuses: fail
                       (the default) refuses them too, warn answers and notes
                       it, off answers
  --chaos RATE         makes this part of the requests go wrong, from 0 to 1
  --seed N             which ones and how; the same for the same number
  --no-watch           do not load scenarios again when their files change
  --version            print the version
  -h, --help           print this help

explain says what the server would answer to the body of a request, and why;
- reads it from standard input. Options beside --scenarios PATH and --lint:
  --protocol NAME      openai-chat, openai-responses, anthropic-messages, gemini
                       or ollama (default: guessed from the body)
  --path PATH          where the request is sent, instead of a protocol
  --header "N: V"      a header of the request
Exit codes: 0 a reply, 1 an error, 2 wrong usage or a bad file.

validate checks scenario files: what cannot be loaded, which triggers can never
start anything, which steps cannot do what they say. Exit codes: 0 fine,
1 warnings, 2 wrong usage or a bad file.

The first line on standard output is {"event":"listening","url":"http://…"}.
Logs go to standard error. Exit codes: 0 stopped by a signal, 1 the server
could not start, 2 wrong usage or a bad scenario file.
`;

const OPTIONS = {
  port: { type: 'string', default: '8000' },
  host: { type: 'string', default: '127.0.0.1' },
  scenarios: { type: 'string', multiple: true },
  token: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  lint: { type: 'string' },
  chaos: { type: 'string' },
  seed: { type: 'string' },
  'no-watch': { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments after the program's name. Pure. */
export function parseArguments(args: readonly string[]): Command {
  try {
    if (args[0] === 'explain') return parseExplain(args.slice(1));
    if (args[0] === 'validate') return parseValidate(args.slice(1));
    return readCommand(args);
  } catch (error) {
    return { type: 'usage_error', message: errorText(error) };
  }
}

function readCommand(args: readonly string[]): Command {
  refuseUnknownOption(args, OPTIONS, 'mock-llm-server');
  const { values, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help) return { type: 'help' };
  if (values.version) return { type: 'version' };
  const scenarios: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'scenarios') scenarios.push(token.value ?? '');
    if (token.kind !== 'positional') continue;
    if (scenarios.length === 0) return usageError(`unexpected argument "${token.value}"`);
    scenarios.push(token.value);
  }
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) return usageError(`--port must be a number from 0 to 65535, not "${values.port}"`);
  if (values.host === '' || scenarios.includes('')) return usageError('--host and --scenarios need a value');
  const { token, 'allow-host': allowHosts = [] } = values;
  if (token === '' || allowHosts.includes('')) return usageError('--token and --allow-host need a value');
  const lint = readLintMode(values.lint);
  if (lint === undefined) return usageError(explainLintMode(values.lint));
  const read = readChaos(values.chaos, values.seed);
  if ('problem' in read) return usageError(read.problem);
  const { chaos } = read;
  const watch = values['no-watch'] !== true;
  return { type: 'serve', port, host: values.host, scenarios, token, allowHosts, watch, lint, chaos };
}

function usageError(message: string): { readonly type: 'usage_error'; readonly message: string } {
  return { type: 'usage_error', message };
}

/** What the command line asks for beside serving. */
export type Subcommand =
  | {
      readonly type: 'explain';
      readonly request: string;
      readonly scenarios: readonly string[];
      readonly protocol: Protocol | undefined;
      readonly path: string | undefined;
      readonly headers: readonly string[];
      readonly lint: LintMode;
    }
  | { readonly type: 'validate'; readonly paths: readonly string[] }
  | { readonly type: 'help' }
  | { readonly type: 'usage_error'; readonly message: string };

const EXPLAIN_OPTIONS = {
  scenarios: { type: 'string', multiple: true },
  protocol: { type: 'string' },
  path: { type: 'string' },
  header: { type: 'string', multiple: true },
  lint: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const VALIDATE_OPTIONS = { help: { type: 'boolean', short: 'h' } } as const;

/** Reads the arguments after `explain`. Throws for options that do not exist or lack their value. */
export function parseExplain(args: readonly string[]): Subcommand {
  refuseUnknownOption(args, EXPLAIN_OPTIONS, 'explain');
  const { values, positionals } = parseArgs({
    args: [...args],
    options: EXPLAIN_OPTIONS,
    allowPositionals: true,
  });
  if (values.help) return { type: 'help' };
  const [request, ...others] = positionals;
  if (request === undefined) return usageError('explain needs a file with the body of a request, or - to read it');
  if (others.length > 0) return usageError(`unexpected argument "${others[0]}"; explain takes one file`);
  const protocol = PROTOCOLS.find((one) => one === values.protocol);
  if (values.protocol !== undefined && protocol === undefined) {
    return usageError(`--protocol must be one of ${PROTOCOLS.join(', ')}, not "${values.protocol}"`);
  }
  if (protocol !== undefined && values.path !== undefined)
    return usageError('--protocol and --path exclude each other');
  if (values.path?.startsWith('/') === false) return usageError(`--path must begin with /, not "${values.path}"`);
  const headers = values.header ?? [];
  const bad = headers.find((header) => !/^[\w-]+:[ -~]*$/.test(header));
  if (bad !== undefined) return usageError(`--header must have the form "name: value", not "${bad}"`);
  const lint = readLintMode(values.lint);
  if (lint === undefined) return usageError(explainLintMode(values.lint));
  return { type: 'explain', request, scenarios: values.scenarios ?? [], protocol, path: values.path, headers, lint };
}

/** Reads the arguments after `validate`. Throws for options that do not exist. */
export function parseValidate(args: readonly string[]): Subcommand {
  refuseUnknownOption(args, VALIDATE_OPTIONS, 'validate PATH…');
  const { values, positionals } = parseArgs({
    args: [...args],
    options: VALIDATE_OPTIONS,
    allowPositionals: true,
  });
  if (values.help) return { type: 'help' };
  if (positionals.length === 0) return usageError('validate needs at least one file or directory');
  return { type: 'validate', paths: positionals };
}

/** The mode that `--lint` names; `fail` where it is not given, nothing where it is none. */
export function readLintMode(value: string | undefined): LintMode | undefined {
  return value === undefined ? 'fail' : LINT_MODES.find((mode) => mode === value);
}

/** What to say when `readLintMode` finds nothing. */
export function explainLintMode(value: string | undefined): string {
  return `--lint must be off, warn or fail, not "${value}"`;
}

/** What `--chaos` and `--seed` say. Without a seed the server chooses one and prints it. */
export interface ChaosArguments {
  readonly rate: number;
  readonly seed: number | undefined;
}

/** Reads the two options, or says what is wrong with them; nothing where there are none. */
export function readChaos(
  rate: string | undefined,
  seed: string | undefined,
): { readonly chaos: ChaosArguments | undefined } | { readonly problem: string } {
  if (rate === undefined) return seed === undefined ? { chaos: undefined } : { problem: '--seed needs --chaos' };
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(rate)) {
    return { problem: `--chaos must be a part of the requests from 0 to 1, like 0.1, not "${rate}"` };
  }
  if (seed === undefined) return { chaos: { rate: Number(rate), seed: undefined } };
  const number = /^\d{1,10}$/.test(seed) ? Number(seed) : Number.NaN;
  if (!(number <= MAX_SEED)) return { problem: `--seed must be a number from 0 to ${MAX_SEED}, not "${seed}"` };
  return { chaos: { rate: Number(rate), seed: number } };
}
