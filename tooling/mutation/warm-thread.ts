import { EventEmitter } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker } from 'vitest/node';
import { z } from 'zod';

const ENTRY = path.join(import.meta.dirname, 'thread.ts');
const FORGET = z.object({ forget: z.string() });
const RESPONSE = z.object({ __vitest_worker_response__: z.literal(true), type: z.string() });

/** The path in a message of `forget`; undefined for a message of vitest. */
export function forgottenFile(message: unknown): string | undefined {
  return FORGET.safeParse(message).data?.forget;
}

/**
 * A pool of vitest with one thread, which outlives the runs. Vitest starts and stops a worker for each run, and loading
 * all modules takes many times as long as most tests.
 */
export class WarmThread implements PoolRunnerInitializer {
  readonly name = 'warm-thread';
  #thread: Worker | undefined;

  /** The thread as the worker of one run. It answers the requests to start and to stop itself. */
  createPoolWorker({ env, execArgv }: PoolOptions): PoolWorker {
    const events = new EventEmitter();
    let isNew = true;
    let isRunning = false;
    const listeners = Object.entries({
      message: (message: unknown) => {
        if (RESPONSE.safeParse(message).data?.type === 'testfileFinished') isRunning = false;
        events.emit('message', message);
      },
      error: (error: unknown) => events.emit('error', error),
      exit: (code: unknown) => events.emit('exit', code),
    });
    const answer = (type: 'started' | 'stopped') => events.emit('message', { __vitest_worker_response__: true, type });
    return {
      name: this.name,
      on: (event, listener) => events.on(event, listener),
      off: (event, listener) => events.off(event, listener),
      deserialize: (data) => data,
      send: (message) => {
        if (message.type === 'stop') answer('stopped');
        else if (message.type === 'start' && !isNew) answer('started');
        else this.#thread?.postMessage(message);
        isRunning ||= message.type === 'run';
      },
      start: async () => {
        isNew = this.#thread === undefined;
        this.#thread ??= this.#startThread(env, execArgv);
        for (const [event, listener] of listeners) this.#thread.on(event, listener);
      },
      stop: async () => {
        const thread = this.#thread;
        for (const [event, listener] of listeners) thread?.off(event, listener);
        if (!isRunning) return;
        // Tests that were not waited for would go on during the next run.
        this.#thread = undefined;
        await thread?.terminate();
      },
    };
  }

  #startThread(env: PoolOptions['env'], execArgv: string[]): Worker {
    const thread = new Worker(ENTRY, { env, execArgv, stdout: true, stderr: true });
    // The thread waits until its output is read.
    for (const output of [thread.stdout, thread.stderr]) output.resume();
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  /** Makes the next run evaluate the module at a path again, and all that import it. */
  forget(file: string): void {
    this.#thread?.postMessage({ forget: file });
  }
}
