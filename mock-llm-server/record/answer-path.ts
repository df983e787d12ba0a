import type { Protocol } from '../conversation/conversation.ts';
import { embeddingPath } from '../scenario/embeddings.ts';
import { bedrockInvoke } from '../wire/bedrock/bedrock.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import { WIRES } from '../wire/wires.ts';

/**
 * The path of an answer of each protocol on this server, and its end. Services, gateways and proxies differ in what
 * precedes the end.
 */
const ROUTES: Readonly<Record<Protocol | 'bedrock-invoke', readonly [end: RegExp, start: string, path: string]>> = {
  'bedrock-converse': [/\/model\/.+\/converse(?:-stream)?$/, '', '/model/MODEL/converse'],
  'bedrock-invoke': [/\/model\/.+\/invoke(?:-with-response-stream)?$/, '', '/model/MODEL/invoke'],
  'openai-chat': [/\/chat\/completions$/, '/v1', '/v1/chat/completions'],
  'openai-responses': [/\/responses$/, '/v1', '/v1/responses'],
  // Below a thread, messages are those of OpenAI's Assistants.
  'anthropic-messages': [
    /(?<!\/threads\/[^/]+)\/messages$|(?:\/projects\/[^/]+\/locations\/.*)?\/models\/[^/]+:(?:streamR|r)awPredict$/,
    '/v1',
    '/v1/messages',
  ],
  gemini: [
    /\/models\/[^/]+(?:\/[^/]+)*:(?:streamG|g)enerateContent$/,
    '/v1beta',
    '/v1beta/models/MODEL:generateContent',
  ],
  'gemini-interactions': [/\/interactions$/, '/v1beta', '/v1beta/interactions'],
  ollama: [/\/api\/(?:chat|generate)$/, '', '/api/chat'],
};

/** The path on this server of a request for an answer; `undefined` for a path without an end of such a request. */
export function localPathOf(path: string): string | undefined {
  for (const [end, start] of Object.values(ROUTES)) {
    const match = end.exec(path);
    if (match !== null) return `${start}${match[0]}`;
  }
  return undefined;
}

/** The path of a request for an answer of a model in a protocol. */
export function answerPath(protocol: Protocol, model: string): string {
  return ROUTES[protocol][2].replace('MODEL', () => model);
}

/** The protocol of a request for an answer; undefined for any other request. */
export function wireOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): Wire | undefined {
  if (method !== 'POST' || embeddingPath(path) !== undefined) return undefined;
  if (ROUTES['bedrock-invoke'][0].test(path)) return bedrockInvoke;
  return WIRES.find(({ protocol }) => ROUTES[protocol][0].test(path));
}
