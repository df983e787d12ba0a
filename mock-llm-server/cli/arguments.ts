import { PROTOCOLS, type Protocol, type ServiceName } from '../conversation/conversation.ts';
import { LIMIT_MODES, type LimitMode } from '../reply/limit-reply.ts';
import { DRIFT_MODES, type DriftMode } from '../scenario/lock/prompt-lock.ts';
import { errorText } from '../text.ts';
import { LINT_MODES, type LintMode } from '../wire/wire.ts';
import { MAX_PORT, oneOf, parseNumber, parseOptions, scenarioPaths } from './parse-options.ts';
import { parseRecord, type RecordCommand } from './record-arguments.ts';
import type { WeightsCommand } from './weights-arguments.ts';

/** Largest seed of chaos. */
export const MAX_SEED = 2 ** 32 - 1;

/** A parsed command line. `scenarios` is empty if it names none. */
export type Command =
  | ServeCommand
  | ExplainCommand
  | RecordCommand
  | { readonly type: 'validate'; readonly paths: readonly string[] }
  | VerifyCommand
  | WeightsCommand
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  /** The arguments are wrong. The message is one line. */
  | { readonly type: 'usage_error'; readonly message: string };

/** Options of the server. */
export interface ServeCommand {
  readonly type: 'serve';
  readonly port: number;
  readonly host: string;
  readonly scenarios: readonly string[];
  /** Generated and printed if it is undefined and other machines can reach the host. */
  readonly token: string | undefined;
  readonly allowHosts: readonly string[];
  /** Loads scenarios again when their files change. */
  readonly watch: boolean;
  /** Treatment of requests that the provider would reject. */
  readonly lint: LintMode;
  /** The service of requests whose path and scenario name none. */
  readonly as: ServiceName | undefined;
  /** Ids of rules of services that do not apply. */
  readonly allow: readonly string[];
  /** Treatment of the limits that requests set for answers. */
  readonly limits: LimitMode;
  /** Treatment of prompts that differ from the locks of their scenarios. */
  readonly drift: DriftMode;
  readonly chaos: ChaosArguments | undefined;
}

export interface ExplainCommand {
  readonly type: 'explain';
  /** File with the body of the request, or `-` for standard input. */
  readonly request: string;
  readonly scenarios: readonly string[];
  readonly protocol: Protocol;
  /** Path of the request, by default that of the protocol. */
  readonly path: string | undefined;
  /** Lines of the form `name: value`. */
  readonly headers: readonly string[];
  readonly lint: LintMode;
  readonly as: ServiceName | undefined;
  readonly allow: readonly string[];
  readonly limits: LimitMode;
}

export interface VerifyCommand {
  readonly type: 'verify';
  /** Address of the server. */
  readonly url: string;
  readonly testId: string | undefined;
  /** Kinds of problems with commas between them; the server checks and completes them. */
  readonly failOn: string | undefined;
  readonly format: (typeof VERIFY_FORMATS)[number];
  readonly token: string | undefined;
}

const VERIFY_FORMATS = ['text', 'json', 'junit'] as const;

/** Values of `--chaos` and `--seed`. Without a seed the server picks one and prints it. */
export interface ChaosArguments {
  readonly rate: number;
  readonly seed: number | undefined;
}

const MODES = {
  lint: { type: 'string', default: 'fail' },
  as: { type: 'string' },
  allow: { type: 'string', multiple: true },
  limits: { type: 'string', default: 'apply' },
} as const;

