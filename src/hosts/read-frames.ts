import { messageOf } from '../agent/errors.ts';
import { ByteBuilder } from '../text/bytes/byte-builder.ts';
import { isJsonObject } from '../text/json/json.ts';

/** Maximum length of a line: a picture of 20 MB in Base64, and the text around it. */
const MAX_LINE_BYTES = 32_000_000;

/** One line of the input of a host. A line that is not a JSON object is malformed; `problem` is the reason. */
export type Frame =
  | { readonly type: 'frame'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly type: 'malformed'; readonly problem: string };

/** Characters of a malformed line that its problem shows. */
const SHOWN_CHARACTERS = 80;
const LINE_FEED = 10;

/**
 * Reads JSON objects, one per line, from bytes in UTF-8 as they arrive; the end of the input ends the last line. Empty
 * lines are skipped. A line that is too long is malformed, too: its bytes are dropped as they arrive. Rejects only when
 * `input` does.
 */
export async function* readFrames(
  input: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<Frame, void, void> {
  let line = new ByteBuilder();
  let isTooLong = false;
  const add = (bytes: Uint8Array, start: number, end: number): void => {
    isTooLong ||= line.length + end - start > maxBytes;
    if (isTooLong) line = new ByteBuilder();
    else line.add(bytes, start, end);
  };
  const take = (): Frame | undefined => {
    const bytes = line.take();
    const frame = isTooLong ? tooLong(maxBytes) : readLine(bytes);
    line = new ByteBuilder();
    isTooLong = false;
    return frame;
  };
  for await (const bytes of input) {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      add(bytes, start, end);
      start = end + 1;
      const frame = take();
      if (frame !== undefined) yield frame;
    }
    add(bytes, start, bytes.length);
  }
  const last = take();
  if (last !== undefined) yield last;
}

function tooLong(maxBytes: number): Frame {
  return { type: 'malformed', problem: `A line is longer than ${maxBytes} bytes. Send less at once.` };
}

function readLine(bytes: Uint8Array): Frame | undefined {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { type: 'malformed', problem: `The line is not JSON: ${messageOf(error)}` };
  }
  if (isJsonObject(value)) return { type: 'frame', value };
  return { type: 'malformed', problem: `The line is not a JSON object: ${text.trim().slice(0, SHOWN_CHARACTERS)}` };
}
