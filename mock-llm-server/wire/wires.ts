import { digestOf } from '../conversation/ids.ts';
import { anthropicMessages } from './anthropic/messages.ts';
import { bedrockConverse, bedrockInvoke } from './bedrock/bedrock.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiInteractions } from './interactions/interactions.ts';
import { ollama } from './ollama/ollama.ts';
import { openaiChat } from './openai/chat/chat.ts';
import { openaiResponses } from './openai/responses/responses.ts';
import type { Wire, WireError, WireRequest, WireResponse } from './wire.ts';

/** Every protocol of the server. Where several share a path, the first one that recognizes the request answers. */
export const WIRES: readonly Wire[] = [
  anthropicMessages,
  bedrockConverse,
  bedrockInvoke,
  geminiInteractions,
  gemini,
  ollama,
  openaiChat,
  openaiResponses,
];

/** Response headers by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** The id of a request, and the headers of every response to it. */
export interface Identity {
  readonly digest: string;
  readonly id: string;
  readonly headers: ResponseHeaders;
}

/** Derives the identity of a request from its path and `content`, by default its body. */
export function identify(wire: Wire, { path, body }: Pick<WireRequest, 'path' | 'body'>, content = body): Identity {
  const digest = digestOf(path, content);
  const id = `${wire.requestIdPrefix}${digest.slice(0, 32)}`;
  return { digest, id, headers: wire.headers(digest, id) };
}

/** The parts of a request that identify its protocol. */
export interface Addressed {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The protocol of a request that no route answers: by its headers, else by its path, else Chat Completions. */
export function ownerOf({ path, headers }: Addressed): Wire {
  const recognized = WIRES.find((wire) => wire.recognizes?.(headers));
  return recognized ?? WIRES.find((wire) => wire.owns(path)) ?? openaiChat;
}

/** Tells the official clients not to retry, because an equal request gets an equal response. */
export const NO_RETRY = { 'x-should-retry': 'false' };

/** The response to a request that never reaches the app, in its protocol. */
export function refuseAs(request: Addressed, error: WireError): Response {
  const wire = ownerOf(request);
  const { id, headers } = identify(wire, { path: request.path, body: '' });
  return respond({
    status: error.status,
    headers: { ...headers, ...wire.errorHeaders?.(error), ...NO_RETRY },
    body: wire.encodeError(error, id),
  });
}

export function respond({ status, headers = {}, body }: WireResponse): Response {
  if (typeof body !== 'object') return new Response(body ?? null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}
