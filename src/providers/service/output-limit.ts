/** Room for an answer, in tokens, below which the conversation itself is too long. */
const MIN_ROOM = 512;

/** The forms in which servers say how large an answer may be. Each takes the numbers of its match, in their order. */
const FORMS: readonly (readonly [form: RegExp, limit: (...numbers: number[]) => number, kind: OutputLimit['kind']])[] =
  [
    // Anthropic: input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000
    [/(\d+) \+ \d+ > (\d+)/, (input = 0, window = 0) => window - input, 'room'],
    // vLLM: is too large: 32000. … (32000 > 8192 - 5000)
    [/\d+ > (\d+) - (\d+)/, (window = 0, input = 0) => window - input, 'room'],
    // OpenAI, DeepSeek, vLLM, OpenRouter: maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion)
    [
      /maximum context length (?:is|of) (\d+) tokens?.*?\(?(\d+) (?:tokens )?(?:in|from|of) (?:the )?(?:your )?(?:text )?(?:messages|input|prompt)(?:, (\d+) of tool input)?.*?\d+ (?:tokens )?(?:in|for|from) the (?:completion|output)/i,
      (window = 0, input = 0, tools = 0) => window - input - (tools || 0),
      'room',
    ],
    // vLLM: maximum context length is 8192 tokens and your request has 5000 input tokens
    [
      /maximum context length (?:is|of) (\d+) tokens and your request has (\d+) input tokens/i,
      (window = 0, input = 0) => window - input,
      'room',
    ],
    // vLLM: You requested 4096 output tokens and your prompt contains at least 5000 input tokens, for a total of …
    [
      /maximum context length (?:is|of) (\d+) tokens.*?requested \d+ output tokens and your prompt contains (?:at least )?(\d+) input tokens/i,
      (window = 0, input = 0) => window - input,
      'room',
    ],
    // OpenRouter: You requested up to 32000 tokens, but can only afford 1234
    [/can only afford (\d+)/i, (limit = 0) => limit, 'room'],
    // Anthropic: max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens
    [/max_tokens: \d+ > (\d+)/, (limit = 0) => limit, 'cap'],
    // OpenAI: This model supports at most 16384 completion tokens
    [/at most (\d+) (?:completion|output) tokens/i, (limit = 0) => limit, 'cap'],
    // DeepSeek: the valid range of max_tokens is [1, 8192]. Qwen: Range of max_tokens should be [1, 8192]
    [/max_(?:completion_|output_)?tokens\W.*?\[\s*1\s*,\s*(\d+)\s*\]/i, (limit = 0) => limit, 'cap'],
    // Groq: `max_tokens` must be less than or equal to `8192`. Mistral, Cohere and others: must be at most, cannot exceed, maximum is
    [
      /max_?(?:completion_?|output_?)?tokens?\b.*?(?:less than or equal to|at most|cannot exceed|can't exceed|must not exceed|exceeds? the (?:limit|maximum)(?: value)? (?:of|is)|maximum(?: value)?(?: is| of|:)|<=|≤|no more than|cannot be greater than)\D{0,40}(\d+)/i,
      (limit = 0) => limit,
      'cap',
    ],
    [
      /max_?(?:completion_?|output_?)?tokens?\b.*?(?:less|lower|smaller) than\D{0,20}(\d+)/i,
      (limit = 0) => limit - 1,
      'cap',
    ],
    // Gemini: Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)
    [/max_?output_?tokens.*?range is from 1 \(inclusive\) to (\d+) \(exclusive\)/i, (limit = 0) => limit - 1, 'cap'],
    [/max_?(?:completion_?|output_?)?tokens?\b.*?between 1 and (\d+)/i, (limit = 0) => limit, 'cap'],
    // Bedrock: The maximum tokens you requested exceeds the model limit of 4096
    [/maximum tokens you requested exceeds the model limit of (\d+)/i, (limit = 0) => limit, 'cap'],
  ];

/** The longest answer that a server accepts: always (`cap`), or beside the conversation of this request (`room`). */
export interface OutputLimit {
  readonly kind: 'cap' | 'room';
  readonly tokens: number;
}

/**
 * The longest answer that an error allows, if it refuses a request only because the answer may become too long.
 * `undefined` for any other error, also for a conversation that is too long itself.
 */
export function readOutputLimit(error: string, asked: number): OutputLimit | undefined {
  const text = error.replace(/(\d)[,_](?=\d{3})/g, '$1');
  for (const [form, limit, kind] of FORMS) {
    const match = form.exec(text);
    if (match === null) continue;
    const tokens = limit(...match.slice(1).map(Number));
    const isUseful = tokens < asked && tokens >= (kind === 'room' ? MIN_ROOM : 1);
    return isUseful ? { kind, tokens } : undefined;
  }
  return undefined;
}
