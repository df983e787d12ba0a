import type { LanguageModel, ModelEvent } from '../../agent/ports/language-model.ts';
import { postEvents } from '../http/post-events.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createChunkReader } from './chunks.ts';
import { openAiRequest } from './request.ts';

/** The wire `POST {endpoint}/chat/completions`, streaming. The decoder of the SDK is loaded with the first request. */
export const openAiChat: WireModule = {
  createModel: createOpenAiChat,
  listModels: async (options, signal) => (await import('./models.ts')).listModels(options, signal),
};

function createOpenAiChat(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  return {
    identity: { provider, wire: 'openai-chat', model },
    stream(request, signal) {
      const body = openAiRequest(request, options);
      return streamAnswer(options, { contentType: 'text/event-stream' }, signal, (connection) =>
        answer(body, options, connection),
      );
    },
  };
}

async function* answer(
  body: ReturnType<typeof openAiRequest>,
  { endpoint }: WireOptions,
  connection: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const reader = createChunkReader();
  const decoder = await import('openai/core/streaming');
  for await (const chunk of postEvents(`${endpoint}/chat/completions`, body, connection, decoder)) {
    yield* await reader.read(chunk);
  }
  yield* reader.end() ?? [];
}
