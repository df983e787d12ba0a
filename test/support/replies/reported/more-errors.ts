import { textReply } from '../frames.ts';
import { AGAIN, type Expected, failing, type RawRow, rawRowsOf } from '../piece-row.ts';
import { jsonReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

/** The conversation is sent once more, shortened. */
const SHORTENED: Expected = { ...AGAIN, shows: ['The model refused the conversation as too long', 'They say seven.'] };
const error = (status: number, fields: object, headers = {}): RawReply =>
  jsonReply({ error: fields }, { status, headers });
const ERRORS: readonly RawRow[] = [
  [
    'too long: ds4',
    'antirez/ds4#150',
    error(400, { message: 'Prompt tokens (40000) exceeds context size (32768)', type: 'context_exceeded' }),
    SHORTENED,
  ],
  [
    'too long: mlx-serve',
    'ddalcu/mlx-serve#66',
    error(400, { message: 'Prompt exceeds maximum context length', type: 'invalid_request_error' }),
    SHORTENED,
  ],
  [
    'too long: vmlx',
    'jjang-ai/vmlx#253',
    error(400, {
      message: 'prompt_too_long: tokenized VLM text prompt has 20767 tokens, max prompt/context tokens is 16384',
    }),
    SHORTENED,
  ],
  [
    'free use that is used up',
    'Vanszs/VansRouter#56',
    jsonReply(
      { code: 'subscription:free-usage-exhausted', error: "You've used all the included free usage" },
      { status: 429 },
    ),
    failing('quota of the account is used up'),
  ],
  [
    'a burst, called a quota',
    'trefeon/freebuff-proxy#133',
    error(429, {
      message: "The current group's upstream load is saturated, please try again later (request id: 1)",
      type: 'insufficient_quota',
      code: 'limit_burst_rate',
    }),
    AGAIN,
  ],
  [
    'a limit of a week',
    'diegosouzapw/OmniRoute#11352',
    error(429, {
      code: '1310',
      message: 'Weekly/Monthly Limit Exhausted. Your limit will reset at 2027-08-29 21:01:21',
    }),
    failing('will reset at 2027-08-29 21:01:21). Wait a moment, or use another model. It asks to wait'),
  ],
  [
    'a limit of a week that ends',
    'NousResearch/hermes-agent#93455',
    error(429, { message: 'Weekly usage limit reached. Resets in 6hr 29min.', type: 'GoUsageLimitError' }),
    failing('Resets in 6hr 29min'),
  ],
  [
    'the words of a service behind OpenRouter',
    'open-webui/computer#293',
    error(429, {
      message: 'Provider returned error',
      code: 429,
      metadata: {
        raw: 'z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly',
        provider_name: 'BaseTen',
      },
    }),
    { ...AGAIN, shows: ['temporarily rate-limited upstream', 'They say seven.'] },
  ],
  [
    'a JSON text behind OpenRouter',
    'diegosouzapw/OmniRoute#3044',
    error(400, {
      message: 'Provider returned error',
      code: 400,
      metadata: {
        raw: '{"error":{"type":"invalid_request_error","code":"invalid_request_error","message":"Model \'moonshotai/kimi-k2.6\' supports at most 1 image per prompt.","request_id":"req_1"}}',
        provider_name: 'Crucible',
      },
    }),
    failing('supports at most 1 image'),
  ],
  [
    'an error in a list',
    'google-gemini/gemini-cli#16987',
    jsonReply(
      [
        {
          error: {
            code: 400,
            message:
              'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      { status: 400 },
    ),
    failing('number of function response parts'),
  ],
  [
    'a wait in milliseconds that is no number',
    'openclaw/openclaw#111353',
    error(429, { message: 'slow down' }, { 'retry-after-ms': 'soon', 'retry-after': '0' }),
    AGAIN,
  ],
  [
    'too long: GitHub Models',
    'evalstate/fast-agent#346',
    error(413, {
      code: 'tokens_limit_reached',
      message: 'Provider API error: Request body too large for gpt-4o model. Max size: 8000 tokens.',
    }),
    SHORTENED,
  ],
  [
    'a server without a parser of calls',
    'MattJColes/lgtmaybe#499',
    error(400, {
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
    failing('llm.tool_protocol xnl'),
  ],
  [
    'a server that does not know tools',
    'runpod-workers/worker-vllm#85',
    jsonReply(
      {
        code: 400,
        message:
          "2 validation errors for ChatCompletionRequest\ntools\n  Extra inputs are not permitted [type=extra_forbidden, input_value=[{'type': 'function'}], input_type=list]\ntool_choice\n  Extra inputs are not permitted",
        object: 'error',
        param: null,
        type: 'BadRequestError',
      },
      { status: 400 },
    ),
    failing('llm.tool_protocol xnl'),
  ],
  [
    'a quota, in Chinese',
    'QuantumNous/new-api#6929',
    error(403, { message: '用户额度不足, 剩余额度: ＄-0.000002 (request id: 1)', type: 'new_api_error' }),
    failing('quota of the account is used up'),
  ],
  [
    'no balance, as a refused key',
    'can1357/oh-my-pi#3169',
    jsonReply(
      {
        type: 'error',
        error: {
          type: 'CreditsError',
          message: 'Insufficient balance. Manage your billing here: https://opencode.ai/workspace',
        },
      },
      { status: 401 },
    ),
    failing('quota of the account is used up'),
  ],
  [
    'an input that its parser could not read',
    'ggml-org/llama.cpp#20532',
    error(500, { code: 500, message: 'Failed to parse input at pos 121: <|channel|>', type: 'server_error' }),
    AGAIN,
  ],
  [
    'too long by one token',
    'proxysoul/Empryo#52',
    error(400, {
      message:
        "You passed 202753 input tokens and requested 0 output tokens. However, the model's context length is only 202752 tokens, resulting in a maximum input length of 202752 tokens.",
    }),
    SHORTENED,
  ],
  [
    'a grammar that is too long',
    'flagdizero/jenny-android-ai-agent#2',
    jsonReply(
      { code: 400, message: 'Failed to initialize samplers: failed to parse grammar', type: 'invalid_request_error' },
      { status: 400 },
    ),
    AGAIN,
  ],
];

const FORMS: readonly ReplyRow[] = [
  {
    name: 'a picture, as a text that is missing',
    ...{ source: 'Gitlawb/openclaude#1421', wire: 'openai-chat', picture: true },
    replies: [
      error(400, { code: '400', message: 'Param Incorrect', param: '`text` is not set', type: '' }),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...{ code: 0, requests: 2, shows: ['sent again', 'They say seven.'], sends: ['Pictures left out'] },
  },
  {
    name: 'a picture, as a variant that is unknown, behind two gateways',
    ...{ source: '1jehuang/jcode#848', wire: 'openai-chat', picture: true },
    replies: [
      error(400, {
        param: null,
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        message:
          'Error from provider (Console): Upstream request failed: [invalid_request_error] Failed to deserialize the JSON body into the target type: messages[408]: unknown variant `image_url`, expected `text` at line 1 column 4795048',
      }),
      textReply('openai-chat', 'They say seven.'),
    ],
    ...{ code: 0, requests: 2, shows: ['sent again', 'They say seven.'], sends: ['Pictures left out'] },
  },
  {
    name: 'an effort with the levels of a model',
    ...{ source: 'askalf/dario#491', wire: 'anthropic-messages', settings: { reasoning_effort: 'high' } },
    replies: [
      jsonReply(
        {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: "This model does not support effort level 'high'. Supported levels: low, medium.",
          },
        },
        { status: 400 },
      ),
      textReply('anthropic-messages', 'They say seven.'),
    ],
    ...{ code: 0, requests: 2, shows: ['sent again', 'They say seven.'] },
  },
  {
    name: 'a limit of the answer as the name of a parameter',
    source: 'AQBot-Desktop/AQBot#93',
    wire: 'openai-chat',
    replies: [
      error(400, {
        message: 'Param Incorrect',
        type: 'upstream_error',
        param:
          'max_tokens is too large: 500000. This model supports at most 131072 completion tokens, whereas you provided 500000.',
        code: '400',
      }),
      textReply('openai-chat', 'They say seven.'),
    ],
    settings: { max_tokens: 500_000 },
    code: 0,
    requests: 2,
    shows: ['sent again', 'They say seven.'],
    sends: ['"max_tokens":131072'],
  },
];

/**
 * Errors, and refusals that another form of the request meets, from public reports of the autumn of 2026 and before.
 */
export const MORE_ERROR_REPORTS: readonly ReplyRow[] = [...rawRowsOf('openai-chat', ERRORS), ...FORMS];
