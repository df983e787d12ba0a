import { on } from 'node:events';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../agent/errors.ts';
import type { TreeOutcome, TreeRequest } from '../../tools/search/search-tree.ts';
import type { LineFinding } from '../../tools/search/text-search.ts';

/** A worker thread that handles one request at a time. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #messages: ReturnType<typeof on>;

  /** Starts a thread. If the thread exceeds the memory limit, it exits and its request fails. */
  constructor(memoryMegabytes: number) {
    // Not imported, because most runs start no thread.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(workerUrl(), {
      ...{ execArgv: [], env: {} },
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] });
  }

  /** Sends a request, yields its findings as they arrive and returns the outcome; `undefined`: the thread was terminated. */
  async *request(request: TreeRequest): AsyncGenerator<LineFinding, TreeOutcome | undefined, void> {
    this.#worker.postMessage(request);
    for (;;) {
      const message = await this.#receive();
      if (message?.type !== 'line' && message?.type !== 'more_lines') return message;
      yield message;
    }
  }

  /** Lets the process end while the thread is idle. */
  unref(): void {
    this.#worker.unref();
  }

  /** Keeps the process alive again. */
  ref(): void {
    this.#worker.ref();
  }

  /** Ends the thread, even during a search. Messages that it has already sent can still be received. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  async #receive(): Promise<LineFinding | TreeOutcome | undefined> {
    try {
      const step = await this.#messages.next();
      if (step.done === true) return undefined;
      const message: LineFinding | TreeOutcome = step.value[0];
      return message;
    } catch (error) {
      // The thread exited with an error, such as running out of memory.
      return { type: 'failed', reason: messageOf(error) };
    }
  }
}

/** The URL of the worker's file, which is next to this one, both as source and in the build. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./search-worker.${extension}`, import.meta.url);
}
