import { readAnthropic } from './anthropic/reader.ts';
import { readConverse } from './bedrock/converse.ts';
import { readInvoke } from './bedrock/invoke.ts';
import { modelOf, openGemini } from './gemini/gemini.ts';
import { readGeminiRequest } from './gemini/request.ts';
import { readInteraction } from './interactions/reader.ts';
import { endpointOf, openOllama } from './ollama/ollama.ts';
import { readOllamaRequest } from './ollama/request.ts';
import { deploymentOf, openChat } from './openai/chat/chat.ts';
import { chatRequestOf } from './openai/chat/chat-request.ts';
import { readChatBody } from './openai/chat/chat-schema.ts';
import { readResponses } from './openai/responses/reader.ts';
import type { ReadRequest, Wire, WireError, WireRequest } from './wire.ts';

/** Reads a request as `wire.read` does, but at once: this module loads the readers of all protocols. */
export function readNow({ protocol }: Pick<Wire, 'protocol'>, request: WireRequest): ReadRequest | WireError {
  const { body } = request;
  switch (protocol) {
    case 'anthropic-messages':
      return request.path.startsWith('/model/') ? readInvoke(request) : readAnthropic(request);
    case 'bedrock-converse':
      return readConverse(request);
    case 'gemini':
      return openGemini(readGeminiRequest(modelOf(request), body), request);
    case 'gemini-interactions':
      return readInteraction(request);
    case 'ollama':
      return openOllama(readOllamaRequest(body, endpointOf(request)), endpointOf(request));
    case 'openai-chat':
      return openChat(chatRequestOf(readChatBody(body), deploymentOf(request)));
    case 'openai-responses':
      return readResponses(request);
    default:
      return protocol satisfies never;
  }
}
