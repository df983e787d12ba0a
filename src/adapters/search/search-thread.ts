import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import type { SearchAnswer, SearchRequest } from './search-server.ts';

/** Outcome of a request. `stopped`: the thread was terminated. */
export type SearchReply =
  | { readonly type: 'done' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly reason: string };

/** A worker thread that handles one request at a time. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #messages: ReturnType<typeof on>;
  #exited = false;

  /** Starts a thread. When it exceeds the memory limit, it dies and its request fails. */
  constructor(memoryMegabytes: number) {
    this.#worker = new Worker(workerUrl(), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    this.#worker.once('exit', () => {
      this.#exited = true;
    });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] });
  }

  /** Sends a request, yields its findings as they arrive and returns the outcome. */
  async *ask<Finding>(request: SearchRequest): AsyncGenerator<Finding, SearchReply, void> {
    this.#worker.postMessage(request);
    for (;;) {
      const message = await this.#receive<Finding>();
      if (message.type !== 'finding') return message;
      yield message.finding;
    }
  }

  /** Settles as `promise` does, or resolves to `undefined` when the thread ends first. */
  orExit<Value>(promise: Promise<Value>): Promise<Value | undefined> {
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

  /** Ends the thread, even in the middle of a search. Messages that it has sent can still be received. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  async #receive<Finding>(): Promise<SearchAnswer<Finding> | { readonly type: 'stopped' }> {
    try {
      const step = await this.#messages.next();
      if (step.done === true) return { type: 'stopped' };
      const message: SearchAnswer<Finding> = step.value[0];
      return message;
    } catch (error) {
      // The thread died of an error, such as running out of memory.
      return { type: 'failed', reason: messageOf(error) };
    }
  }
}

/** The worker's file is beside this one, both as source and in the build. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./search-worker.${extension}`, import.meta.url);
}
