import { openAiChat } from '../../../src/providers/openai-chat/openai-chat.ts';
import { withTextCalls } from '../../../src/providers/text-calls/with-text-calls.ts';
import { wireAnswer } from '../../support/chat-completion-wire.ts';
import { languageModelContract } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createScriptedModel } from '../../support/scripted-model.ts';

languageModelContract([
  { name: 'the scripted model', create: () => ({ answering: (answer) => createScriptedModel(answer) }) },
  {
    name: 'a model with recovered calls',
    create: () => ({ answering: (answer) => withTextCalls(createScriptedModel(answer)) }),
  },
  {
    name: 'chat completions',
    create: () => ({
      answering: (answer) =>
        openAiChat.createModel({
          provider: 'acme',
          label: 'The server',
          endpoint: 'http://localhost/v1',
          model: 'm',
          maxTokens: 100,
          timeoutMs: 60_000,
          clock: createManualClock(),
          fetch: async () => wireAnswer(answer),
        }),
    }),
  },
]);
