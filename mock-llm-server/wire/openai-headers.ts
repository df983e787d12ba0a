/** What this many requests in a minute, and this many tokens, are allowed to an account. */
const REQUEST_LIMIT = 10_000;
const TOKEN_LIMIT = 2_000_000;

/** The headers that OpenAI's answers carry beside the id of the request. They derive from it, so they never change. */
export function openaiHeaders(digest: string): Readonly<Record<string, string>> {
  const number = Number.parseInt(digest.slice(0, 8), 16);
  return {
    'openai-organization': 'mock-organization',
    'openai-processing-ms': String(100 + (number % 900)),
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': String(REQUEST_LIMIT),
    'x-ratelimit-limit-tokens': String(TOKEN_LIMIT),
    'x-ratelimit-remaining-requests': String(REQUEST_LIMIT - 1),
    'x-ratelimit-remaining-tokens': String(TOKEN_LIMIT - 1 - (number % 10_000)),
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': `${1 + (number % 300)}ms`,
  };
}
