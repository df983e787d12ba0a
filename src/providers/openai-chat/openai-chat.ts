import type { LanguageModel, ModelEvent } from '../../ports/language-model.ts';
import { FailedRequest } from '../http/open-request.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createChunkReader } from './chunks.ts';
import { listModels } from './models.ts';
import { openAiRequest } from './request.ts';

/** The wire `POST {endpoint}/chat/completions`, streaming. The SDK is loaded with the first request. */
export const openAiChat: WireModule = { createModel: createOpenAiChat, listModels };

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
  const client = await createClient(endpoint, connection);
  for await (const chunk of await client.chat.completions.create(body, { signal: connection.signal })) {
    const events = reader.read(chunk);
    if (typeof events === 'string') throw new FailedRequest({ type: 'garbled', detail: events });
    yield* events;
  }
  yield* reader.end() ?? [];
}

async function createClient(endpoint: string, { fetch }: Connection) {
  const { default: OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: endpoint,
    // Required by the SDK, but not sent: `fetch` replaces the headers of the SDK and of its environment variables.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    // The longest possible timer, because the watch for silence is the timeout that applies.
    timeout: 2 ** 31 - 1,
    fetch,
  });
}
