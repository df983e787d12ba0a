import { describe, expect, it } from 'vitest';
import { readOutputLimit } from '../../../../src/providers/service/output-limit.ts';

const ASKED = 100_000;

/** Services with a report of their words, and the length of an answer that each would accept; below each its words. */
const PAGE = `
  Anthropic, the window | continuedev/continue#6080 | room | 11_760
    input length and \`max_tokens\` exceed context limit: 188240 + 21333 > 200000, decrease input length or \`max_tokens\` and try again
  Anthropic, the model | coolcline/CoolCline#23 | cap | 8_192
    max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022
  vLLM | stepfun-ai/Step-Audio-R1#3 | room | 3_192
    'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (100000 > 8192 - 5000)
  vLLM without the sum | no report; the row before, cut | room | 3_192
    This model's maximum context length is 8192 tokens and your request has 5000 input tokens
  vLLM 0.1x | vllm-project/vllm#3851 | room | 3_192
    This model's maximum context length is 8192 tokens. However, you requested 9096 tokens (5000 in the messages, 4096 in the completion). Please reduce the length of the messages or completion
  vLLM of 2026 | vllm-project/vllm#42474 | room | 3_192
    This model's maximum context length is 8192 tokens. However, you requested 4096 output tokens and your prompt contains at least 5000 input tokens, for a total of at least 9096 tokens
  OpenRouter, the window | refly-ai/refly#1177 | room | 32_000
    This endpoint's maximum context length is 40000 tokens. However, you requested about 140000 tokens (8000 of text input, 132000 in the output). Please reduce the length of either one
  DeepSeek, the window | earendil-works/pi#8061 | room | 3_728
    This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (61808 in the messages, 8192 in the completion)
  OpenRouter, the credit | continuedev/continue#11154 | room | 1_234
    This request requires more credits, or fewer max_tokens. You requested up to 100000 tokens, but can only afford 1,234
  OpenAI | diffbot/code-gpt-docs#284 | cap | 16_384
    max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000
  OpenRouter with tools | openclaw/openclaw#85921 | room | 31_000
    This endpoint's maximum context length is 40000 tokens. However, you requested about 140000 tokens (8000 of text input, 1000 of tool input, 131000 in the output). Please reduce the length of either one
  vLLM, the model | vllm-project/vllm#40324 | cap | 28_672
    max_tokens=100000 cannot be greater than max_model_len=max_total_tokens=28672
  MiniMax | no report; the words of other services | cap | 8_191
    invalid params, max_tokens must be less than 8192
  DeepSeek | deepseek-ai/DeepSeek-V3#69 | cap | 8_192
    Invalid max_tokens value, the valid range of max_tokens is [1, 8192]
  Qwen | Kilo-Org/kilocode#5871 | cap | 32_768
    <400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 32768]
  Groq | no report found; documentation of the service | cap | 8_192
    \`max_tokens\` must be less than or equal to \`8192\`, the maximum value for \`max_tokens\` is less than the \`context_window\` for this model
  Gemini | stackblitz-labs/bolt.diy#955 | cap | 65_536
    Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)
  Cohere | no report found; documentation of the service | cap | 4_096
    max_tokens must be between 1 and 4096
  Volcengine | yiliqi78/TOKENICODE#3 | cap | 32_768
    The parameter max_tokens specified in the request is not valid: integer above maximum value, expected a value <= 32768, but got 100000 instead
  Bedrock | vercel/ai#2772 | cap | 4_096
    The maximum tokens you requested exceeds the model limit of 4096
`;
const ROWS = PAGE.trim()
  .split(/\n {2}(?! )/)
  .map((row) => {
    const [head = '', words = ''] = row.split('\n    ');
    const [service, source, kind, tokens = ''] = head.split(' | ');
    return [service, source, words.replaceAll('␤', '\n'), kind, Number(tokens.replaceAll('_', ''))] as const;
  });

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
