import { textReply } from '../frames.ts';
import { AGAIN, type Expected, failing, type RawRow, rawRowsOf } from '../piece-row.ts';
import { jsonReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

/** The conversation is sent once more, shortened. */
const SHORTENED: Expected = { ...AGAIN, shows: ['The model refused the conversation as too long', 'They say seven.'] };
const error = (status: number, fields: object): RawReply => jsonReply({ error: fields }, { status });
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
    failing('quota of the account is used up'),
  ],
  [
    'a limit of a week that ends',
    'NousResearch/hermes-agent#93455',
    error(429, { message: 'Weekly usage limit reached. Resets in 6hr 29min.', type: 'GoUsageLimitError' }),
    failing('Resets in 6hr 29min'),
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
];

/** Errors, and refusals that another form of the request meets, from public reports of the autumn of 2026 and before. */
export const MORE_ERROR_REPORTS: readonly ReplyRow[] = [...rawRowsOf('openai-chat', ERRORS), ...FORMS];
