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
    'an output that the server could not read',
    'Groq',
    error(400, 'Parsing failed. The model generated output that could not be parsed.', { code: 'output_parse_failed' }),
    AGAIN,
  ],
  [
    'calls that could not be made',
    'Cerebras',
    jsonReply({ message: 'Failed to generate tool_calls', type: 'invalid_request_error' }, { status: 400 }),
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
    'a server that is busy for a moment',
    'no report; beside the others',
    error(400, 'The server is temporarily unable to process your request.'),
    AGAIN,
  ],
  [
    'an exception of the model',
    'Bedrock',
    jsonReply({ message: 'Try your request again.', __type: 'ModelErrorException' }, { status: 424 }),
    AGAIN,
  ],
  ['409', 'retries of the SDKs of OpenAI and Anthropic', error(409, 'Conflict'), AGAIN],
  ['424', 'Text Generation Inference', error(424, 'Request failed during generation', { type: 'generation' }), AGAIN],
  ['498', 'Groq, documentation of its errors', error(498, 'Flex tier capacity exceeded'), AGAIN],
  ['499', 'nginx', error(499, 'Client closed request'), AGAIN],
  ['520', 'Cloudflare', pieceReply(['error code: 520'], { status: 520, type: 'text/plain' }), AGAIN],
  ['529', 'Anthropic', error(529, 'Overloaded', { type: 'overloaded_error' }), AGAIN],
  ['501', 'RFC 9110', error(501, 'Not implemented'), failing('501: Not implemented')],
  [
    'a page of a proxy, whose words are kept',
    'nginx',
    page(502, '502 Bad Gateway'),
    { ...AGAIN, shows: ['(502: 502 Bad Gateway nginx)', 'They say seven.'], hides: ['<', 'color'] },
  ],
  [
    'a limit with the status 403',
    'GitHub',
    error(403, 'You have exceeded a secondary rate limit. Please try again later.'),
    AGAIN,
  ],
  [
    'a country',
    'OpenAI',
    error(403, 'Country, region, or territory not supported'),
    failing('refused the request (403: Country'),
  ],
  [
    'a filter with the status 403',
    'OpenRouter',
    error(403, 'Your input was flagged for "violence".'),
    failing('refused the request (403: Your input was flagged'),
  ],
  [
    'a key that has expired',
    'Gemini',
    jsonReply([{ error: { code: 400, message: 'API key expired.', details: [{ reason: 'API_KEY_INVALID' }] } }], {
      status: 400,
    }),
    failing('requires a key (400: API key expired)'),
  ],
  [
    'a plan that is used up',
    'Kimi Code',
    error(403, "You've reached your usage limit for this billing cycle."),
    failing('quota of the account is used up'),
  ],
  [
    'a model that is gone',
    'Groq',
    error(400, 'The model `x` has been decommissioned.', { code: 'model_decommissioned' }),
    failing('has no model'),
  ],
  [
    'memory that does not suffice',
    'Ollama',
    jsonReply({ error: 'model requires more system memory (10.0 GiB) than is available (5.4 GiB)' }, { status: 500 }),
    failing('requires more system memory'),
  ],
  [
    'a long message, all of which is shown',
    'pydantic errors of vLLM',
    error(400, `Oops ${'y'.repeat(3_000)} END`),
    failing('y END'),
  ],
  ['a wait in the body', 'OpenAI', error(429, 'Please try again in 1h2m3.5s.'), failing('It asks to wait 63 min')],
  [
    'the end of a quota',
    'Gemini CLI',
    error(429, 'Your quota will reset after 18h31m10s.'),
    failing('It asks to wait 1112 min'),
  ],
  [
    'seconds until a reset in the body',
    'Codex',
    error(429, 'The usage limit has been reached', { resets_in_seconds: 7200 }),
    failing('It asks to wait'),
  ],
  [
    'the time of a reset in the body',
    'Codex',
    error(429, 'The usage limit has been reached', { resets_at: later(7200) }),
    failing('It asks to wait'),
  ],
  [
    'headers in the body',
    'OpenRouter',
    error(429, 'Rate limit exceeded: free-models-per-day', {
      metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(later(3600) * 1000) } },
    }),
    failing('It asks to wait'),
  ],
  [
    'the time of a reset',
    'GitHub',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(later(3600)) }),
    failing('It asks to wait'),
  ],
  [
    'the wait for a limit that is used up',
    'OpenAI, documentation of its headers',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6h0m0s' }),
    failing('It asks to wait 360 min'),
  ],
  [
    'the time of a limit that is used up',
    'Anthropic, documentation of its headers',
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
    'OpenAI, documentation of its headers',
    error(429, 'Slow', {}, { 'x-ratelimit-remaining-requests': '7', 'x-ratelimit-reset-requests': '6h0m0s' }),
    AGAIN,
  ],
  [
    'milliseconds to wait',
    'Azure OpenAI',
    error(429, 'Slow', {}, { 'retry-after-ms': '5', 'retry-after': '600' }),
    AGAIN,
  ],
  [
    'a time to wait that is over',
    'RFC 9110',
    error(429, 'Slow', {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    AGAIN,
  ],
];

/** Errors before an answer. */
export const STATUS_ROWS: readonly ReplyRow[] = ERRORS.map(([name, source, reply, expected]) => {
  const replies = [reply, textReply('openai-chat', 'They say seven.')];
  return { name, source, wire: 'openai-chat', replies, ...expected };
});
