import type { Writable } from 'node:stream';
import { errorText, escapeControls } from '../text.ts';

/** Codes of write errors after the reader has closed the stream. */
const READER_CLOSED = ['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF'];
const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/**
 * Returns a function that writes to a stream of the process. It resolves when the text is written or the reader has
 * closed the stream, as `| head` does, and rejects with a message for the user if the text cannot be written. What could
 * control a terminal is escaped: names in files and requests are those of others.
 */
export function createCommandOutput(stream: Writable): (text: string) => Promise<void> {
  // Each write reports its failure itself; without a listener it would also end the process with a stack trace.
  stream.on('error', () => {});
  return async (given) => {
    const text = given.replaceAll(/[^\n\t]+/g, escapeControls);
    try {
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (READER_CLOSED.includes(code)) return;
      const reason = DISK_FULL.includes(code) ? 'the disk is full' : errorText(error);
      throw new Error(`the output cannot be written: ${reason}`, { cause: error });
    }
  };
}
