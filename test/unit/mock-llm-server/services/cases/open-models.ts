import { CHAT, calls, chat, type RuleCase, result, user } from './case.ts';

/** The cases of Mistral. */
export const MISTRAL_CASES: Readonly<Record<string, RuleCase>> = {
  'mistral/call-id': {
    path: CHAT,
    refused: chat('mistral-large-latest', {}, calls(['turn1_0']), result('turn1_0')),
    accepted: chat('mistral-large-latest', {}, calls(['aB3dE6gH9']), result('aB3dE6gH9')),
    says: 'Tool call id was turn1_0 but must be a-z, A-Z, 0-9, with a length of 9.',
  },
  'mistral/user-after-tool': {
    path: CHAT,
    refused: chat('devstral-medium-latest', {}, calls(['aB3dE6gH9']), result('aB3dE6gH9'), user('go')),
    accepted: chat(
      'devstral-medium-latest',
      {},
      calls(['aB3dE6gH9']),
      result('aB3dE6gH9'),
      { role: 'assistant', content: 'Read.' },
      user('go'),
    ),
    says: "Unexpected role 'user' after role 'tool'",
  },
};
