import type {
  GlobQuery,
  LineFinding,
  LineQuery,
  PathFinding,
  SearchableFile,
  SearchEnd,
  TextSearch,
} from '../../ports/text-search.ts';
import type { SearchRequest } from './search-server.ts';
import { SearchThread } from './search-thread.ts';

export interface WorkerTextSearchOptions {
  /** How long one search may take, from its first to its last moment; 5 s without this. */
  readonly deadlineMs?: number;
  /** How much memory a pattern may take; 512 MB without this. */
  readonly memoryMegabytes?: number;
}

const DEADLINE_MS = 5_000;
/** Far more than an honest search needs, and too little to bring a machine down. */
const MEMORY_MEGABYTES = 512;
/** A search by file name and content uses two threads. */
const MAX_RESTING = 2;

interface Inquiry<Batch> {
  readonly query: SearchRequest;
  readonly batches: AsyncIterable<Batch>;
  readonly toRequest: (batch: Batch) => SearchRequest;
  readonly signal: AbortSignal;
}

/**
 * Text search in worker threads. A thread is started when a search needs one and kept for the next; a search that is
 * stopped takes its thread with it. A thread at rest does not keep the process alive.
 */
export class WorkerTextSearch implements TextSearch {
  readonly #deadlineMs: number;
  readonly #memoryMegabytes: number;
  readonly #threads = new Set<SearchThread>();
  readonly #resting: SearchThread[] = [];

  constructor({ deadlineMs = DEADLINE_MS, memoryMegabytes = MEMORY_MEGABYTES }: WorkerTextSearchOptions = {}) {
    this.#deadlineMs = deadlineMs;
    this.#memoryMegabytes = memoryMegabytes;
  }

  matchPaths(
    query: GlobQuery,
    batches: AsyncIterable<readonly string[]>,
    signal: AbortSignal,
  ): AsyncGenerator<PathFinding | SearchEnd, void> {
    return this.#search({
      query: { type: 'path_query', query },
      batches,
      toRequest: (batch) => ({ type: 'paths', batch }),
      signal,
    });
  }

  matchLines(
    query: LineQuery,
    batches: AsyncIterable<readonly SearchableFile[]>,
    signal: AbortSignal,
  ): AsyncGenerator<LineFinding | SearchEnd, void> {
    return this.#search({
      query: { type: 'line_query', query },
      batches,
      toRequest: (batch) => ({ type: 'files', batch }),
      signal,
    });
  }

  /** Ends every thread, and with them the searches under way, as if they had been aborted. */
  async dispose(): Promise<void> {
    this.#resting.length = 0;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    this.#threads.clear();
  }

  async *#search<Batch, Finding>(inquiry: Inquiry<Batch>): AsyncGenerator<Finding | SearchEnd, void> {
    const { batches, signal } = inquiry;
    const thread = this.#take();
    let stopped: SearchEnd | undefined;
    const stop = (end: SearchEnd): void => {
      stopped ??= end;
      void thread.terminate();
    };
    const afterMs = this.#deadlineMs;
    const timer = setTimeout(() => stop({ type: 'end', cause: 'deadline', afterMs }), afterMs);
    const onAbort = (): void => stop({ type: 'end', cause: 'aborted' });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const input = batches[Symbol.asyncIterator]();
    let end: SearchEnd | undefined;
    try {
      end = yield* converse<Batch, Finding>(thread, input, inquiry);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (end?.cause === 'completed' && stopped === undefined) this.#keep(thread);
      else this.#discard(thread);
      closeInput(input);
    }
    yield stopped ?? end;
  }

  #take(): SearchThread {
    const thread = this.#resting.pop() ?? new SearchThread(this.#memoryMegabytes);
    this.#threads.add(thread);
    thread.wake();
    return thread;
  }

  #keep(thread: SearchThread): void {
    if (this.#resting.length < MAX_RESTING) {
      thread.rest();
      this.#resting.push(thread);
    } else {
      this.#discard(thread);
    }
  }

  #discard(thread: SearchThread): void {
    this.#threads.delete(thread);
    void thread.terminate();
  }
}

/** Asks the thread batch by batch. */
async function* converse<Batch, Finding>(
  thread: SearchThread,
  input: AsyncIterator<Batch, unknown, undefined>,
  { query, toRequest }: Inquiry<Batch>,
): AsyncGenerator<Finding, SearchEnd, void> {
  let request = query;
  for (;;) {
    // The next batch is made while the thread works on this one.
    const next = input.next();
    next.catch(() => undefined);
    const reply = yield* thread.ask<Finding>(request);
    if (reply.type === 'failed') return { type: 'end', cause: 'failed', reason: reply.reason };
    const step = reply.type === 'done' ? await thread.orEnd(next) : undefined;
    if (step === undefined) return { type: 'end', cause: 'aborted' };
    if (step.done === true) return { type: 'end', cause: 'completed' };
    request = toRequest(step.value);
  }
}

/** Not waited for: an input that is stuck must not hold up the end of a search. */
function closeInput(input: AsyncIterator<unknown, unknown, undefined>): void {
  input.return?.().catch(() => undefined);
}
