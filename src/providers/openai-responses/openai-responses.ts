import type { LanguageModel, ModelEvent, ModelIdentity } from '../../agent/ports/language-model.ts';
import { failedInStream, postEvents } from '../http/post-events.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createEventReader } from './events.ts';
import { responsesRequest } from './request.ts';

/** The wire `POST {endpoint}/responses`, streaming and stateless. The decoder of the SDK is loaded with the first request. */
export const openAiResponses: WireModule = {
  createModel: createOpenAiResponses,
  listModels: async (options, signal) => (await import('../openai-chat/models.ts')).listModels(options, signal),
};

function createOpenAiResponses(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'openai-responses', model };
  return {
    identity,
    stream(request, signal) {
      const body = responsesRequest(request, identity, options);
      return streamAnswer(options, { contentType: 'text/event-stream' }, signal, (connection) =>
        answer(body, identity, options, connection),
      );
    },
  };
}

async function* answer(
  body: ReturnType<typeof responsesRequest>,
  identity: ModelIdentity,
  { endpoint }: WireOptions,
  connection: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const read = createEventReader(identity);
  const decoder = await import('openai/core/streaming');
  for await (const event of postEvents(`${endpoint}/responses`, body, connection, decoder)) {
    const reading = await read(event);
    switch (reading.type) {
      case 'events':
        yield* reading.events;
        break;
      case 'failed':
        throw failedInStream(reading.error, connection.redact);
    }
  }
}
