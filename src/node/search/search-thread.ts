import { on } from 'node:events';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../agent/errors.ts';
import type { SearchOutcome, SearchRequest, SearchResponse } from './search-worker.ts';

type Stopped = { readonly type: 'stopped' };

/** A worker thread that handles one request at a time. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #messages: ReturnType<typeof on>;
  #exited = false;

  /** Starts a thread. If the thread exceeds the memory limit, it exits and its request fails. */
  constructor(memoryMegabytes: number) {
    // Not imported, because most runs start no thread.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(workerUrl(), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    this.#worker.once('exit', () => {
      this.#exited = true;
    });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] });
  }

  /** Sends a request, yields its findings as they arrive and returns the outcome; `stopped`: the thread was terminated. */
  async *request<Finding>(request: SearchRequest): AsyncGenerator<Finding, SearchOutcome | Stopped, void> {
    this.#worker.postMessage(request);
    for (;;) {
      const message = await this.#receive<Finding>();
      if (message.type !== 'finding') return message;
      yield message.finding;
    }
  }

  /** Settles like `promise`, or resolves to `undefined` if the thread exits first. */
  untilExit<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => resolve(undefined);
      if (this.#exited) return onExit();
      this.#worker.once('exit', onExit);
      void promise.then(resolve, reject).finally(() => this.#worker.off('exit', onExit));
    });
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

  async #receive<Finding>(): Promise<SearchResponse<Finding> | Stopped> {
    try {
      const step = await this.#messages.next();
      if (step.done === true) return { type: 'stopped' };
      const message: SearchResponse<Finding> = step.value[0];
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
