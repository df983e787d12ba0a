import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { SearchOutcome, SearchPatterns } from '../scenario/trigger/pattern.ts';

/** Processor time for one search. Expressions without catastrophic backtracking take microseconds. */
const LIMIT_MS = 1000;
const LOOK_MS = 250;
const MEMORY_MEGABYTES = 256;

/**
 * Searches in a worker thread, one request after the other. A search that exceeds the limit is ended with the thread, and
 * the next one starts another thread. A search whose client is gone is ended, too, and rejects. The thread does not keep
 * the process alive. `processorMs`: the processor time of this process. On a busy machine, a search waits for a processor
 * without using one, so that the wall clock tells nothing about it.
 */
export function createPatternThread(processorMs: () => number = ownProcessorMs): SearchPatterns {
  let worker: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<Worker> => {
    const { Worker } = await import('node:worker_threads');
    const started = new Worker(workerUrl(), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
    });
    // Without a listener, the error of a thread without memory would end the process.
    started.on('error', () => {});
    await once(started, 'online');
    started.unref();
    return started;
  };

  const search: SearchPatterns = async (searches, signal) => {
    signal?.throwIfAborted();
    worker ??= await start();
    const outcomes: SearchOutcome[] = [];
    worker.postMessage(searches);
    while (outcomes.length < searches.length) {
      const outcome = await nextOutcome(worker, processorMs, signal);
      outcomes.push(outcome);
      if (outcome === 'too slow') {
        await worker.terminate();
        worker = undefined;
        signal?.throwIfAborted();
        break;
      }
      if (outcome.groups !== undefined) break;
    }
    return outcomes;
  };

  return (searches, signal) => {
    const result = queue.then(() => search(searches, signal));
    queue = result.catch(() => {});
    return result;
  };
}

/** The next outcome of a thread. A thread that exits, such as one without memory, was too slow as well. */
function nextOutcome(
  worker: Worker,
  processorMs: () => number,
  signal: AbortSignal | undefined,
): Promise<SearchOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: SearchOutcome): void => {
      clearInterval(timer);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      signal?.removeEventListener('abort', onExit);
      resolve(outcome);
    };
    const onMessage = (outcome: SearchOutcome): void => settle(outcome);
    const onExit = (): void => settle('too slow');
    const end = processorMs() + LIMIT_MS;
    let isOver = false;
    const timer = setInterval(() => {
      // An outcome that has arrived counts before the limit does.
      if (isOver) onExit();
      isOver = processorMs() > end;
    }, LOOK_MS);
    worker.on('message', onMessage);
    worker.on('exit', onExit);
    signal?.addEventListener('abort', onExit);
  });
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The URL of the worker's file, which is next to this one, both as source and in the build. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./pattern-worker.${extension}`, import.meta.url);
}
