import { expect, it } from 'vitest';
import { suggestKey } from '../../../src/config/keys.ts';

it.each([
  ['agent.system_prompt', ['agent.retry_attempts', 'agent.max_iterations', 'prompt.system_file'], undefined],
  ['agent.recursion_limit', ['agent.retry_attempts'], undefined],
  ['agent.retry_attempt', ['agent.retry_attempts', 'agent.retry_backoff_base_ms'], 'agent.retry_attempts'],
  ['llm.modle', ['llm.model', 'ui.mode'], 'llm.model'],
  ['lmm.model', ['llm.model', 'ui.mode'], 'llm.model'],
  ['safety.permissions.run shell', ['safety.permissions', 'safety'], 'safety.permissions'],
  ['uii', ['llm', 'ui'], 'ui'],
  ['', ['llm', 'ui'], undefined],
])('the key %s among %j most likely stands for %s', (name, known, expected) => {
  expect(suggestKey(name, known)).toBe(expected);
});