const OPTIONS = {
  port: { type: 'string', default: '8000' },
  host: { type: 'string', default: '127.0.0.1' },
  scenarios: { type: 'string', multiple: true },
  token: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  ...MODES,
  drift: { type: 'string', default: 'warn' },
  chaos: { type: 'string' },
  seed: { type: 'string' },
  'no-watch': { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const EXPLAIN_OPTIONS = {
  scenarios: { type: 'string', multiple: true },
  protocol: { type: 'string' },
  path: { type: 'string' },
  header: { type: 'string', multiple: true },
  ...MODES,
  help: { type: 'boolean', short: 'h' },
} as const;
const VERIFY_OPTIONS = {
  test: { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string', default: 'text' },
  token: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const VALIDATE_OPTIONS = { help: { type: 'boolean', short: 'h' } } as const;

/** Parses the arguments after the program's name. Asynchronous only because it loads suggestions when it needs them. */
export async function parseArguments(args: readonly string[]): Promise<Command> {
  const [subcommand, ...rest] = args;
  try {
    if (subcommand === 'explain') return await parseExplain(rest);
    if (subcommand === 'validate') return await parseValidate(rest);
    if (subcommand === 'record') return await parseRecord(rest);
    if (subcommand === 'verify') return await parseVerify(rest);
    // The compiler must not delay the server.
    if (subcommand === 'weights') return await (await import('./weights-arguments.ts')).parseWeights(rest);
    if (subcommand === 'help') return { type: 'help' };
    if (subcommand === 'version') return { type: 'version' };
    return await parseServe(subcommand === 'serve' || subcommand === 'start' ? rest : args);
  } catch (error) {
    return { type: 'usage_error', message: errorText(error) };
  }
}

async function parseServe(args: readonly string[]): Promise<Command> {
  const { values, tokens } = await parseOptions(args, OPTIONS);
  if (values.help) return { type: 'help' };
  if (values.version) return { type: 'version' };
  const { paths, bare } = scenarioPaths(tokens);
  await checkSubcommand(bare[0]);
  const scenarios = [...bare, ...paths];
  const { host, token, 'allow-host': allowHosts = [] } = values;
  if (host === '' || scenarios.includes('')) throw new Error('--host and --scenarios need a value');
  if (token === '' || allowHosts.includes('')) throw new Error('--token and --allow-host need a value');
  return {
    type: 'serve',
    port: parseNumber('--port', values.port, MAX_PORT),
    host,
    scenarios,
    token,
    allowHosts,
    watch: values['no-watch'] !== true,
    lint: oneOf('--lint', LINT_MODES, values.lint),
    ...(await parseServices(values)),
    limits: oneOf('--limits', LIMIT_MODES, values.limits),
    drift: oneOf('--drift', DRIFT_MODES, values.drift),
    chaos: parseChaos(values.chaos, values.seed),
  };
}

const SUBCOMMANDS = ['explain', 'validate', 'verify', 'record', 'weights', 'serve', 'help', 'version'];

/** Refuses a word that is a misspelled subcommand and not a path. */
async function checkSubcommand(word: string | undefined): Promise<void> {
  if (word === undefined || !/^[a-z]+$/.test(word)) return;
  const { suggest } = await import('../scenario/suggest.ts');
  const meant = suggest(word, SUBCOMMANDS);
  // `recordings` is no mistake for `record`.
  if (meant === undefined || Math.abs(meant.length - word.length) > 1) return;
  throw new Error(`unknown command "${word}"; did you mean ${meant}? For a directory of that name write ./${word}`);
}

async function parseExplain(args: readonly string[]): Promise<Command> {
  const { values, positionals } = await parseOptions(args, EXPLAIN_OPTIONS);
  if (values.help) return { type: 'help' };
  const { path, header: headers = [], scenarios = [] } = values;
  const [request, ...others] = positionals;
  if (request === undefined)
    throw new Error('explain needs a file with the body of a request, or - for standard input');
  if (others.length > 0) throw new Error(`unexpected argument "${others[0]}"; explain takes one file`);
  const protocol = oneOf('--protocol', PROTOCOLS, values.protocol ?? 'openai-chat');
  if (values.protocol !== undefined && path !== undefined) {
    throw new Error('--protocol and --path exclude each other');
  }
  if (path?.startsWith('/') === false) throw new Error(`--path must begin with /, not "${path}"`);
  const bad = headers.find((header) => !/^[\w-]+:[ -~]*$/.test(header));
  if (bad !== undefined) throw new Error(`--header must have the form "name: value", not "${bad}"`);
  const lint = oneOf('--lint', LINT_MODES, values.lint);
  const limits = oneOf('--limits', LIMIT_MODES, values.limits);
  return {
    type: 'explain',
    request,
    scenarios,
    protocol,
    path,
    headers,
    lint,
    limits,
    ...(await parseServices(values)),
  };
}

/** The service and the allowed rules. Loads the rules only to check their names. */
async function parseServices({ as, allow = [] }: { as?: string | undefined; allow?: string[] | undefined }) {
  if (as === undefined && allow.length === 0) return { as: undefined, allow };
  const { checkRuleIds, checkServiceName } = await import('../services/explain-name.ts');
  return { as: as === undefined ? undefined : checkServiceName(as), allow: checkRuleIds(allow) };
}

async function parseValidate(args: readonly string[]): Promise<Command> {
  const { values, positionals } = await parseOptions(args, VALIDATE_OPTIONS);
  if (values.help) return { type: 'help' };
  if (positionals.length === 0) throw new Error('validate needs at least one file or directory');
  return { type: 'validate', paths: positionals };
}

async function parseVerify(args: readonly string[]): Promise<Command> {
  const { values, positionals } = await parseOptions(args, VERIFY_OPTIONS);
  if (values.help) return { type: 'help' };
  const [url = 'http://127.0.0.1:8000', ...others] = positionals;
  if (others.length > 0) throw new Error(`unexpected argument "${others[0]}"; verify takes one address`);
  if (!/^https?:\/\/./.test(url)) throw new Error(`"${url}" is not an address like http://127.0.0.1:8000`);
  const format = oneOf('--format', VERIFY_FORMATS, values.format);
  const { test: testId, 'fail-on': failOn, token } = values;
  return { type: 'verify', url, testId, failOn, format, token };
}

function parseChaos(rate: string | undefined, seed: string | undefined): ChaosArguments | undefined {
  if (rate === undefined) {
    if (seed !== undefined) throw new Error('--seed needs --chaos');
    return undefined;
  }
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(rate)) {
    throw new Error(`--chaos must be a fraction of the requests from 0 to 1, like 0.1, not "${rate}"`);
  }
  return { rate: Number(rate), seed: seed === undefined ? undefined : parseNumber('--seed', seed, MAX_SEED) };
}
