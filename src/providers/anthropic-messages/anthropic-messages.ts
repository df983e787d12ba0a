import type { LanguageModel, ModelEvent, ModelIdentity } from '../../agent/ports/language-model.ts';
import { postEvents } from '../http/post-events.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createEventReader } from './events.ts';
import { anthropicRequest, VERSION_HEADERS } from './request.ts';

/** The wire `POST {endpoint}/v1/messages`, streaming. The decoder of the SDK is loaded with the first request. */
export const anthropicMessages: WireModule = {
  createModel: createAnthropicMessages,
  listModels: async (options, signal) => (await import('./models.ts')).listModels(options, signal),
};

const FORMAT = { contentType: 'text/event-stream', headers: VERSION_HEADERS } as const;

function createAnthropicMessages(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'anthropic-messages', model };
  return {
    identity,
    stream(request, signal) {
      const body = anthropicRequest(request, identity, options);
      return streamAnswer(options, FORMAT, signal, (connection) => answer(body, identity, options, connection));
    },
  };
}

async function* answer(
  body: ReturnType<typeof anthropicRequest>,
  identity: ModelIdentity,
  { endpoint }: WireOptions,
  connection: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const reader = createEventReader(identity);
  const decoder = await import('@anthropic-ai/sdk/core/streaming');
  for await (const event of postEvents(`${endpoint}/v1/messages`, body, connection, decoder)) {
    yield* await reader.read(event);
  }
  yield* reader.end();
}
