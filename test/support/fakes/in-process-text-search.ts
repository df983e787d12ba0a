import { compileGlob, compileRegex, createLineFinder, createPathFinder } from '../../../src/tools/search/match-text.ts';
import type {
  GlobQuery,
  LineFinding,
  LineQuery,
  PathFinding,
  SearchableFile,
  SearchEnd,
  TextSearch,
} from '../../../src/tools/search/text-search.ts';

/** Thrown by the matcher when the fake has reached its limit of tests. */
class LimitReached extends Error {}

/** Options of the fake. */
export interface InProcessOptions {
  /** Number of lines or paths that each search may test before its deadline; no deadline when absent. */
  readonly giveUpAfter?: number;
}

/** The deadline that the fake reports. */
const FAKE_DEADLINE_MS = 5_000;

/** Text search without a thread: the same matching, with a deadline that counts tests instead of time. */
export function createInProcessTextSearch({
  giveUpAfter = Number.POSITIVE_INFINITY,
}: InProcessOptions = {}): TextSearch {
  return {
    matchPaths(query: GlobQuery, batches, signal) {
      const test = limited(() => compileGlob(query.glob), giveUpAfter);
      const find = createPathFinder(query, test);
      return search<readonly string[], PathFinding>(batches, find, signal);
    },
    matchLines(query: LineQuery, batches, signal) {
      const find = createLineFinder(
        query,
        limited(() => compileRegex(query), giveUpAfter),
      );
      return search<readonly SearchableFile[], LineFinding>(
        batches,
        function* findAll(files) {
          for (const file of files) yield* find(file);
        },
        signal,
      );
    },
  };
}

/** Compiles at the first test, and throws at the first test beyond the limit. */
function limited<Result>(compile: () => (text: string) => Result, limit: number): (text: string) => Result {
  let tests = 0;
  let compiled: ((text: string) => Result) | undefined;
  return (text) => {
    if (tests++ >= limit) throw new LimitReached();
    compiled ??= compile();
    return compiled(text);
  };
}

async function* search<Batch, Finding>(
  batches: AsyncIterable<Batch>,
  find: (batch: Batch) => Iterable<Finding>,
  signal: AbortSignal,
): AsyncGenerator<Finding | SearchEnd, void> {
  const input = batches[Symbol.asyncIterator]();
  let end: SearchEnd = { type: 'end', cause: 'completed' };
  try {
    for (;;) {
      const step = await orAbort(input.next(), signal);
      if (step === undefined) end = { type: 'end', cause: 'aborted' };
      if (step === undefined || step.done === true) break;
      try {
        yield* find(step.value);
      } catch (error) {
        end =
          error instanceof LimitReached
            ? { type: 'end', cause: 'deadline', afterMs: FAKE_DEADLINE_MS }
            : { type: 'end', cause: 'failed', reason: error instanceof Error ? error.message : String(error) };
        break;
      }
    }
  } finally {
    input.return?.().catch(() => undefined);
  }
  yield end;
}

function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    promise.then(resolve, reject);
  });
}
