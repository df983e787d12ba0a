import { raceAbort } from '../agent/async/abort.ts';
import type { WriteLine } from './write-lines.ts';

/** Questions to the host, each answered by a frame with its id. */
export interface HostRequests {
  /**
   * Writes the line of a question and waits for its answer. Resolves to `undefined` when there will be none, because the
   * input or the output has ended. Rejects with `AbortedError` when `signal` aborts.
   */
  ask(id: string, line: object, signal: AbortSignal): Promise<unknown>;
  /** Gives the answer to the question with this id. False if no question with it waits. */
  answer(id: string, answer: unknown): boolean;
  /** No answer can come any more: the questions that wait, and all later ones, get `undefined`. */
  end(): void;
}

/** Creates the questions to a host, which are written with `writeLine`. */
export function createHostRequests(writeLine: WriteLine): HostRequests {
  const waiting = new Map<string, (answer: unknown) => void>();
  let ended = false;
  const answer = (id: string, value: unknown): boolean => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(value);
    return resolve !== undefined;
  };
  return {
    async ask(id, line, signal) {
      if (ended) return undefined;
      // The host may answer while the line is still being written.
      const answered = new Promise((resolve) => waiting.set(id, resolve));
      try {
        return (await raceAbort(writeLine(line), signal)) ? await raceAbort(answered, signal) : undefined;
      } finally {
        waiting.delete(id);
      }
    },
    answer,
    end() {
      ended = true;
      for (const id of [...waiting.keys()]) answer(id, undefined);
    },
  };
}
