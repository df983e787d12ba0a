import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel } from '../../agent/ports/language-model.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import type { WireOptions } from '../wire-options.ts';
import { createLineReader } from './lines.ts';
import { createModelInfo } from './model-info.ts';
import { ollamaRequest } from './request.ts';

/** A model on Ollama's own wire, `POST {endpoint}/api/chat`, which alone can set the context window. */
export function createOllamaChat(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const info = createModelInfo(options);
  return {
    identity: { provider, wire: 'ollama-chat', model },
    contextWindow: (signal) => info.window(signal),
    async *stream(request, signal) {
      signal.throwIfAborted();
      const body = ollamaRequest(request, options, await info.traits(signal));
      const sent = { path: '/api/chat', contentType: 'application/x-ndjson', body } as const;
      try {
        for await (const event of streamAnswer(options, sent, signal, createLineReader)) {
          if (event.type === 'finish') info.loaded();
          yield event;
        }
      } catch (error) {
        // Only a loaded model finds a conversation too long.
        if (error instanceof ModelError && error.code === 'context_overflow') info.loaded();
        throw error;
      }
    },
  };
}
