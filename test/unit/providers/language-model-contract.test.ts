import { anthropicMessages } from '../../../src/providers/anthropic-messages/anthropic-messages.ts';
import { openAiChat } from '../../../src/providers/openai-chat/openai-chat.ts';
import { openAiResponses } from '../../../src/providers/openai-responses/openai-responses.ts';
import { withTextCalls } from '../../../src/providers/text-calls/with-text-calls.ts';
import type { WireModule } from '../../../src/providers/wire-options.ts';
import { anthropicAnswer } from '../../support/anthropic-wire.ts';
import { wireAnswer } from '../../support/chat-completion-wire.ts';
import { languageModelContract } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { responsesAnswer } from '../../support/responses-wire.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../support/scripted-model.ts';

const WIRES: readonly (readonly [name: string, wire: WireModule, answerOf: (answer: ScriptedAnswer) => Response])[] = [
  ['chat completions', openAiChat, wireAnswer],
  ['OpenAI responses', openAiResponses, responsesAnswer],
  ['Anthropic messages', anthropicMessages, anthropicAnswer],
];

languageModelContract([
  { name: 'the scripted model', create: () => ({ answering: (answer) => createScriptedModel(answer) }) },
  {
    name: 'a model with recovered calls',
    create: () => ({ answering: (answer) => withTextCalls(createScriptedModel(answer)) }),
  },
  ...WIRES.map(([name, wire, answerOf]) => ({
    name,
    create: () => ({
      answering: (answer: ScriptedAnswer) =>
        wire.createModel({
          provider: 'acme',
          label: 'The server',
          endpoint: 'http://localhost/v1',
          model: 'm',
          maxTokens: 100,
          timeoutMs: 60_000,
          clock: createManualClock(),
          fetch: async () => answerOf(answer),
        }),
    }),
  })),
]);
