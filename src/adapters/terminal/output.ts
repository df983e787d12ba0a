import type { Writable } from 'node:stream';
import type { WriteText } from '../../ports/terminal.ts';

/**
 * Writes to a stream of the process, one write after the other. A reader that goes away (EPIPE) is not an error: the
 * write answers `false`, and so does every later one. Any other failure of the stream rejects.
 */
export function createTextOutput(stream: Writable): WriteText {
  let gone = false;
  // Without a listener a broken pipe ends the process with a stack trace.
  stream.on('error', () => {
    gone = true;
  });
  return async (text) => {
    if (gone) return false;
    if (text === '') return true;
    return new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (error === null || error === undefined) resolve(true);
        else if (isGone(error)) resolve(false);
        else reject(error);
      });
    });
  };
}

function isGone(error: Error): boolean {
  return 'code' in error && ['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF'].includes(String(error.code));
}
