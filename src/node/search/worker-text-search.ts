import os from 'node:os';
import type { Clock } from '../../agent/ports/clock.ts';
import type { FindCandidates } from '../../tools/search/candidates.ts';
import { findLines, findPaths, type SearchThreads, type TreeThread } from '../../tools/search/run-search.ts';
import type {
  LineQuery,
  LineResult,
  PathQuery,
  PathResult,
  SearchEnd,
  TextSearch,
} from '../../tools/search/text-search.ts';
import { ownProcessorMs, systemClock } from '../system.ts';
import { SearchThread } from './search-thread.ts';

/** Limits of a search, and what it uses. */
export interface WorkerTextSearchOptions {
  /**
   * The time that a thread has for one part of a search; 5 s by default. On a busy machine or a slow disk, where this
   * process uses less processor time than that, it has up to 12 times as much.
   */
  readonly deadlineMs?: number;
  /** The maximum memory of a thread; 512 MB by default. */
  readonly memoryMegabytes?: number;
  /** The number of threads of a search; by default one for each processor, and at most 4. */
  readonly threads?: number;
  /** The time of the deadline; that of the system by default. */
  readonly clock?: Clock;
  /** The processor time of this process, in milliseconds. */
  readonly processorMs?: () => number;
  /** Finds the files that may match; absent: the threads read all. */
  readonly findCandidates?: FindCandidates | undefined;
}

const DEADLINE_MS = 5_000;
const MAX_DEADLINES = 12;
/** Far more than an ordinary search needs, and too little to slow down a machine. */
const MEMORY_MEGABYTES = 512;
const MAX_THREADS = 4;

/**
 * Text search in worker threads. Threads are started on demand and reused by later searches. Stopping a search ends its
 * threads. Idle threads do not keep the process alive.
 */
export class WorkerTextSearch implements TextSearch {
  readonly #options: Required<Omit<WorkerTextSearchOptions, 'findCandidates'>> &
    Pick<WorkerTextSearchOptions, 'findCandidates'>;
  readonly #running = new Set<SearchThread>();
  readonly #idle: SearchThread[] = [];

  constructor(options: WorkerTextSearchOptions = {}) {
    const threads = Math.min(MAX_THREADS, os.availableParallelism());
    const limits = { deadlineMs: DEADLINE_MS, memoryMegabytes: MEMORY_MEGABYTES, clock: systemClock, threads };
    this.#options = { ...limits, processorMs: ownProcessorMs, ...options };
  }

  findPaths(query: PathQuery, signal: AbortSignal): Promise<PathResult> {
    return this.#search((search) => findPaths(query, search, signal), signal);
  }

  findLines(query: LineQuery, signal: AbortSignal): Promise<LineResult> {
    return this.#search((search) => findLines(query, search, signal), signal);
  }

  /** Ends every thread. Running searches end as if they had been aborted. */
  async dispose(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#running].map((thread) => thread.terminate()));
    this.#running.clear();
  }

  async #search<Result extends { readonly end: SearchEnd }>(
    run: (search: SearchThreads) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const threads = Array.from({ length: this.#options.threads }, () => this.#acquire());
    let stopped: SearchEnd | undefined;
    const stop = (end: SearchEnd): void => {
      stopped ??= end;
      for (const thread of threads) void thread.terminate();
    };
    const onAbort = (): void => stop(ABORTED);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const asked = threads.map((thread) => this.#withDeadline(thread, stop, () => stopped ?? ABORTED));
      const result = await run({ threads: asked, findCandidates: this.#options.findCandidates });
      // A thread that has failed has ended.
      if (result.end.cause !== 'completed' && result.end.cause !== 'enough') stopped ??= result.end;
      return result;
    } finally {
      signal.removeEventListener('abort', onAbort);
      for (const thread of threads) {
        if (stopped === undefined && this.#running.has(thread)) this.#release(thread);
        else this.#discard(thread);
      }
    }
  }

  #withDeadline(thread: SearchThread, stop: (end: SearchEnd) => void, endOf: () => SearchEnd): TreeThread {
    const { clock, deadlineMs, processorMs } = this.#options;
    const waitForDeadline = async (signal: AbortSignal): Promise<number> => {
      const begun = processorMs();
      for (let afterMs = deadlineMs; ; afterMs += deadlineMs) {
        await clock.sleep(deadlineMs, signal);
        if (processorMs() - begun >= deadlineMs || afterMs >= MAX_DEADLINES * deadlineMs) return afterMs;
      }
    };
    return {
      async *ask(request) {
        const finished = new AbortController();
        waitForDeadline(finished.signal).then(
          (afterMs) => stop({ type: 'end', cause: 'deadline', afterMs }),
          () => undefined,
        );
        try {
          const outcome = yield* thread.request(request);
          return outcome ?? { type: 'stopped', end: endOf() };
        } finally {
          finished.abort();
        }
      },
    };
  }

  #acquire(): SearchThread {
    const thread = this.#idle.pop() ?? new SearchThread(this.#options.memoryMegabytes);
    this.#running.add(thread);
    thread.ref();
    return thread;
  }

  #release(thread: SearchThread): void {
    thread.unref();
    this.#idle.push(thread);
  }

  #discard(thread: SearchThread): void {
    this.#running.delete(thread);
    void thread.terminate();
  }
}

const ABORTED: SearchEnd = { type: 'end', cause: 'aborted' };
