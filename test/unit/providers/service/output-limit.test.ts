import { describe, expect, it } from 'vitest';
import { readOutputLimit } from '../../../../src/providers/service/output-limit.ts';

const ASKED = 100_000;

/** The words of a service, a report of them, and the length of an answer that it would accept. */
const ROWS: readonly (readonly [
  service: string,
  source: string,
  words: string,
  kind: 'cap' | 'room',
  tokens: number,
])[] = [
  [
    'Anthropic, the window',
    'continuedev/continue#6080',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    'room',
    11_760,
  ],
  [
    'Anthropic, the model',
    'coolcline/CoolCline#23',
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022',
    'cap',
    8_192,
  ],
  [
    'vLLM',
    'stepfun-ai/Step-Audio-R1#3',
    "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (100000 > 8192 - 5000)",
    'room',
    3_192,
  ],
  [
    'vLLM without the sum',
    'no report; the row before, cut',
    "This model's maximum context length is 8192 tokens and your request has 5000 input tokens",
    'room',
    3_192,
  ],
  [
    'vLLM 0.1x',
    'vllm-project/vllm#3851',
    "This model's maximum context length is 8192 tokens. However, you requested 9096 tokens (5000 in the messages, 4096 in the completion). Please reduce the length of the messages or completion",
    'room',
    3_192,
  ],
  [
    'vLLM of 2026',
    'vllm-project/vllm#42474',
    "This model's maximum context length is 8192 tokens. However, you requested 4096 output tokens and your prompt contains at least 5000 input tokens, for a total of at least 9096 tokens",
    'room',
    3_192,
  ],
  [
    'OpenRouter, the window',
    'refly-ai/refly#1177',
    "This endpoint's maximum context length is 40000 tokens. However, you requested about 140000 tokens (8000 of text input, 132000 in the output). Please reduce the length of either one",
    'room',
    32_000,
  ],
  [
    'DeepSeek, the window',
    'earendil-works/pi#8061',
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (61808 in the messages, 8192 in the completion)",
    'room',
    3_728,
  ],
  [
    'OpenRouter, the credit',
    'continuedev/continue#11154',
    'This request requires more credits, or fewer max_tokens. You requested up to 100000 tokens, but can only afford 1,234',
    'room',
    1_234,
  ],
  [
    'OpenAI',
    'diffbot/code-gpt-docs#284',
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000',
    'cap',
    16_384,
  ],
  [
    'OpenRouter with tools',
    'openclaw/openclaw#85921',
    "This endpoint's maximum context length is 40000 tokens. However, you requested about 140000 tokens (8000 of text input, 1000 of tool input, 131000 in the output). Please reduce the length of either one",
    'room',
    31_000,
  ],
  [
    'vLLM, the model',
    'vllm-project/vllm#40324',
    'max_tokens=100000 cannot be greater than max_model_len=max_total_tokens=28672',
    'cap',
    28_672,
  ],
  [
    'MiniMax',
    'no report; the words of other services',
    'invalid params, max_tokens must be less than 8192',
    'cap',
    8_191,
  ],
  [
    'DeepSeek',
    'deepseek-ai/DeepSeek-V3#69',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    'cap',
    8_192,
  ],
  [
    'Qwen',
    'Kilo-Org/kilocode#5871',
    '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 32768]',
    'cap',
    32_768,
  ],
  [
    'Groq',
    'no report found; documentation of the service',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    'cap',
    8_192,
  ],
  [
    'Gemini',
    'stackblitz-labs/bolt.diy#955',
    'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)',
    'cap',
    65_536,
  ],
  ['Cohere', 'no report found; documentation of the service', 'max_tokens must be between 1 and 4096', 'cap', 4_096],
  [
    'Volcengine',
    'yiliqi78/TOKENICODE#3',
    'The parameter max_tokens specified in the request is not valid: integer above maximum value, expected a value <= 32768, but got 100000 instead',
    'cap',
    32_768,
  ],
  ['Bedrock', 'vercel/ai#2772', 'The maximum tokens you requested exceeds the model limit of 4096', 'cap', 4_096],
];

describe('readOutputLimit', () => {
  it.each(ROWS)('%s (%s)', (_service, _source, words, kind, tokens) => {
    expect(readOutputLimit(words, ASKED)).toEqual({ kind, tokens });
  });

  it.each([
    ['a window in which the conversation leaves no room', 'exceed context limit: 199900 + 21333 > 200000'],
    [
      'a conversation that is too long by itself',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens",
    ],
    ['a limit that was not exceeded', 'max_tokens: 5 > 200000'],
    ['other words', 'No.'],
  ])('says nothing about %s', (_name, words) => {
    expect(readOutputLimit(words, ASKED)).toBeUndefined();
  });
});
