import { expect, it } from 'vitest';
import { CONFIG_COMMANDS } from '../../../../src/app/commands/config-commands.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { commandText } from '../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../support/fakes/fake-agent.ts';

/** The text of `/config KEY` in a session with this model, with these values of `llm`. */
function textOf(key: string, model: string, llm: object, origin: string): Promise<string | undefined> {
  const origins = new Map([
    ['llm.provider', origin],
    ['llm.model', origin],
  ]);
  const agent = { ...createFakeAgent([]), model, configuration: { config: configOf({ llm }), origins } };
  return commandText(CONFIG_COMMANDS[0], agent, key);
}

it.each<[string, string, string, object, string]>([
  [
    'the default model',
    'llm.model',
    'mock/mock-model',
    { provider: 'mock' },
    'llm.model  not set  (~/.ybs.json; in use: mock/mock-model)',
  ],
  [
    'the model of /model',
    'llm.model',
    'mock/b',
    { provider: 'mock', model: 'a' },
    'llm.model  "a"  (~/.ybs.json; in use: mock/b)',
  ],
  ['the configured model', 'llm.model', 'mock/a', { provider: 'mock', model: 'a' }, 'llm.model  "a"  (~/.ybs.json)'],
  ['no model', 'llm.provider', 'mock/b', { provider: 'mock', model: 'a' }, 'llm.provider  "mock"  (~/.ybs.json)'],
])('/config names %s that the session uses', async (_name, key, model, llm, expected) => {
  expect(await textOf(key, model, llm, '~/.ybs.json')).toBe(expected);
});
