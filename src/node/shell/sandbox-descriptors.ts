import type { ChildProcess } from 'node:child_process';
import { type Duplex, Writable } from 'node:stream';
import { FILTER_DESCRIPTOR } from '../../policy/sandbox/bubblewrap.ts';

/** The first mount that is not in its place, by the report of a sandbox. */
export type MisplacedMount = (mountInfo: string) => string | undefined;

/** Writes the filter to the descriptor where bubblewrap reads it. */
export function sendFilter({ stdio }: ChildProcess, filter: Uint8Array | undefined): void {
  const stream = stdio[FILTER_DESCRIPTOR];
  if (!(stream instanceof Writable)) return;
  // A program that ends before it reads the filter reports its own error.
  stream.on('error', () => {});
  stream.end(filter);
}

/**
 * Reads the report of a sandbox about its mounts, and lets the program in it start if all are in their places. Otherwise the
 * sandbox ends with 1, and `refuse` gets the reason. Calls `hear` with each later part of the report.
 */
export function superviseStart(
  report: Duplex,
  misplaced: MisplacedMount,
  { start, refuse, hear }: { start?(): void; refuse?(reason: string): void; hear?(text: string): void },
): void {
  let text = '';
  let isDecided = false;
  report.setEncoding('utf8').on('data', (part: string) => {
    if (isDecided) return hear?.(part);
    text += part;
    if (!/^started$/m.test(text)) return;
    isDecided = true;
    const path = misplaced(text);
    if (path === undefined) {
      start?.();
      report.write('go\n');
    } else {
      refuse?.(`the mount of ${path} is not in its place`);
      report.end();
    }
  });
}
