import type { Writable } from 'node:stream';
import type { WriteText } from '../../app/terminal.ts';
import { errorCode } from '../../text/error-code.ts';

/**
 * Creates a function that writes to a stream of the process. If the reader or the terminal has closed the stream, this
 * write and every later one resolve to `false`. Rejects on any other failure of the stream.
 */
export function createTextOutput(stream: Writable): WriteText {
  let closed = false;
  // Without a listener, a broken pipe would end the process with a stack trace.
  stream.on('error', () => {
    closed = true;
  });
  return async (text) => {
    if (closed) return false;
    if (text === '') return true;
    return new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (error === null || error === undefined) resolve(true);
        else if (isClosed(error)) resolve(false);
        else reject(error);
      });
    });
  };
}

function isClosed(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EOF', 'EIO'].includes(errorCode(error) ?? '');
}
