import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Terminal, TerminalInput } from '../ports/terminal.ts';

/** Input that comes from a pipe or a file: its lines, one after the other. Ctrl-C arrives as a signal elsewhere. */
export function createPipeTerminal(input: Readable): Terminal {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reader[Symbol.asyncIterator]();
  return {
    interactive: false,
    async readLine(_question, signal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      const next = await lines.next();
      return next.done === true ? { type: 'end' } : { type: 'line', text: next.value };
    },
    onInterrupt: () => () => {},
    close: () => reader.close(),
  };
}
