import { expect, it } from 'vitest';
import { agentCache, npmErrors } from '../../../../tooling/agents/agent-cache.ts';

it('agents are installed in the cache directory of the user', () => {
  expect(agentCache({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/mock-llm-server/agents');
  expect(agentCache({ XDG_CACHE_HOME: '' })).toMatch(/[\\/]\.cache[\\/]mock-llm-server[\\/]agents$/);
});

it.each([
  ['npm warn old\nnpm error code ECONNREFUSED\nnpm error syscall connect\n', 'code ECONNREFUSED syscall connect'],
  ['npm ERR! code E404\nnpm ERR! A complete log of this run can be found in: x.log\n', 'code E404'],
  ['npm error a\nnpm error b\nnpm error c\nnpm error d\nnpm error     at x\n', 'a b c d'],
  ['sh: npm: not found\n', ''],
])('npmErrors(%j) is %j', (stderr, errors) => {
  expect(npmErrors(stderr)).toBe(errors);
});
