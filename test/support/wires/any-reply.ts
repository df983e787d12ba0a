import fc from 'fast-check';
import type { Protocol, Reply } from '../../../mock-llm-server/conversation/conversation.ts';
import { WIRES } from '../../../mock-llm-server/wire/wires.ts';
import { anyText } from '../random/any-text.ts';

/** A reply with arbitrary texts, and with calls of `write_file` whose arguments contain arbitrary texts. */
export const anyReply = fc
  .record({ reasoning: anyText, content: anyText, inputs: fc.array(anyText, { maxLength: 3 }) })
  .map(
    ({ reasoning, content, inputs }): Reply => ({
      digest: 'd'.repeat(64),
      created: 1_750_000_000,
      model: 'm',
      reasoning,
      content,
      toolCalls: inputs.map((text, index) => ({
        id: `call_${index}`,
        name: 'write_file',
        input: 'json',
        arguments: JSON.stringify({ path: 'a', content: text, [`key ${text}`]: [index] }),
      })),
      finish: inputs.length > 0 ? 'tool_calls' : 'stop',
      usage: { inputTokens: 30, cachedTokens: 0, outputTokens: 14, reasoningTokens: 0 },
      source: undefined,
    }),
  );

/** A response whose body has chunks of `size` bytes, each transformed by `change`. */
function chunkedResponse(
  bytes: Uint8Array,
  size: number,
  contentType: string,
  change = (chunk: Uint8Array) => chunk,
): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let start = 0; start < bytes.length; start += size) {
        controller.enqueue(change(bytes.slice(start, start + size)));
      }
      controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': contentType } });
}

/** A `fetch` that answers every request with the stream of this reply, as a `chunkedResponse`. */
export function fetchOfReply(
  protocol: Protocol,
  reply: Reply,
  size: number,
  change?: (chunk: Uint8Array) => Uint8Array,
) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const wire = WIRES.find((candidate) => candidate.protocol === protocol && candidate.owns(pathname));
    if (wire === undefined) throw new Error(`no wire for ${protocol}`);
    const read = await wire.read({
      method: request.method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    if (read.type === 'error') throw new Error(read.message);
    const { pack = Buffer.from } = read;
    const body = Buffer.concat(read.frames(reply).map(({ bytes }) => pack(bytes)));
    return chunkedResponse(body, size, read.streamType ?? wire.streamType, change);
  };
}

/** Decodes each chunk alone, which breaks split characters. Stream tests must detect such a reader. */
export const decodeAlone = (chunk: Uint8Array) => new TextEncoder().encode(new TextDecoder().decode(chunk));
