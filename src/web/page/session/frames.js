/**
 * A frame of an event stream.
 *
 * @typedef {{ readonly event: string, readonly data: string, readonly id: string | undefined }} Frame
 */

/**
 * Reads the frames of an event stream. The frames of this server have one line of data each.
 *
 * @param {AsyncIterable<string>} chunks
 * @returns {AsyncGenerator<Frame, void, void>}
 */
export async function* readFrames(chunks) {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield readFrame(part);
  }
}

/**
 * @param {string} text
 * @returns {Frame}
 */
function readFrame(text) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '', id: fields.get('id') };
}
