import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel, ModelEvent } from '../../agent/ports/language-model.ts';
import { classifyInStream, readServerError } from '../http/classify-failure.ts';
import { type StreamFormat, wellFormedJson } from '../http/fetch-stream.ts';
import { FailedRequest } from '../http/open-request.ts';
import { readJsonStream } from '../http/read-json-stream.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { WireModule, WireOptions } from '../wire-options.ts';
import { createLineReader } from './lines.ts';
import { createModelInfo, type ModelInfo } from './model-info.ts';
import { ollamaRequest } from './request.ts';

/** Ollama's own wire, `POST {endpoint}/api/chat`, which alone can set the context window. */
export const ollamaChat: WireModule = {
  createModel: createOllamaChat,
  listModels: async (options, signal) => (await import('./models.ts')).listModels(options, signal),
};

const FORMAT: StreamFormat = { contentType: 'application/x-ndjson' };

function createOllamaChat(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const info = createModelInfo(options);
  return {
    identity: { provider, wire: 'ollama-chat', model },
    contextWindow: (signal) => info.window(signal),
    async *stream(request, signal) {
      signal.throwIfAborted();
      const traits = await info.traits(signal);
      const body = wellFormedJson(ollamaRequest(request, options, traits));
      try {
        yield* streamAnswer(options, FORMAT, signal, (connection) => answer(body, options, info, connection));
      } catch (error) {
        // Only a loaded model finds a conversation too long.
        if (error instanceof ModelError && error.code === 'context_overflow') info.loaded();
        throw error;
      }
    },
  };
}

async function* answer(
  body: string,
  { endpoint }: WireOptions,
  info: ModelInfo,
  { fetch, signal, redact }: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const response = await fetch(`${endpoint}/api/chat`, { method: 'POST', body, signal });
  const read = createLineReader();
  for await (const value of readJsonStream(response, FORMAT)) {
    const line = await read(value);
    switch (line.type) {
      case 'events':
        if (line.events.some(({ type }) => type === 'finish')) info.loaded();
        yield* line.events;
        break;
      case 'error':
        throw new FailedRequest(classifyInStream(readServerError(redact(line.body))));
    }
  }
}
