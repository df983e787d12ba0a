import { type ChatResponse, type Message, Ollama } from 'ollama';
import { expect } from 'vitest';
import * as z from 'zod';
import { errorsOfClass, OFFERED_TOOLS, type SdkAnswer, type SdkClient, type SdkUnderTest } from './sdk-under-test.ts';

const model = 'qwen3:8b';
const tools = OFFERED_TOOLS.map(({ name, schema }) => ({
  type: 'function',
  function: { name, description: '', parameters: schema },
}));
// This SDK does not export the class of its errors.
const ErrorSchema = z.object({ name: z.literal('ResponseError'), error: z.string(), status_code: z.number() });

function clientOf(api: Ollama): SdkClient {
  const body = (content: string) => {
    const messages: Message[] = [{ role: 'user', content }];
    return { model, messages };
  };
  return {
    generate: async (prompt) => answerOf([await api.chat({ ...body(prompt), tools })]),
    async stream(prompt, { onText, signal } = {}) {
      const chunks: ChatResponse[] = [];
      const stream = await api.chat({ ...body(prompt), tools, stream: true });
      signal?.addEventListener('abort', () => stream.abort());
      for await (const chunk of stream) {
        chunks.push(chunk);
        if (chunk.message.content !== '') onText?.(chunk.message.content);
      }
      return answerOf(chunks);
    },
    async play(prompt, result) {
      const { messages } = body(prompt);
      for (;;) {
        const { message } = await api.chat({ model, messages, tools });
        const calls = message.tool_calls ?? [];
        if (calls.length === 0) return message.content;
        const results = calls.map((call) => ({ role: 'tool', content: result, tool_name: call.function.name }));
        messages.push(message, ...results);
      }
    },
    async object(prompt, schema) {
      return JSON.parse((await api.chat({ ...body(prompt), format: schema })).message.content);
    },
    async models() {
      const { models } = await api.list();
      return models.map(({ name }) => name);
    },
    statusOf: (error) => ErrorSchema.safeParse(error).data?.status_code,
  };
}

function answerOf(chunks: readonly ChatResponse[]): SdkAnswer {
  const thoughts = chunks.flatMap(({ message }) => message.thinking ?? []);
  const last = chunks.at(-1);
  return {
    reasoning: thoughts.length > 0 ? thoughts.join('') : undefined,
    text: chunks.map(({ message }) => message.content).join(''),
    calls: chunks.flatMap(({ message }) =>
      (message.tool_calls ?? []).map((call) => ({ name: call.function.name, input: call.function.arguments })),
    ),
    usage: { input: last?.prompt_eval_count, output: last?.eval_count },
  };
}

/** The SDKs of this library, one for each of its protocols. */
export const OLLAMA_SDKS: readonly SdkUnderTest[] = [
  {
    name: 'ollama',
    protocol: 'ollama',
    errors: errorsOfClass(Error),
    aborted: expect.objectContaining({ name: 'AbortError' }),
    open: (url, { fetch }) => clientOf(new Ollama({ host: url, ...(fetch !== undefined && { fetch }) })),
  },
];
