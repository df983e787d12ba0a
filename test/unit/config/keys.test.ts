import { expect, it } from 'vitest';
import { CONFIG_CHECKS, mcpServerProblem } from '../../../src/config/checks.ts';
import { suggestKey } from '../../../src/config/describe/keys.ts';

it.each([
  ['agent.system_prompt', ['agent.retry_attempts', 'agent.max_iterations', 'prompt.system_file'], undefined],
  ['agent.recursion_limit', ['agent.retry_attempts'], undefined],
  ['agent.retry_attempt', ['agent.retry_attempts', 'agent.retry_backoff_base_ms'], 'agent.retry_attempts'],
  ['llm.modle', ['llm.model', 'ui.mode'], 'llm.model'],
  ['lmm.model', ['llm.model', 'ui.mode'], 'llm.model'],
  ['safety.permissions.run shell', ['safety.permissions', 'safety'], 'safety.permissions'],
  ['uii', ['llm', 'ui'], 'ui'],
  ['modell', ['llm.model', 'models', 'models.active'], 'llm.model'],
  ['model', ['llm.model', 'models', 'models.active'], 'llm.model'],
  ['', ['llm', 'ui'], undefined],
])('the key %s among %j most likely stands for %s', (name, known, expected) => {
  expect(suggestKey(name, known)).toBe(expected);
});

it.each([
  [{ command: 'node' }, undefined],
  [{ url: 'https://example.org/mcp' }, undefined],
  [{ url: 'HTTP://127.0.0.1:8000/mcp' }, undefined],
  [{}, []],
  [{ command: 'node', url: 'https://example.org/mcp' }, []],
  [{ url: 'file:///etc/passwd' }, ['url']],
  [{ url: 'https://' }, ['url']],
  // omnigent-ai/omnigent#4404
  [{ url: `\${MY_URL}/mcp` }, undefined],
  [{ url: `https://\${HOST}:\${PORT:-80}/mcp` }, undefined],
  [{ url: 'https://a.example', oauth: { redirect_uri: 'http://localhost:65535/x' } }, undefined],
  [{ url: 'https://a.example', oauth: { redirect_uri: 'http://localhost:99999/x' } }, ['oauth', 'redirect_uri']],
])('the problem of the server %j is at %j', (server, path) => {
  expect(mcpServerProblem(server)?.path).toEqual(path);
  expect(CONFIG_CHECKS['mcp_server']?.accepts(server)).toBe(path === undefined);
});
