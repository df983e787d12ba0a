import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { createAnthropicMessages } from '../../../src/providers/anthropic-messages/anthropic-messages.ts';
import { createGemini } from '../../../src/providers/gemini/gemini.ts';
import { createOllamaChat } from '../../../src/providers/ollama-chat/ollama-chat.ts';
import { createOpenAiChat } from '../../../src/providers/openai-chat/openai-chat.ts';
import { createOpenAiResponses } from '../../../src/providers/openai-responses/openai-responses.ts';
import { withTextCalls } from '../../../src/providers/text-calls/with-text-calls.ts';
import type { CreateModel } from '../../../src/providers/wire-options.ts';
import { collect, type LanguageModelSubject, languageModelContract } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../support/fakes/scripted-model.ts';
import { anthropicAnswer } from '../../support/wires/anthropic-wire.ts';
import { wireAnswer } from '../../support/wires/chat-completion-wire.ts';
import { geminiAnswer } from '../../support/wires/gemini-wire.ts';
import { ollamaAnswer } from '../../support/wires/ollama-wire.ts';
import { responsesAnswer } from '../../support/wires/responses-wire.ts';

/** The options of every model, but for the server. */
const OPTIONS = {
  provider: 'acme',
  label: 'The server',
  endpoint: 'http://localhost/v1',
  model: 'm',
  maxTokens: 100,
  timeoutMs: 60_000,
  clock: createManualClock(),
};

interface WireRow extends Pick<LanguageModelSubject, 'missing'> {
  readonly name: string;
  readonly create: CreateModel;
  /** The response to a request to this path. */
  readonly answerOf: (answer: ScriptedAnswer, path: string) => Response;
}

const WIRES: readonly WireRow[] = [
  { name: 'chat completions', create: createOpenAiChat, answerOf: wireAnswer },
  { name: 'OpenAI responses', create: createOpenAiResponses, answerOf: responsesAnswer },
  { name: 'Anthropic messages', create: createAnthropicMessages, answerOf: anthropicAnswer },
  { name: 'Gemini', create: createGemini, answerOf: geminiAnswer, missing: { tool_calls: 'stop' } },
  {
    name: 'the chat of Ollama',
    create: createOllamaChat,
    answerOf: ollamaAnswer,
    missing: { tool_calls: 'stop', content_filter: 'stop' },
  },
];

it.each(WIRES)('$name throws ModelError for a reason that is no end of an answer', async ({ create, answerOf }) => {
  const seen: ModelEvent[] = [];
  const fetch = async (url: string) => answerOf({ text: 'a', end: 'unknown' }, new URL(url).pathname);
  const stream = create({ ...OPTIONS, fetch }).stream(
    { system: '', messages: [], tools: [] },
    new AbortController().signal,
  );
  await expect(collect(stream, seen)).rejects.toMatchObject({ name: 'ModelError', code: 'incomplete_answer' });
  expect(seen).toEqual([{ type: 'text_delta', text: 'a' }]);
});

languageModelContract([
  { name: 'the scripted model', create: () => ({ answering: (answer) => createScriptedModel(answer) }) },
  {
    name: 'a model with recovered calls',
    create: () => ({ answering: (answer) => withTextCalls(createScriptedModel(answer)) }),
  },
  ...WIRES.map(({ name, create, answerOf, missing = {} }) => ({
    name,
    create: () => ({
      missing,
      answering: (answer: ScriptedAnswer) =>
        create({ ...OPTIONS, fetch: async (url) => answerOf(answer, new URL(String(url)).pathname) }),
    }),
  })),
]);
