import { textReply } from './frames.ts';
import { AGAIN, type Expected, failing } from './piece-row.ts';
import { jsonReply, pieceReply, type RawReply } from './raw-server.ts';
import type { ReplyRow } from './run-reply.ts';

const error = (status: number, message: string, fields: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  jsonReply({ error: { message, ...fields } }, { status, headers });
const page = (status: number, title: string) =>
  pieceReply(
    [
      `<!DOCTYPE html><html><head><title>${title}</title><style>body{color:red}</style></head>`,
      `<body><center><h1>${title}</h1></center><hr><center>nginx</center></body></html>`,
    ],
    { status, type: 'text/html' },
  );
const later = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Errors with a status, and the service that sends each. */
const ERRORS: readonly (readonly [name: string, source: string, reply: RawReply, expected: Expected])[] = [
  [
    'a call that the server could not read',
    'pydantic/pydantic-ai#4354',
    error(400, 'Failed to call a function. Please adjust your prompt.', { code: 'tool_use_failed' }),
    AGAIN,
  ],
  [
    'arguments that the server could not read',
    'OpenHands/OpenHands#10187',
    error(400, 'Failed to parse tool call arguments as JSON', {
      code: 'tool_use_failed',
      failed_generation: 'import csv',
    }),
    AGAIN,
  ],
  [
    'calls that could not be made',
    'vybestack/llxprt-code#221',
    jsonReply(
      {
        message:
          'Failed to generate tool_calls. Exception: Failed to generate tool call. Tool is not present in the tools list.',
        type: 'invalid_request_error',
      },
      { status: 400 },
    ),
    AGAIN,
  ],
  [
    'a crashed model',
    'lmstudio-ai/lmstudio-bug-tracker#1347',
    error(400, 'The model has crashed without additional information. (Exit code: 6)'),
    AGAIN,
  ],
  [
    'a model that was unloaded',
    'lmstudio-ai/lmstudio-bug-tracker#1492',
    jsonReply({ error: 'Model is unloaded.' }, { status: 400 }),
    AGAIN,
  ],
  [
    'a model that is loading',
    'llama.cpp 11434',
    error(503, 'Loading model', { code: 503, type: 'unavailable_error' }),
    AGAIN,
  ],
  [
    'an exception of the model',
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html',
    jsonReply({ message: 'Try your request again.', __type: 'ModelErrorException' }, { status: 424 }),
    AGAIN,
  ],
  ['409', 'openai/openai-node, src/client.ts', error(409, 'Conflict'), AGAIN],
  [
    '424',
    'huggingface/text-generation-inference, docs/openapi.json',
    error(424, 'Request failed during generation', { type: 'generation' }),
    AGAIN,
  ],
  ['498', 'https://console.groq.com/docs/errors', error(498, 'Flex tier capacity exceeded'), AGAIN],
  ['499', 'nginx/nginx, src/http/ngx_http_request.h', error(499, 'Client closed request'), AGAIN],
  [
    '520',
    'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors',
    pieceReply(['error code: 520'], { status: 520, type: 'text/plain' }),
    AGAIN,
  ],
  ['529', 'https://docs.claude.com/en/api/errors', error(529, 'Overloaded', { type: 'overloaded_error' }), AGAIN],
  [
    '501',
    'https://www.rfc-editor.org/rfc/rfc9110#name-501-not-implemented',
    error(501, 'Not implemented'),
    failing('501: Not implemented'),
  ],
  [
    'a page of a proxy, whose words are kept',
    'dairoot/Grok-Mirror#28, with another status',
    page(502, '502 Bad Gateway'),
    { ...AGAIN, shows: ['(502: 502 Bad Gateway nginx)', 'They say seven.'], hides: ['<', 'color'] },
  ],
  [
    'a limit with the status 403',
    'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api',
    error(403, 'You have exceeded a secondary rate limit. Please try again later.'),
    AGAIN,
  ],
  [
    'a country',
    'https://platform.openai.com/docs/guides/error-codes',
    error(403, 'Country, region, or territory not supported'),
    failing('refused the request (403: Country'),
  ],
  [
    'a filter with the status 403',
    'https://openrouter.ai/docs/api-reference/errors',
    error(403, 'Your input was flagged for "violence".'),
    failing('refused the request (403: Your input was flagged'),
  ],
  [
    'a key that has expired',
    'tashfeenahmed/freellmapi#268',
    jsonReply([{ error: { code: 400, message: 'API key expired.', details: [{ reason: 'API_KEY_INVALID' }] } }], {
      status: 400,
    }),
    failing('requires a key (400: API key expired)'),
  ],
  [
    'a plan that is used up',
    'MoonshotAI/kimi-code#2121',
    error(403, "You've reached your usage limit for this billing cycle."),
    failing('quota of the account is used up'),
  ],
  [
    'a model that is gone',
    'https://console.groq.com/docs/deprecations',
    error(400, 'The model `x` has been decommissioned.', { code: 'model_decommissioned' }),
    failing('has no model'),
  ],
  [
    'memory that does not suffice',
    'continuedev/continue#12795',
    jsonReply({ error: 'model requires more system memory (10.0 GiB) than is available (5.4 GiB)' }, { status: 500 }),
    failing('requires more system memory'),
  ],
  [
    'a long message, all of which is shown',
    'kubernetes-sigs/inference-perf#695, shortened',
    error(400, `Oops ${'y'.repeat(3_000)} END`),
    failing('y END'),
  ],
  [
    'a wait in the body',
    'elizaOS/eliza#4040, with a longer wait',
    error(429, 'Please try again in 1h2m3.5s.'),
    failing('It asks to wait 63 min'),
  ],
  [
    'the end of a quota',
    'google-gemini/gemini-cli#13004',
    error(429, 'You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.'),
    failing('It asks to wait 525 min'),
  ],
  [
    'seconds until a reset in the body',
    'Biliniko/cpa-control-center#5',
    error(429, 'The usage limit has been reached', { resets_in_seconds: 7200 }),
    failing('It asks to wait'),
  ],
  [
    'the time of a reset in the body',
    'Biliniko/cpa-control-center#5',
    error(429, 'The usage limit has been reached', { resets_at: later(7200) }),
    failing('It asks to wait'),
  ],
  [
    'headers in the body',
    'https://openrouter.ai/docs/api-reference/limits',
    error(429, 'Rate limit exceeded: free-models-per-day', {
      metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(later(3600) * 1000) } },
    }),
    failing('It asks to wait'),
  ],
  [
    'the time of a reset',
    'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(later(3600)) }),
    failing('It asks to wait'),
  ],
  [
    'the wait for a limit that is used up',
    'https://platform.openai.com/docs/guides/rate-limits',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6h0m0s' }),
    failing('It asks to wait 360 min'),
  ],
  [
    'the time of a limit that is used up',
    'https://docs.claude.com/en/api/rate-limits',
    error(
      429,
      'Slow',
      {},
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': new Date(later(3600) * 1000).toISOString(),
      },
    ),
    failing('It asks to wait'),
  ],
  [
    'the wait for a limit that is not used up',
    'https://platform.openai.com/docs/guides/rate-limits',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining-requests': '7', 'x-ratelimit-reset-requests': '6h0m0s' }),
    AGAIN,
  ],
  [
    'milliseconds to wait',
    'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/provisioned-get-started',
    error(429, 'Slow', {}, { 'retry-after-ms': '5', 'retry-after': '600' }),
    AGAIN,
  ],
  [
    'a time to wait that is over',
    'https://www.rfc-editor.org/rfc/rfc9110#name-retry-after',
    error(429, 'Slow', {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    AGAIN,
  ],
];

/** Errors before an answer. */
export const STATUS_ROWS: readonly ReplyRow[] = ERRORS.map(([name, source, reply, expected]) => {
  const replies = [reply, textReply('openai-chat', 'They say seven.')];
  return { name, source, wire: 'openai-chat', replies, ...expected };
});
