import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { raceAbort } from '../../core/abort.ts';
import type { Terminal, TerminalInput } from '../../ports/terminal.ts';

/** Creates line input from a pipe or a file. Ctrl-C is not part of the input; it arrives as a signal. */
export function createPipeTerminal(input: Readable): Terminal {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reader[Symbol.asyncIterator]();
  // A line that arrives after its request was aborted answers the next request.
  let pending: Promise<IteratorResult<string>> | undefined;
  return {
    interactive: false,
    async readLine(_question, signal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      pending ??= lines.next();
      const next = await (signal === undefined ? pending : raceAbort(pending, signal));
      pending = undefined;
      return next.done === true ? { type: 'end' } : { type: 'line', text: next.value };
    },
    onInterrupt: () => () => {},
    close: () => reader.close(),
  };
}
