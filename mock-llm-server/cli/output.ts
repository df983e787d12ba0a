import type { Writable } from 'node:stream';
import { errorText } from '../text.ts';

/** What a write fails with when its reader has gone. */
const READER_GONE = ['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF'];
const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/**
 * Writes to a stream of the process. Resolves when the text is written or nobody reads it any more, as under `| head`;
 * rejects with a message for the user when it cannot be written. The stream ends the process no more.
 */
export function createCommandOutput(stream: Writable): (text: string) => Promise<void> {
  // Each write hears of its own failure; without a listener it would also end the process with a stack trace.
  stream.on('error', () => {});
  return async (text) => {
    try {
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (READER_GONE.includes(code)) return;
      const reason = DISK_FULL.includes(code) ? 'the disk is full' : errorText(error);
      throw new Error(`the output cannot be written: ${reason}`, { cause: error });
    }
  };
}
