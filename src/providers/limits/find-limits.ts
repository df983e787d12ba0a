import { ModelError } from '../../agent/errors.ts';
import type { ContextWindow, LanguageModel } from '../../agent/ports/language-model.ts';
import { withSeparators } from '../../text/quantities.ts';
import type { OfferedModel, WireOptions } from '../wire-options.ts';
import type { KnownModel } from './known-model.ts';

/**
 * The origin of a limit: the setting of the user, the server, the table of known models, the family of the model there, or an
 * assumption.
 */
export type LimitSource = 'setting' | 'server' | 'table' | 'family' | 'assumed';

/** A number of tokens, and its origin. */
export interface Limit {
  readonly tokens: number;
  readonly source: LimitSource;
}

export interface Limits {
  /** The tokens of a request and its answer together. */
  readonly window: Limit;
  readonly answer: Limit;
  readonly warning?: string;
  /** The server says that the model cannot call tools. */
  readonly lacksTools?: true;
}

/** The limits that the user has set; absent: none. */
export interface UserLimits {
  readonly window?: number | undefined;
  readonly answer?: number | undefined;
}

/** The numbers of the specification, for a model about which nothing is known. */
export const ASSUMED = { window: 32_000, answer: 4_096 } as const;

/** The longest answer that is asked for without a setting. Some services count the whole of it against a quota. */
const MAX_ANSWER = 64_000;

/**
 * The limits by what is known: the setting of the user first, then the word of the server, the table, and the numbers of
 * the specification. Without a setting, the answer takes at most a quarter of a known window. Pure.
 */
export function limitsOf(
  user: UserLimits,
  server: ContextWindow | undefined,
  known: Pick<KnownModel, 'window' | 'answer' | 'isGuess'> | undefined,
  names: Pick<WireOptions, 'label' | 'model'>,
): Limits {
  const table = known?.isGuess === true ? 'family' : 'table';
  const window = choose(user.window, server?.tokens, known?.window, ASSUMED.window, table);
  const found = choose(user.answer, server?.answerTokens, known?.answer, ASSUMED.answer, table);
  const room = Math.max(ASSUMED.answer, Math.floor(window.tokens / 4));
  const answer = found.source === 'setting' ? found : { ...found, tokens: Math.min(found.tokens, room, MAX_ANSWER) };
  const warning = server?.warning ?? tooLarge(names, user.window, server?.tokens);
  return {
    window,
    answer,
    ...(warning === undefined ? {} : { warning }),
    ...(server?.lacksTools === true ? { lacksTools: true } : {}),
  };
}

function choose(
  setting: number | undefined,
  server: number | undefined,
  known: number | undefined,
  assumed: number,
  table: 'table' | 'family',
): Limit {
  if (setting !== undefined) return { tokens: setting, source: 'setting' };
  if (server !== undefined) return { tokens: server, source: 'server' };
  return known === undefined ? { tokens: assumed, source: 'assumed' } : { tokens: known, source: table };
}

function tooLarge(
  { label, model }: Pick<WireOptions, 'label' | 'model'>,
  wanted = 0,
  window = Number.POSITIVE_INFINITY,
): string | undefined {
  if (wanted <= window) return undefined;
  return `context.max_tokens is ${withSeparators(wanted)}, but ${label} runs ${model} with a window of ${withSeparators(window)} tokens. Lower it, or give the model a larger window.`;
}

/** Finds out the limits of a model; throws nothing but `ModelError` and the reason of the signal. */
export type FindLimits = (signal: AbortSignal) => Promise<Limits>;

/** The limits of a model. They are asked for once; `undefined` of the server is not asked for again. */
export function createLimits(
  model: Pick<LanguageModel, 'contextWindow'>,
  options: WireOptions,
  user: UserLimits,
  list: ((signal: AbortSignal) => Promise<readonly OfferedModel[]>) | undefined,
): FindLimits {
  let listed: Promise<ContextWindow | undefined> | undefined;
  const ask = async (signal: AbortSignal): Promise<ContextWindow | undefined> => {
    if (model.contextWindow !== undefined) return model.contextWindow(signal).catch(unlessUnreachable);
    listed ??= list?.(signal).then(
      (models) => windowOf(models, options.model),
      () => undefined,
    );
    return listed;
  };
  return async (signal) => {
    const [server, { knownModel }] = await Promise.all([ask(signal), import('./known-model.ts')]);
    return limitsOf(user, server, knownModel(options.model), options);
  };
}

/** A server that is not there will not answer the request either, so it is not asked again for the same reason. */
function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof ModelError) || UNREACHABLE.has(error.code)) throw error;
}

const UNREACHABLE: ReadonlySet<ModelError['code']> = new Set(['unreachable', 'network']);

/** Facts about a model in a list: those of its entry, or of the only one. */
function windowOf(models: readonly OfferedModel[], wanted: string): ContextWindow | undefined {
  const [only, ...others] = models;
  const entry = models.find(({ name }) => isSame(name, wanted)) ?? (others.length === 0 ? only : undefined);
  if (entry === undefined) return undefined;
  const { contextWindow: tokens, maxAnswer: answerTokens, lacksTools } = entry;
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(answerTokens === undefined ? {} : { answerTokens }),
    ...(lacksTools === undefined ? {} : { lacksTools }),
  };
}

/** True if a listed model is the wanted one: Ollama lists a tag that need not be named. */
export function isSame(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest`;
}
