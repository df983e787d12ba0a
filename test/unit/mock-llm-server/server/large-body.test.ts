import { expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../builders.ts';

const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'n', trigger: 'go', steps: steps() }] }) });
const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }] });
const LIMIT = 32 * 1024 * 1024;

/** Sends a request that states the length of its body. `read-body.test.ts` sends bodies that really are too large. */
function send(path: string, length: number) {
  const headers = { 'anthropic-version': '2023-06-01', 'content-length': String(length) };
  return app.request(path, { method: 'POST', headers, body });
}

it('the server accepts a body of 32 MiB and answers a larger one with 413', async () => {
  expect((await send('/v1/chat/completions', LIMIT)).status).toBe(200);
  const refused = await send('/v1/messages', LIMIT + 1);
  expect(refused.headers.get('connection')).toBe('close');
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
});

it('the server ends the connection of a request for scenarios that it has not read whole', async () => {
  const refused = await send('/__mock/scenarios', LIMIT + 1);
  expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
});
