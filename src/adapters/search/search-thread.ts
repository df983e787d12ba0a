import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import type { SearchAnswer, SearchRequest } from './search-server.ts';

/** How a request ended. `stopped`: the thread was ended from outside. */
export type SearchReply =
  | { readonly type: 'done' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly reason: string };

/** One worker thread that answers one request at a time. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #messages: ReturnType<typeof on>;
  #exited = false;

  /** A thread that needs more memory than this dies, and its request fails. */
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

  /** Sends a request and tells its findings as they come; ends with the reply. */
  async *ask<Finding>(request: SearchRequest): AsyncGenerator<Finding, SearchReply, void> {
    this.#worker.postMessage(request);
    for (;;) {
      const message = await this.#receive<Finding>();
      if (message.type !== 'finding') return message;
      yield message.finding;
    }
  }

  /** What `promise` gives, or nothing when the thread ends before that. */
  orEnd<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => resolve(undefined);
      if (this.#exited) return onExit();
      this.#worker.once('exit', onExit);
      void promise.then(resolve, reject).finally(() => this.#worker.off('exit', onExit));
    });
  }

  /** While it rests, the thread does not keep the process alive. */
  rest(): void {
    this.#worker.unref();
  }

  wake(): void {
    this.#worker.ref();
  }

  /** Ends the thread whatever it is doing; what it has said before can still be received. */
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
      // The thread died of something that is not an answer, such as running out of memory.
      return { type: 'failed', reason: messageOf(error) };
    }
  }
}

/** The worker's file stands beside this one, as source or built. */
function workerUrl(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./search-worker.${extension}`, import.meta.url);
}
