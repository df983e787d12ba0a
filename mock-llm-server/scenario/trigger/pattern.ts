/** The named groups of a match. */
export type Groups = Readonly<Record<string, string>>;

/** A regular expression of a scenario, and a text that it searches. */
export interface PatternSearch {
  readonly source: string;
  readonly flags: string;
  readonly scenario: string;
  readonly text: string;
}

/** The outcome of a search that may have been ended. */
export type SearchOutcome = { readonly groups: Groups | undefined } | 'too slow';

/**
 * Runs searches where they can be ended. It may answer fewer than it was asked for, but at least one: a search after a
 * match is rarely needed.
 */
export type SearchPatterns = (
  searches: readonly PatternSearch[],
  signal?: AbortSignal,
) => Promise<readonly SearchOutcome[]>;

/** A search was ended. The message names the expression and its scenario. */
export class SlowSearchError extends Error {
  override readonly name = 'SlowSearchError';

  constructor({ source, flags, scenario }: PatternSearch) {
    super(
      `The expression /${source}/${flags} of scenario "${scenario}" takes too long on a text of this request, so that ` +
        'its search was ended. Write one without nested repetitions, such as a+ in place of (a+)+.',
    );
  }
}

/** The searches of one call of `withSearches`. */
interface Searches {
  readonly outcomes: Map<string, SearchOutcome>;
  readonly pending: Map<string, PatternSearch>;
}

/** The searches of the call that runs; undefined outside of one, where every search runs at once. */
let current: Searches | undefined;

/** Creates the search of an expression: the named groups of the first match in a text, or undefined. */
export function createSearch(source: string, flags: string, scenario: string): (text: string) => Groups | undefined {
  const regex = new RegExp(source, flags);
  const stepsFor = boundSteps(source, flags);
  return (text) => {
    if (current === undefined || stepsFor(text.length) <= MAX_STEPS) return groupsOf(regex.exec(text));
    const key = `/${source}/${flags} ${text}`;
    const outcome = current.outcomes.get(key);
    if (outcome === undefined) current.pending.set(key, { source, flags, scenario, text });
    // A search before this one may match, so that this one is not needed.
    else if (outcome !== 'too slow') return outcome.groups;
    else if (current.pending.size === 0) throw new SlowSearchError({ source, flags, scenario, text });
    return undefined;
  };
}

/** The named groups of a match that have a value. */
export function groupsOf(match: RegExpExecArray | null): Groups | undefined {
  if (match === null) return undefined;
  return Object.fromEntries(Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined));
}

/**
 * The result of a pure function whose searches cannot block: those that may take long are left to `search`, and the
 * function is called again with their outcomes. Rejects with a `SlowSearchError` if it needs one that was ended.
 */
export async function withSearches<T>(act: () => T, search: SearchPatterns): Promise<T> {
  const searches: Searches = { outcomes: new Map(), pending: new Map() };
  for (;;) {
    const attempt = attemptWith(searches, act);
    const pending = [...searches.pending];
    if (pending.length === 0) return attempt();
    searches.pending.clear();
    const outcomes = await search(pending.map(([, each]) => each));
    for (const [index, outcome] of outcomes.entries()) searches.outcomes.set(pending[index]?.[0] ?? '', outcome);
  }
}

/** The result of a pure function; undefined if it needs a search that may take long. */
export function withoutLongSearches<T>(act: () => T): T | undefined {
  const searches: Searches = { outcomes: new Map(), pending: new Map() };
  const attempt = attemptWith(searches, act);
  return searches.pending.size === 0 ? attempt() : undefined;
}

/** Calls a function with these searches. The result gives its value or throws its error, which count without pending ones. */
function attemptWith<T>(searches: Searches, act: () => T): () => T {
  const outer = current;
  current = searches;
  try {
    const value = act();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  } finally {
    current = outer;
  }
}

/** A search with fewer steps, some milliseconds, runs at once. */
const MAX_STEPS = 4_000_000;

const TOKENS =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g;

/**
 * An upper bound of the steps of a search, by the length of the text. It is infinite unless every repetition repeats a
 * single character or class: then a text of n characters has n places for the start and for the end of each repetition.
 */
function boundSteps(source: string, flags: string): (length: number) => number {
  let repetitions = 0;
  let branches = 1;
  /** The numbers of alternatives of the open groups. */
  const alternatives = [1];
  let previous = '';
  // The classes of the flag `v` nest.
  let isBounded = !flags.includes('v');
  for (const [token] of source.matchAll(TOKENS)) {
    if (token.startsWith('(')) alternatives.push(1);
    else if (token === ')') branches *= alternatives.pop() ?? 1;
    else if (token === '|') alternatives.push((alternatives.pop() ?? 1) + 1);
    else if (/^\?/.test(token)) branches *= 2;
    else if (/^[*+{]./.test(token) || token === '*' || token === '+') {
      repetitions += 1;
      if (previous === ')') isBounded = false;
    } else if (/^\\[1-9k]/.test(token)) isBounded = false;
    previous = token;
  }
  for (const count of alternatives) branches *= count;
  if (!isBounded) return () => Number.POSITIVE_INFINITY;
  return (length) => (source.length + 1) * branches * (length + 1) ** (repetitions + 1);
}
