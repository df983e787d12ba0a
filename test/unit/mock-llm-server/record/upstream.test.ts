import { describe, expect, it, test } from 'vitest';
import { localPathOf, wireOf } from '../../../../mock-llm-server/record/answer-path.ts';
import { upstreamHeaders, upstreamPath } from '../../../../mock-llm-server/record/upstream.ts';

test.for([
  ['/', '/v1/chat/completions', '/v1/chat/completions'],
  ['/v1', '/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/', '/chat/completions', '/v1/chat/completions'],
  ['/api/v1', '/v1/models', '/api/v1/models'],
  ['/api', '/v1/models', '/api/v1/models'],
  ['/v1', '/v1beta/models', '/v1/v1beta/models'],
] as const)('joins the base %s and the path %s to %s', ([base, path, joined]) => {
  expect(upstreamPath(base, path)).toBe(joined);
});

test.for([
  ['/v1/chat/completions', 'openai-chat'],
  ['/some/base/chat/completions', 'openai-chat'],
  ['/v1/responses', 'openai-responses'],
  ['/anthropic/v1/messages', 'anthropic-messages'],
  ['/v1beta/models/gemini-3-pro:streamGenerateContent', 'gemini'],
  ['/v1beta/models/tuned/model:generateContent', 'gemini'],
  ['/api/chat', 'ollama'],
  ['/v1/messages/count_tokens', undefined],
  ['/v1/models', undefined],
  ['/v1beta/models/gemini-3-pro:countTokens', undefined],
] as const)('takes a POST to %s for %s', ([path, protocol]) => {
  expect(wireOf({ method: 'POST', path })?.protocol).toBe(protocol);
  expect(wireOf({ method: 'GET', path })).toBeUndefined();
});

test.for([
  ['/proxy/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/threads/t/messages', undefined],
  [
    '/x/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict',
    '/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict',
  ],
  ['/v1/projects/p/locations/l/publishers/google/models/m:generateContent', '/v1beta/models/m:generateContent'],
  ['/bedrock/model/m/converse-stream', '/model/m/converse-stream'],
] as const)('plays a request to %s at %s', ([path, local]) => {
  expect(localPathOf(path)).toBe(local);
});

describe('the headers at the upstream', () => {
  const url = new URL('https://api.example.com');
  const client = { host: 'localhost', 'x-mock-step': '1', connection: 'close', 'user-agent': 'me', cookie: 'a=b' };

  it('are those of the client without those of the connection', () => {
    expect(upstreamHeaders({ ...client, authorization: 'Bearer own' }, { url }, 'openai-chat')).toEqual({
      ...{ 'user-agent': 'me', cookie: 'a=b', authorization: 'Bearer own', 'accept-encoding': 'identity' },
    });
  });

  test.for([
    ['openai-chat', 'authorization', 'Bearer key'],
    ['anthropic-messages', 'x-api-key', 'key'],
    ['gemini', 'x-goog-api-key', 'key'],
  ] as const)('have the key of the upstream over %s', ([protocol, name, value]) => {
    expect(upstreamHeaders({ ...client, authorization: 'Bearer own' }, { url, key: 'key' }, protocol)).toEqual({
      ...{ 'user-agent': 'me', 'accept-encoding': 'identity', [name]: value },
    });
  });
});
