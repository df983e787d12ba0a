import type { Conversation, Reply } from '../conversation.ts';
import { countTokens } from '../estimate-tokens.ts';
import type { UnpairedResults } from '../pair-results.ts';
import { CONTEXT_LENGTH, OLLAMA_ROUTES } from './ollama-models.ts';
import { encodeOllamaFrames, encodeOllamaLoad, encodeOllamaReply } from './ollama-reply.ts';
import { badRequest, readOllamaRequest } from './ollama-request.ts';
import type { Frame, Wire, WireError } from './wire.ts';

/** Ollama's own protocol, with its models. */
export const ollama: Wire = {
  protocol: 'ollama',
  paths: ['/api/chat', '/api/generate'],
  routes: OLLAMA_ROUTES,
  callIdPrefix: 'call_',
  requestId: { header: 'x-request-id', prefix: '' },
  streamType: 'application/x-ndjson',
  owns: (path) => path.startsWith('/api/'),
  read({ body, path }) {
    const endpoint = path === '/api/generate' ? 'generate' : 'chat';
    const request = readOllamaRequest(body, endpoint);
    if ('type' in request) return request;
    const { conversation, purpose, stream, think, truncate } = request;
    if (purpose !== 'answer') {
      const encode = (reply: Reply) => encodeOllamaLoad(reply, endpoint, purpose);
      const frames = (reply: Reply): Frame[] => [{ kind: 'finish', bytes: JSON.stringify(encode(reply)) }];
      return { type: 'request', conversation, stream: false, encode, frames };
    }
    const contextLength = request.contextLength ?? CONTEXT_LENGTH;
    const overflow = truncate ? undefined : findOverflow(conversation, contextLength);
    if (overflow !== undefined) return overflow;
    const settings = { endpoint, think, contextLength } as const;
    return {
      type: 'request',
      conversation,
      stream,
      encode: (reply) => encodeOllamaReply(reply, settings),
      frames: (reply, split) => encodeOllamaFrames(reply, settings, split),
    };
  },
  encodeError: ({ message }) => ({ error: message }),
  pairing: 'none',
  unpaired,
};

/** Ollama hands on what its runner says, JSON inside of a JSON text. */
function findOverflow(conversation: Conversation, contextLength: number): WireError | undefined {
  const tokens = countTokens(conversation);
  if (tokens <= contextLength) return undefined;
  const error = {
    code: 400,
    message: `request (${tokens} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`,
    type: 'exceed_context_size_error',
    n_prompt_tokens: tokens,
    n_ctx: contextLength,
  };
  return badRequest(JSON.stringify({ error }));
}

/** Worth a note only: Ollama hands on what it gets. */
function unpaired({ index, missing, orphans }: UnpairedResults): WireError {
  const sentences = [
    ...(missing.length > 0 ? [`these tool calls have no result: ${missing.join(', ')}`] : []),
    ...(orphans.length > 0 ? [`these tool results answer no call: ${orphans.join(', ')}`] : []),
  ];
  return badRequest(`messages[${index}]: ${sentences.join('; ')}`);
}
