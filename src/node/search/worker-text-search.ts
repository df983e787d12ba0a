import { closeQuietly } from '../../agent/async/abort.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type {
  GlobQuery,
  LineFinding,
  LineQuery,
  PathFinding,
  SearchableFile,
  SearchEnd,
  TextSearch,
} from '../../tools/search/text-search.ts';
import { systemClock } from '../system.ts';
import { SearchThread } from './search-thread.ts';
import type { SearchRequest } from './search-worker.ts';

/** Limits of a search. */
export interface WorkerTextSearchOptions {
  /** The maximum duration of a search; 5 s by default. */
  readonly deadlineMs?: number;
  /** The maximum memory of a search; 512 MB by default. */
  readonly memoryMegabytes?: number;
  /** The time of the deadline; that of the system by default. */
  readonly clock?: Clock;
}

const DEADLINE_MS = 5_000;
/** Far more than an ordinary search needs, and too little to slow down a machine. */
const MEMORY_MEGABYTES = 512;
/** A search by file name and content uses two threads at the same time. */
const MAX_IDLE = 2;

/**
 * Text search in worker threads. Threads are started on demand and reused by later searches. Stopping a search ends its
 * thread. Idle threads do not keep the process alive.
 */
export class WorkerTextSearch implements TextSearch {
  readonly #options: Required<WorkerTextSearchOptions>;
  readonly #threads = new Set<SearchThread>();
  readonly #idle: SearchThread[] = [];

  constructor(options: WorkerTextSearchOptions = {}) {
    this.#options = { deadlineMs: DEADLINE_MS, memoryMegabytes: MEMORY_MEGABYTES, clock: systemClock, ...options };
  }

  matchPaths(
    query: GlobQuery,
    batches: AsyncIterable<readonly string[]>,
    signal: AbortSignal,
  ): AsyncGenerator<PathFinding | SearchEnd, void> {
    return this.#search({ type: 'path_query', query }, batches, (batch) => ({ type: 'paths', batch }), signal);
  }

  matchLines(
    query: LineQuery,
    batches: AsyncIterable<readonly SearchableFile[]>,
    signal: AbortSignal,
  ): AsyncGenerator<LineFinding | SearchEnd, void> {
    return this.#search({ type: 'line_query', query }, batches, (batch) => ({ type: 'files', batch }), signal);
  }

  /** Ends every thread. Running searches end as if they had been aborted. */
  async dispose(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    this.#threads.clear();
  }

  async *#search<Batch, Finding>(
    query: SearchRequest,
    batches: AsyncIterable<Batch>,
    toRequest: (batch: Batch) => SearchRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Finding | SearchEnd, void> {
    const thread = this.#acquire();
    let stopped: SearchEnd | undefined;
    const stop = (end: SearchEnd): void => {
      stopped ??= end;
      void thread.terminate();
    };
    const { clock, deadlineMs: afterMs } = this.#options;
    const finished = new AbortController();
    clock.sleep(afterMs, finished.signal).then(
      () => stop({ type: 'end', cause: 'deadline', afterMs }),
      () => undefined,
    );
    const onAbort = (): void => stop({ type: 'end', cause: 'aborted' });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const input = batches[Symbol.asyncIterator]();
    let end: SearchEnd | undefined;
    try {
      end = yield* runSearch<Batch, Finding>(thread, query, input, toRequest);
    } finally {
      finished.abort();
      signal.removeEventListener('abort', onAbort);
      if (end?.cause === 'completed' && stopped === undefined) this.#release(thread);
      else this.#discard(thread);
      closeQuietly(input);
    }
    yield stopped ?? end;
  }

  #acquire(): SearchThread {
    const thread = this.#idle.pop() ?? new SearchThread(this.#options.memoryMegabytes);
    this.#threads.add(thread);
    thread.ref();
    return thread;
  }

  #release(thread: SearchThread): void {
    if (this.#idle.length < MAX_IDLE) {
      thread.unref();
      this.#idle.push(thread);
    } else {
      this.#discard(thread);
    }
  }

  #discard(thread: SearchThread): void {
    this.#threads.delete(thread);
    void thread.terminate();
  }
}

/** Sends the query and its batches to the thread, one at a time. */
async function* runSearch<Batch, Finding>(
  thread: SearchThread,
  query: SearchRequest,
  input: AsyncIterator<Batch, unknown, undefined>,
  toRequest: (batch: Batch) => SearchRequest,
): AsyncGenerator<Finding, SearchEnd, void> {
  let request = query;
  for (;;) {
    // Prepare the next batch while the thread works on this one.
    const next = input.next();
    next.catch(() => undefined);
    const outcome = yield* thread.request<Finding>(request);
    if (outcome.type === 'failed') return { type: 'end', cause: 'failed', reason: outcome.reason };
    const step = outcome.type === 'done' ? await thread.untilExit(next) : undefined;
    if (step === undefined) return { type: 'end', cause: 'aborted' };
    if (step.done === true) return { type: 'end', cause: 'completed' };
    request = toRequest(step.value);
  }
}
