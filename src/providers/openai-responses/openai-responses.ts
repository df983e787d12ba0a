import type { LanguageModel } from '../../agent/ports/language-model.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import { headersOf, type WireOptions } from '../wire-options.ts';
import { createResponsesReader } from './events.ts';
import { responsesRequest } from './request.ts';

/** A model on the wire `POST {endpoint}/responses`, streaming and stateless. */
export function createOpenAiResponses(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'openai-responses', model };
  return {
    identity,
    stream(request, signal) {
      const body = responsesRequest(request, identity, options);
      const more = headersOf(request, options);
      const sent = { path: '/responses', contentType: 'text/event-stream', body, ...more } as const;
      return streamAnswer(options, sent, signal, (redact) => createResponsesReader(identity, redact));
    },
  };
}
