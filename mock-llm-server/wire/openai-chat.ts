import type { Conversation } from '../conversation.ts';
import type { UnpairedResults } from '../pair-results.ts';
import { findLateResults } from './late-results.ts';
import { encodeChatFrames, encodeChatReply } from './openai-chat-reply.ts';
import { readChatRequest } from './openai-chat-request.ts';
import { encodeOpenAiError, invalid } from './openai-errors.ts';
import { openaiHeaders } from './openai-headers.ts';
import { MODEL_ROUTES } from './openai-models.ts';
import type { Wire, WireError } from './wire.ts';

/** OpenAI's Chat Completions, also without `/v1`. */
export const openaiChat: Wire = {
  protocol: 'openai-chat',
  paths: ['/v1/chat/completions', '/chat/completions'],
  routes: MODEL_ROUTES,
  callIdPrefix: 'call_',
  requestId: { header: 'x-request-id', prefix: 'req_' },
  headers: openaiHeaders,
  streamType: 'text/event-stream; charset=utf-8',
  owns: (path) => path.endsWith('/chat/completions'),
  read({ body }) {
    const request = readChatRequest(body);
    if ('type' in request) return request;
    return {
      type: 'request',
      conversation: request.conversation,
      stream: request.stream,
      lint: () => [...request.lint(), ...lintOrder(request.conversation)],
      encode: encodeChatReply,
      frames: (reply, split) => encodeChatFrames(reply, request.includeUsage, split),
    };
  },
  encodeError: encodeOpenAiError,
  pairing: 'right_after',
  unpaired,
};

function lintOrder({ messages }: Conversation): WireError[] {
  const late = findLateResults(messages);
  return late === undefined ? [] : [unpaired(late)];
}

function unpaired({ index, missing, orphans, hint }: UnpairedResults): WireError {
  const sentences: string[] = [];
  if (missing.length > 0) {
    sentences.push(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
    );
  }
  if (orphans.length > 0) {
    sentences.push(
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. " +
        `The following tool_call_ids answer none: ${orphans.join(', ')}`,
    );
  }
  const message = [...sentences, ...(hint === undefined ? [] : [hint])].join('. ');
  return { ...invalid(message), param: `messages.[${index}].role` };
}
