import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { clientHeaders, scenarioSet } from '../../../support/stories/builders.ts';

const CHAT = '/v1/chat/completions';

interface Asked {
  readonly method?: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly retry_after?: number;
  readonly code?: string;
  readonly at?: 'before_finish';
}

/** The status, the body and its type of an answer to a request below the path of a service. */
async function ask(
  path: string,
  status = 400,
  { method = 'POST', model = 'own', stream = false, ...fault }: Asked = {},
) {
  const scenarios = scenarioSet({
    scenarios: [
      { name: 'fails', trigger: 'go', steps: [{ response: { content: 'Hi.' }, fault: { status, ...fault } }] },
    ],
  });
  const body =
    method === 'POST' ? JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'go' }] }) : null;
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
    ['mistral', 429, '"message":"Rate limit exceeded","type":"rate_limited","param":null,"code":"1300"'],
    ['cerebras', 429, '"type":"too_many_requests_error","param":"quota","code":"request_quota_exceeded"'],
    ['azure', 429, 'Please retry after 1 seconds.'],
    ['dashscope', 429, '"type":"insufficient_quota","param":null,"code":"insufficient_quota"'],
    ['openrouter', 429, '"message":"Provider returned error","code":429,"metadata":{"raw":"'],
    ['groq', 429, '"type":"tokens","code":"rate_limit_exceeded"'],
    ['groq', 503, '"error":{"message":"own is currently over capacity.'],
    ['together', 429, '"type":"model_rate_limit"'],
    ['litellm', 429, '"type":"throttling_error"'],
    ['vllm', 500, '"message":"Internal Server Error","type":"InternalServerError","param":null,"code":500'],
    ['ollama', 503, '"message":"Service Unavailable","type":"api_error"'],
    ['xai', 503, '{"code":"service_unavailable","error":"Service Unavailable"}'],
    ['copilot', 429, '{"error":{"message":"Too Many Requests","code":"too_many_requests"}}'],
  ])('has the words of %s for %i', async (service, status, says) => {
    const [code, text] = await ask(`${service}${CHAT}`, status);
    expect(text).toContain(says);
    expect(code).toBe(status);
  });

  it.each([
    ['a wrong key', 'xai', 401, 400, 'console.x.ai'],
    ['an account without credit', 'xai', 402, 429, 'has either used all available credits'],
    ['an account without credit', 'openai', 402, 429, '"code":"credit_balance_exhausted"'],
    ['an account without credit', 'zai', 402, 429, '"code":"1113"'],
  ])('has the status that %s has at %s', async (_, service, status, sent, says) => {
    expect((await ask(`${service}${CHAT}`, status)).slice(0, 2)).toEqual([sent, expect.stringContaining(says)]);
  });

  it.each([
    ['moonshot', 'request reached organization max RPM: 3, please try again after 7 seconds'],
    ['zai', '{"error":{"code":"1302","message":"Rate limit reached for requests"}}'],
  ])('is a limit of %s, not its empty account, if it has a wait', async (service, says) => {
    expect((await ask(`${service}${CHAT}`, 429, { retry_after: 7 }))[1]).toContain(says);
  });

  it('has the message of the code of an empty account', async () => {
    const [, text] = await ask(`openai${CHAT}`, 429, { code: 'insufficient_quota' });
    expect(text).toMatch(/"You exceeded your current quota.*"type":"insufficient_quota".*"code":"insufficient_quota"/);
  });
});

// Sources: `failure` of the forms of answers.
describe('an error within a stream', () => {
  it.each([
    ['openai', /\n\ndata: \{"error":\{"message":"[^"]*","type":"server_error","param":null,"code":null\}\}\n\n$/],
    ['vllm', /\n\ndata: \{"error":\{.*"type":"InternalServerError".*\}\}\n\ndata: \[DONE\]\n\n$/],
    ['sglang', /\n\ndata: \{"error":\{"object":"error".*\}\}\n\ndata: \[DONE\]\n\n$/],
    ['groq', /\n\nevent: error\ndata: \{"error":\{.*\}\}\n\n$/],
    ['mistral', /\n\ndata: \{"object":"error",.*"raw_status_code":500\}\n\n$/],
    [
      'openrouter',
      /\n\ndata: \{"id":"gen-.*"finish_reason":"error".*"error":\{"message":"[^"]*","code":500\}.*\}\n\n$/,
    ],
  ])('has the form of %s', async (service, end) => {
    const [status, text] = await ask(`${service}${CHAT}`, 500, { stream: true, at: 'before_finish' });
    expect([status, text]).toEqual([200, expect.stringMatching(end)]);
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
