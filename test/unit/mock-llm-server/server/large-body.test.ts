import { expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../builders.ts';

const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'n', trigger: 'go', steps: steps() }] }) });

function send(path: string, megabytes: number) {
  const padding = 'x'.repeat(megabytes * 1024 * 1024);
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }], padding });
  return app.request(path, { method: 'POST', headers: { 'anthropic-version': '2023-06-01' }, body });
}

it('the server accepts a body of nearly 32 MiB and answers a larger one with 413', async () => {
  expect((await send('/v1/chat/completions', 31)).status).toBe(200);
  const refused = await send('/v1/messages', 33);
  expect(refused.headers.get('connection')).toBe('close');
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
});

it('the server ends the connection of a request for scenarios that it has not read whole', async () => {
  const refused = await send('/__mock/scenarios', 33);
  expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
});
