import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Terminal, TerminalInput } from '../../ports/terminal.ts';

/** Input that comes from a pipe or a file: its lines, one after the other. Ctrl-C arrives as a signal elsewhere. */
export function createPipeTerminal(input: Readable): Terminal {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reader[Symbol.asyncIterator]();
  // A line whose question was aborted is the answer to the next one.
  let pending: Promise<IteratorResult<string>> | undefined;
  return {
    interactive: false,
    async readLine(_question, signal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      pending ??= lines.next();
      const next = await orAbort(pending, signal);
      pending = undefined;
      return next.done === true ? { type: 'end' } : { type: 'line', text: next.value };
    },
    onInterrupt: () => () => {},
    close: () => reader.close(),
  };
}

function orAbort<Value>(wait: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return wait;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
