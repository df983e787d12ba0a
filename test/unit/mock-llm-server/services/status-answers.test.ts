import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { clientHeaders, scenarioSet } from '../../../support/stories/builders.ts';

const CHAT = '/v1/chat/completions';

/** The status, the body and its type of an answer to a request below the path of a service. */
async function ask(path: string, status = 400, { method = 'POST', model = 'own' } = {}) {
  const scenarios = scenarioSet({
    scenarios: [{ name: 'fails', trigger: 'go', steps: [{ response: { content: 'Hi.' }, fault: { status } }] }],
  });
  const body = method === 'POST' ? JSON.stringify({ model, messages: [{ role: 'user', content: 'go' }] }) : null;
  const answer = await createMockServer({ scenarios }).request(`/as/${path}`, {
    method,
    headers: clientHeaders(`/as/${path}`),
    body,
  });
  return [answer.status, await answer.text(), answer.headers.get('content-type')] as const;
}

describe('a fault with a status', () => {
  it.each([
    ['copilot', 402, '{"error":{"message":"You have no quota","code":"quota_exceeded"}}'],
    ['deepseek', 400, 'Model Not Exist'],
    ['deepseek', 402, '{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,'],
    ['openrouter', 401, '{"error":{"message":"User not found.","code":401}'],
    ['openrouter', 402, 'This request requires more credits, or fewer max_tokens.'],
    ['openrouter', 404, 'No allowed providers are available for the selected model.'],
    ['moonshot', 401, '{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}'],
    ['moonshot', 404, 'Not found the model own or Permission denied'],
    ['moonshot', 429, 'is suspended due to insufficient balance'],
    ['zai', 429, '{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}'],
    ['groq', 400, '"code":"tool_use_failed"'],
    ['groq', 401, 'Invalid API Key'],
    ['together', 401, 'Invalid API key provided. You can find your API key at https://api.together.xyz/'],
    ['fireworks', 412, '"code":"PRECONDITION_FAILED"'],
    ['litellm', 400, 'Invalid model name passed in model=own.'],
    ['openai', 401, 'https://platform.openai.com/account/api-keys.'],
  ])('has the words of %s for %i', async (service, status, says) => {
    const [code, text] = await ask(`${service}${CHAT}`, status);
    expect(text).toContain(says);
    expect(code).toBe(status);
  });

  it('has the status of a wrong key at xAI, which is 400', async () => {
    expect((await ask(`xai${CHAT}`, 401)).slice(0, 2)).toEqual([400, expect.stringContaining('console.x.ai')]);
  });
});

describe('an unknown path or method of a service', () => {
  const json = 'application/json';
  it.each([
    ['POST', 'openai/v2/chat/completions', 404, 'Invalid URL (POST /v2/chat/completions)', json],
    ['GET', `openai${CHAT}`, 405, 'Not allowed to GET on /v1/chat/completions.', json],
    ['POST', 'vllm/v1/nope', 404, '{"detail":"Not Found"}', json],
    ['GET', `litellm${CHAT}`, 405, '{"detail":"Method Not Allowed"}', json],
    ['POST', 'ollama/chat/completions', 404, '404 page not found', 'text/plain'],
    ['GET', `ollama${CHAT}`, 405, '405 method not allowed', 'text/plain'],
    ['GET', `llamacpp${CHAT}`, 404, '{"error":{"message":"File Not Found","type":"not_found_error","code":404}}', json],
    ['POST', 'lmstudio/nope', 200, '{"error":"Unexpected endpoint or method. (POST /nope)"}', json],
    ['GET', `groq/openai${CHAT}`, 404, 'Unknown request URL: GET /openai/v1/chat/completions.', json],
    ['POST', 'moonshot/v1/v1/chat/completions', 404, '"url":"/v1/v1/chat/completions"', json],
    ['POST', 'azure/nope', 404, '{"error":{"code":"404","message":"Resource not found"}}', json],
    ['GET', 'mistral/v1/chat/models', 404, 'no Route matched with those values', json],
    ['GET', 'openai/models', 404, 'Invalid URL (GET /models)', json],
    ['POST', 'groq/openai/v1/embeddings', 404, 'Unknown request URL: POST /openai/v1/embeddings.', json],
    ['POST', 'openrouter/api/v1/anthropic/v1/messages', 404, '<!DOCTYPE html>', 'text/html'],
    ['POST', 'zai/api/paas/v4/v1/chat/completions', 404, '"path":"/v4/v1/chat/completions"', json],
    ['POST', 'dashscope/api/v1/nope', 404, '', 'text/plain'],
    ['POST', 'xai/nope', 404, 'Unknown request URL: POST /nope.', json],
  ])('%s /as/%s is %i', async (method, path, status, says, type) => {
    expect(await ask(path, 400, { method })).toEqual([status, expect.stringContaining(says), type]);
  });
});
