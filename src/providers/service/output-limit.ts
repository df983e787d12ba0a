import { plainWords } from '../http/error-words.ts';

/** Room for an answer, in tokens, below which the conversation itself is too long. */
const MIN_ROOM = 512;

/** The length of an answer in the words of services. */
const ANSWER = /max_?(?:new_?|completion_?|output_?)?tokens?\b|maximum tokens|(?:completion|output) tokens/;

/** The conversation in words of errors, which a shorter answer does not make shorter. */
const CONVERSATION = /context|prompt|messages|\binputs?\b(?! validation)|conversation/;

/** Characters of a token, of which servers have more in most texts. */
const CHARACTERS = 3;

/** The forms of a sum that leaves no room: what it takes from its numbers, and the length that was asked for. */
const SUMS: readonly (readonly [form: RegExp, room: (numbers: readonly number[], asked: number) => number])[] = [
  // Anthropic: input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000
  [/(\d+) \+ \d+ > (\d+)/, ([input = 0, window = 0]) => window - input],
  // vLLM: is too large: 32000. … (32000 > 8192 - 5000)
  [/\d+ > (\d+) - (\d+)/, ([window = 0, input = 0]) => window - input],
  // TGI: `inputs` tokens + `max_new_tokens` must be <= 32768. Given: 30000 `inputs` tokens and …
  [/tokens \+ .*?(?:<=|less than)\D*(\d+).*?given:? (\d+)/, ([window = 0, input = 0]) => window - input],
  // Groq: on tokens per minute (TPM): Limit 8000, Requested 32979
  [
    /limit:? (\d+), requested:? (\d+)/,
    ([limit = 0, total = 0], asked) => (total < asked ? 0 : limit - (total - asked)),
  ],
  // OpenRouter: You requested up to 32000 tokens, but can only afford 1234
  [/can only afford (\d+)/, ([limit = 0]) => limit],
  // OpenAI, DeepSeek, vLLM, OpenRouter: maximum context length is 8192 tokens. However, you requested 9000 tokens (5000
  // in the messages, 4000 in the completion)
  [
    /maximum context length (?:is|of) (\d+) tokens?.*?\(?(\d+) (?:tokens )?(?:in|from|of) (?:the )?(?:your )?(?:text )?(?:messages|input|prompt)(?:, (\d+) of tool input)?.*?\d+ (?:tokens )?(?:in|for|from) the (?:completion|output)/,
    ([window = 0, input = 0, tools = 0]) => window - input - (tools || 0),
  ],
  // vLLM: … and your request has 5000 input tokens; … requested 4096 output tokens and your prompt contains at least
  // 5000 input tokens
  [
    /maximum context length (?:is|of) (\d+) tokens.*?(?:your request has|output tokens and your prompt contains) (?:at least )?(\d+) input tokens/,
    ([window = 0, input = 0]) => window - input,
  ],
  // NVIDIA, proxies of vLLM: You passed 99073 input tokens and requested 32000 output tokens. However, the model's
  // context length is only 131072 tokens
  [
    /(\d+) input tokens and requested \d+ output tokens.*?context length is (?:only )?(\d+)/,
    ([input = 0, window = 0]) => window - input,
  ],
  // vLLM: … requested 131072 output tokens and your prompt contains 14233 characters
  [
    /maximum context length (?:is|of) (\d+) tokens.*?output tokens and your prompt contains (\d+) characters/,
    ([window = 0, length = 0]) => window - Math.ceil(length / CHARACTERS),
  ],
];

/** The words of ours ahead of those of a server, with its address. */
const OWN_WORDS = /^.*?\((?:\d{3}|in the middle of the answer): /;

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
  const text = plainWords(error.replace(OWN_WORDS, ''));
  for (const [form, room] of SUMS) {
    const match = form.exec(text);
    if (match === null) continue;
    const tokens = room(match.slice(1).map(Number), asked);
    return tokens < asked && tokens >= MIN_ROOM ? { kind: 'room', tokens } : undefined;
  }
  return readCap(text, asked);
}

/** A number that is neither a status nor part of a name or a date. */
const NUMBER = /(?<![\w.<-])(?<!\bid:? )(?!0)\d+(?![\w-]|\.\d)/g;

/** The refusal of a field, not of its value. */
const FOREIGN = /extra_forbidden|extra inputs/;

/** The least length that is taken for the upper limit of answers: a smaller number is the lower one. */
const MIN_CAP = 64;

/**
 * The smallest length in an error about the length of answers. Whatever the words, the other number is the length that
 * was asked for, and too great.
 */
function readCap(text: string, asked: number): OutputLimit | undefined {
  const subject = ANSWER.exec(text);
  const isLower = /(?<!not )be (?:greater|larger|higher|more|at least)|minimum/.test(text);
  if (subject === null || isLower || FOREIGN.test(text) || CONVERSATION.test(text.slice(0, subject.index)))
    return undefined;
  const numbers = (text.match(NUMBER) ?? []).map(Number).filter((number) => number >= MIN_CAP);
  const isBelow = /\(exclusive\)|(?:less|lower|smaller) than '?\d/.test(text);
  const tokens = Math.min(...numbers) - (isBelow ? 1 : 0);
  return tokens < asked ? { kind: 'cap', tokens } : undefined;
}
