import { PROTOCOLS, type Protocol, type Reply } from '../../../../mock-llm-server/conversation/conversation.ts';
import { EventUnpacker, isEventStream } from '../../../../mock-llm-server/wire/bedrock/event-stream.ts';
import { readNow } from '../../../../mock-llm-server/wire/read-now.ts';
import type { ReadRequest, Wire, WireRequest } from '../../../../mock-llm-server/wire/wire.ts';
import { WIRES } from '../../../../mock-llm-server/wire/wires.ts';

type Json = Readonly<Record<string, unknown>>;

const chat = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

/** The path and the body of a request with one prompt in each protocol. */
export const REQUESTS: Readonly<Record<Protocol, (prompt: string, stream: boolean) => readonly [string, Json]>> = {
  'openai-chat': (prompt, stream) => [
    '/v1/chat/completions',
    { ...chat(prompt), ...(stream && { stream, stream_options: { include_usage: true } }) },
  ],
  'openai-responses': (input, stream) => ['/v1/responses', { model: 'm', input, stream }],
  'anthropic-messages': (prompt, stream) => ['/v1/messages', { max_tokens: 9999, ...chat(prompt), stream }],
  'bedrock-converse': (text, stream) => [
    `/model/m/converse${stream ? '-stream' : ''}`,
    { messages: [{ role: 'user', content: [{ text }] }] },
  ],
  gemini: (text, stream) => [
    `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text }] }] },
  ],
  'gemini-interactions': (input, stream) => ['/v1beta/interactions', { model: 'm', input, stream }],
  ollama: (prompt, stream) => ['/api/chat', { ...chat(prompt), stream }],
};

/** A protocol and its request. */
export interface WireCase {
  readonly protocol: Protocol;
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly sse: boolean;
}

/** A path of the wire that has the protocols of others. */
const INVOKE = '/model/:model/invoke';

/** Every protocol of the server. */
export const WIRE_CASES: readonly WireCase[] = PROTOCOLS.flatMap((protocol) => {
  const wire = WIRES.find((each) => each.protocol === protocol && !each.paths.includes(INVOKE));
  if (wire === undefined) return [];
  const [address, body] = REQUESTS[protocol]('go', true);
  const [path = ''] = address.split('?');
  const sse = protocol !== 'bedrock-converse' && protocol !== 'ollama';
  const headers = wire.protocol === 'anthropic-messages' ? { 'anthropic-version': '2023-06-01' } : {};
  const query = wire.protocol === 'gemini' ? { alt: 'sse' } : {};
  const request = { method: 'POST', path, query, headers, body: JSON.stringify(body) };
  return [{ protocol, wire, request, sse }];
});

/** A function that turns the bytes of a stream, cut anywhere, into text. */
export function textDecoder({ headers }: Response): (bytes: Uint8Array) => string {
  const unpacker = new EventUnpacker();
  const decoder = new TextDecoder();
  return isEventStream(headers.get('content-type'))
    ? (bytes) => unpacker.write(Buffer.from(bytes))
    : (bytes) => decoder.decode(bytes, { stream: true });
}

/** The text of a body, or of the events of one that is binary. */
export async function bodyText(response: Response): Promise<string> {
  return textDecoder(response)(new Uint8Array(await response.arrayBuffer()));
}

export function readCase({ protocol, wire, request }: WireCase): ReadRequest {
  const read = readNow(wire, request);
  if (read.type === 'error') throw new Error(`${protocol} refuses its request: ${read.message}`);
  return read;
}

/** A reply with a text beyond ASCII and two calls. */
export function fullReply(more: Partial<Reply> = {}): Reply {
  return {
    digest: '5f0c1d2e9a8b7c6d5e4f3a2b1c0d9e8f5f0c1d2e9a8b7c6d5e4f3a2b1c0d9e8f',
    created: 1_735_689_600,
    model: 'm',
    reasoning: undefined,
    content: 'Grüße an 漢字 und 🙂 von hier.',
    toolCalls: [
      { id: 'call_first_00000000_0_0_abcdef', name: 'read_file', input: 'json', arguments: '{"path":"a \\"b\\".txt"}' },
      { id: 'call_second_00000000_0_1_abcdef', name: 'write_file', input: 'json', arguments: '{"path":"ü","n":[1]}' },
    ],
    finish: 'tool_calls',
    usage: { inputTokens: 3, cachedTokens: 0, outputTokens: 20, reasoningTokens: 0 },
    source: { scenario: 's', step: 0 },
    ...more,
  };
}
