import type { LanguageModel } from '../../agent/ports/language-model.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import { headersOf, type WireOptions } from '../wire-options.ts';
import { createChatReader } from './chunks.ts';
import { openAiRequest } from './request.ts';

/** A model on the wire `POST {endpoint}/chat/completions`, streaming. */
export function createOpenAiChat(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'openai-chat', model };
  const unnamed = { count: 0 };
  return {
    identity,
    stream(request, signal) {
      const body = openAiRequest(request, identity, options);
      const more = headersOf(request, options);
      const sent = { path: '/chat/completions', contentType: 'text/event-stream', body, ...more } as const;
      return streamAnswer(options, sent, signal, (redact) => createChatReader(identity, redact, unnamed));
    },
  };
}
