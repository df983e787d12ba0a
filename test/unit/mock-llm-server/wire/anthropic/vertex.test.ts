import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const scenarios = scenarioSet({
  scenarios: [{ name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello.' } }] }],
});

/** The answer to the body that the client of Anthropic for Vertex AI sends (@anthropic-ai/vertex-sdk 0.14). */
async function ask(method: string, more: object = {}) {
  const path = `/v1/projects/p/locations/us-east5/publishers/anthropic/models/${method}`;
  const messages = [{ role: 'user', content: 'say hello' }];
  const body = JSON.stringify({ messages, anthropic_version: 'vertex-2023-10-16', ...more });
  const response = await createMockServer({ scenarios }).request(path, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

describe('Anthropic at Vertex AI', () => {
  it('answers with the model of the path, and needs no header with the version', async () => {
    const { status, text } = await ask('claude-opus-4-5@20251101:rawPredict', { max_tokens: 100 });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ model: 'claude-opus-4-5@20251101', content: [{ text: 'Hello.' }] });
  });

  it('streams at the route for streams', async () => {
    const { type, text } = await ask('claude-opus-4-5@20251101:streamRawPredict', { max_tokens: 100 });
    expect(type).toContain('text/event-stream');
    expect(text).toContain('"type":"message_stop"');
  });

  it('counts tokens', async () => {
    const { status, text } = await ask('count-tokens:rawPredict', { model: 'claude-opus-4-5@20251101' });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ input_tokens: expect.any(Number) });
  });

  it('refuses a body that is not JSON with the error of Anthropic', async () => {
    const path = '/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict';
    const response = await createMockServer({ scenarios }).request(path, { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });
});
