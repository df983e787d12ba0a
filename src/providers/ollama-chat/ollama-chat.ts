import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import { streamAnswer } from '../http/stream-answer.ts';
import type { WireOptions } from '../wire-options.ts';
import { createLineReader } from './lines.ts';
import { createModelInfo } from './model-info.ts';
import { ollamaRequest } from './request.ts';

/** A model on Ollama's own wire, `POST {endpoint}/api/chat`, which alone can set the context window. */
export function createOllamaChat(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const info = createModelInfo(options);
  let isWarned = false;
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
          if (event.type !== 'usage' || isWarned || !isCut(event.inputTokens, request)) continue;
          isWarned = true;
          yield requestCut(model);
        }
      } catch (error) {
        // Only a loaded model finds a conversation too long.
        if (error instanceof ModelError && error.code === 'context_overflow') info.loaded();
        throw error;
      }
    },
  };
}

/** Parts of a message that need not be sent as text. */
const UNSENT: readonly string[] = ['images', 'reasoning', 'providerState'];

/**
 * True if Ollama counted less than half of what a request of this length has at four characters per token: it has cut
 * the request, which other servers refuse instead.
 */
function isCut(inputTokens: number, { system, tools, messages }: ModelRequest): boolean {
  const text = JSON.stringify([system, tools, messages], (key, value: unknown) =>
    UNSENT.includes(key) ? undefined : value,
  );
  return inputTokens < text.length / 8;
}

function requestCut(model: string): ModelEvent {
  const message = `${model} seems to have read only a part of the request: its server counted far fewer tokens than were sent. Its context window may be smaller than context.max_tokens.`;
  return { type: 'warning', code: 'request_cut', message };
}
