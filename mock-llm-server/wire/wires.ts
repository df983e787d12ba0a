import { digestOf } from '../conversation/ids.ts';
import { anthropicMessages } from './anthropic/messages.ts';
import { gemini } from './gemini/gemini.ts';
import { ollama } from './ollama/ollama.ts';
import { openaiChat } from './openai/chat.ts';
import { openaiResponses } from './openai/responses.ts';
import type { Wire, WireError, WireRequest, WireResponse } from './wire.ts';

/** The protocol whose shape errors have where no protocol owns the path. */
export const DEFAULT_WIRE: Wire = openaiChat;

/** Every protocol the server speaks. Where two share a path, the first that says a request is its own answers. */
export const WIRES: readonly Wire[] = [anthropicMessages, gemini, ollama, openaiChat, openaiResponses];

/** Headers of an answer, by their lower-case names. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** What tells one request from another: the id, and the headers that go with every answer. */
export interface Identity {
  readonly digest: string;
  readonly id: string;
  readonly headers: ResponseHeaders;
}

/** Equal requests have the same identity. `said` is what tells them apart, the body when left out. */
export function identify(wire: Wire, { path, body }: Pick<WireRequest, 'path' | 'body'>, said = body): Identity {
  const digest = digestOf(path, said);
  const id = `${wire.requestId.prefix}${digest.slice(0, 32)}`;
  return { digest, id, headers: { ...wire.headers?.(digest), [wire.requestId.header]: id } };
}

/** The protocol that a path belongs to. */
export function ownerOf(path: string): Wire {
  return WIRES.find((wire) => wire.owns(path)) ?? DEFAULT_WIRE;
}

/** A repeated request would get the same answer, so the official clients are told not to try. */
export const NO_RETRY = { 'x-should-retry': 'false' };

/** An error in the shape of the protocol that the path belongs to, for a request that does not come to the app. */
export function refuseAs(path: string, error: WireError): Response {
  const wire = ownerOf(path);
  const { id, headers } = identify(wire, { path, body: '' });
  return respondWithError(error.status, { ...headers, ...NO_RETRY }, JSON.stringify(wire.encodeError(error, id)));
}

/** `body` is the JSON text of an error. */
function respondWithError(status: number, headers: ResponseHeaders, body: string): Response {
  return respond({ status, headers: { 'content-type': 'application/json', ...headers }, body });
}

/** An answer that needs no scenario, as HTTP. */
export function respond({ status, headers = {}, body }: WireResponse): Response {
  if (typeof body !== 'object') return new Response(body ?? null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}
