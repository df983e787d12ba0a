import type { Writable } from 'node:stream';
import type { WriteText } from '../../app/terminal.ts';
import { type Charset, charsetOf, encodeFor } from '../../text/bytes/charset.ts';
import { errorCode } from '../../text/error-code.ts';

/** The characters of the locale. */
export const CHARSET: Charset = charsetOf(process.env);

/** A prompt of ybs for a terminal without control sequences. */
export function plainPrompt(prompt: string): string {
  return CHARSET === 'utf-8' ? prompt : String(encodeFor('ascii', prompt, false));
}

/**
 * Creates a function that writes to a stream of the process. If the reader or the terminal has closed the stream, this
 * write and every later one resolve to `false`. Rejects on any other failure of the stream. A terminal, and whoever reads
 * the errors, gets the characters of the locale; any other stream gets UTF-8.
 */
export function createTextOutput(stream: Writable & { readonly isTTY?: boolean }): WriteText {
  const encode = (text: string): string | Uint8Array => {
    if (stream.isTTY !== true && stream !== process.stderr) return text;
    return encodeFor(CHARSET, text, stream.isTTY === true && process.env['TERM'] !== 'dumb');
  };
  let closed = false;
  // Without a listener, a broken pipe would end the process with a stack trace.
  stream.on('error', () => {
    closed = true;
  });
  return async (text) => {
    if (closed) return false;
    if (text === '') return true;
    return new Promise((resolve, reject) => {
      stream.write(encode(text), (error) => {
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
