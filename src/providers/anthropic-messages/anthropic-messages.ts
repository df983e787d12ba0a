import type { LanguageModel } from '../../agent/ports/language-model.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import type { WireOptions } from '../wire-options.ts';
import { createMessagesReader } from './events.ts';
import { anthropicRequest, VERSION_HEADERS } from './request.ts';

/** A model on the wire `POST {endpoint}/v1/messages`, streaming. */
export function createAnthropicMessages(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'anthropic-messages', model };
  const unnamed = { count: 0 };
  return {
    identity,
    stream(request, signal) {
      const body = anthropicRequest(request, identity, options);
      const sent = { path: '/v1/messages', contentType: 'text/event-stream', headers: VERSION_HEADERS, body } as const;
      return streamAnswer(options, sent, signal, () => createMessagesReader(identity, unnamed));
    },
  };
}
