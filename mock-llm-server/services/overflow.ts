import type { Conversation, JsonObject, Protocol, ServiceName } from '../conversation/conversation.ts';
import type { WireError } from '../wire/wire.ts';
import { PROTOCOL_OWNERS } from './services.ts';

/** A request that does not fit into the context window of its model. */
export interface LongRequest {
  readonly tokens: number;
  readonly window: number;
  /** The output limit of the request. */
  readonly maxTokens: number;
  readonly conversation: Pick<Conversation, 'protocol' | 'model' | 'tools'>;
}

/** The words and codes with which a service refuses a request that is too long. */
export interface OverflowForm {
  /** An official page, a recording, or a public report of the refusal. */
  readonly source: string;
  /** Date of the source. */
  readonly date: string;
  /** The window of a usual model, for a fault without a declared window. */
  readonly window: number;
  /** A streamed request gets the error within its stream. */
  readonly isInStream?: true;
  /** The service shortens a request that is too long, unless the request forbids it. */
  readonly truncates?: true;
  readonly words: (request: LongRequest) => string;
  readonly error?: (request: LongRequest) => Partial<Pick<WireError, 'code' | 'param' | 'errorType' | 'fields'>>;
}

const RECORDED = '2026-11-28';
const LENGTH_EXCEEDED = { code: 'context_length_exceeded', param: 'messages' };

const anthropic: OverflowForm = {
  source: 'https://github.com/stackblitz-labs/bolt.diy/issues/401',
  date: '2024-11-24',
  window: 200_000,
  words: ({ tokens, window }) => `prompt is too long: ${tokens} tokens > ${window} maximum`,
};

const gemini: OverflowForm = {
  source: 'https://github.com/google-gemini/gemini-cli/issues/4231',
  date: '2025-07-15',
  window: 1_048_576,
  words: ({ tokens, window }) =>
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
};

const openaiChat: OverflowForm = {
  source: 'https://github.com/bytedance/deer-flow/issues/310',
  date: '2025-06-12',
  window: 128_000,
  words: ({ tokens, window }) =>
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. ` +
    'Please reduce the length of the messages.',
  error: () => LENGTH_EXCEEDED,
};

const openaiResponses: OverflowForm = {
  source: 'https://github.com/anomalyco/opencode/issues/6071',
  date: '2025-12-23',
  window: 272_000,
  isInStream: true,
  words: () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  error: () => ({ code: 'context_length_exceeded', param: 'input' }),
};

const inputIsLonger = ({ tokens, window }: LongRequest) =>
  `The input (${tokens} tokens) is longer than the model's context length (${window} tokens).`;

/** vLLM counts only as far as one token beyond the window. */
const vllmWords = ({ window }: LongRequest) =>
  `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${window + 1} input ` +
  'tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. ' +
  `(parameter=input_tokens, value=${window + 1})`;

const vllm: OverflowForm = {
  source: 'recording vllm-0.32.0/030-chat-overflow',
  date: RECORDED,
  window: 8192,
  words: vllmWords,
  error: () => ({ errorType: 'BadRequestError', param: 'input_tokens' }),
};

/** The refusals of a request that is too long, by service. */
export const OVERFLOW_FORMS: Readonly<Record<ServiceName, (protocol: Protocol) => OverflowForm>> = {
  openai: (protocol) => (protocol === 'openai-responses' ? openaiResponses : openaiChat),
  azure: (protocol) =>
    protocol === 'openai-responses'
      ? openaiResponses
      : {
          source: 'https://github.com/cline/cline/issues/5474',
          date: '2025-08-09',
          window: 272_000,
          words: ({ tokens, window }) =>
            `Input tokens exceed the configured limit of ${window} tokens. Your messages resulted in ${tokens} tokens. ` +
            'Please reduce the length of the messages.',
          error: () => LENGTH_EXCEEDED,
        },
  anthropic: () => anthropic,
  gemini: () => gemini,
  vertex: (protocol) => (protocol === 'anthropic-messages' ? anthropic : gemini),
  bedrock: () => ({
    source: 'https://github.com/strands-agents/harness-sdk/pull/1663',
    date: '2026-02-11',
    window: 200_000,
    words: (request) => `The model returned the following errors: ${anthropic.words(request)}`,
  }),
  ollama: () => ({
    source: 'https://github.com/ollama/ollama/issues/7661',
    date: '2025-02-24',
    window: 4096,
    truncates: true,
    words: () => 'the input length exceeds the context length',
  }),
  openrouter: () => ({
    source: 'https://github.com/Aider-AI/aider/issues/3721',
    date: '2025-04-03',
    window: 131_072,
    words: ({ tokens, window, maxTokens }) => {
      const output = maxTokens === 0 ? '' : `, ${maxTokens} in the output`;
      return (
        `This endpoint's maximum context length is ${window} tokens. However, you requested about ` +
        `${tokens + maxTokens} tokens (${tokens} of text input${output}). Please reduce the length of either one, or use ` +
        'the "middle-out" transform to compress your prompt automatically.'
      );
    },
    error: () => ({ fields: { metadata: { provider_name: null } } }),
  }),
  deepseek: () => ({
    source: 'https://github.com/evalstate/fast-agent/issues/621',
    date: '2026-01-19',
    window: 131_072,
    words: ({ tokens, window, maxTokens }) =>
      `This model's maximum context length is ${window} tokens. However, you requested ${tokens + maxTokens} tokens ` +
      `(${tokens} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`,
  }),
  moonshot: () => ({
    source: 'https://github.com/MoonshotAI/kimi-cli/issues/2011',
    date: '2026-04-22',
    window: 262_144,
    words: ({ tokens, window }) =>
      `Invalid request: Your request exceeded model token limit: ${window} (requested: ${tokens})`,
  }),
  zai: () => ({
    source: 'https://github.com/tashfeenahmed/freellmapi/issues/873',
    date: '2026-08-12',
    window: 200_000,
    words: () => 'Prompt exceeds max length',
    error: () => ({ code: '1261' }),
  }),
  dashscope: () => ({
    source: 'https://github.com/agentscope-ai/QwenPaw/issues/6255',
    date: '2026-07-19',
    window: 983_616,
    words: ({ window }) => `<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${window}]`,
  }),
  mistral: () => ({
    source: 'https://docs.mistral.ai/resources/known-limitations',
    date: '2026-01',
    window: 131_072,
    words: ({ tokens, window }) =>
      `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
    error: () => ({ code: '3051', errorType: 'invalid_request_invalid_args' }),
  }),
  groq: () => ({
    source: 'https://github.com/thepersonalaicompany/amurex-backend/issues/51',
    date: '2025-03-04',
    window: 131_072,
    words: () => 'Please reduce the length of the messages or completion.',
    error: () => LENGTH_EXCEEDED,
  }),
  cerebras: () => ({
    source: 'https://github.com/cline/cline/issues/5140',
    date: '2025-07-24',
    window: 131_072,
    words: ({ tokens, window }) =>
      `Please reduce the length of the messages or completion. Current length is ${tokens} while limit is ${window}`,
    error: () => LENGTH_EXCEEDED,
  }),
  xai: () => ({
    source: 'https://github.com/chenyme/grok2api/issues/693',
    date: '2026-07-18',
    window: 500_000,
    words: ({ tokens, window }) =>
      `This model's maximum prompt length is ${window} but the request contains ${tokens} tokens.`,
  }),
  together: () => ({
    source: 'https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts',
    date: '2026-07',
    window: 262_144,
    words: inputIsLonger,
  }),
  fireworks: () => ({
    source: 'https://github.com/fw-ai/cookbook/issues/134',
    date: '2025-08-06',
    window: 131_072,
    words: ({ tokens, window }) => `The prompt is too long: ${tokens}, model maximum context length: ${window}`,
    error: () => ({ errorType: 'invalid_request_error', code: 'invalid_request_error' }),
  }),
  copilot: () => ({
    source: 'https://github.com/ericc-ch/copilot-api/issues/65',
    date: '2025-07-20',
    window: 128_000,
    words: ({ tokens, window }) => `prompt token count of ${tokens} exceeds the limit of ${window}`,
    error: () => ({ code: 'model_max_prompt_tokens_exceeded' }),
  }),
  codex: () => openaiResponses,
  vllm: () => vllm,
  'vllm-without-parser': () => vllm,
  sglang: () => ({
    source: 'https://github.com/QwenLM/Qwen3/issues/1321',
    date: '2025-04-29',
    window: 40_960,
    words: inputIsLonger,
    error: () => ({ errorType: 'BadRequestError' }),
  }),
  llamacpp: () => ({
    source: 'recording llamacpp-11434-scripted/030-chat-overflow',
    date: RECORDED,
    window: 32_768,
    words: ({ tokens, window }) =>
      `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
    error: ({ tokens, window }) => ({
      errorType: 'exceed_context_size_error',
      fields: { n_prompt_tokens: tokens, n_ctx: window },
    }),
  }),
  lmstudio: () => ({
    source: 'https://github.com/Gitlawb/openclaude/issues/353',
    date: '2026-04-04',
    window: 4096,
    words: ({ tokens, window }) =>
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ' +
      `${tokens}>= n_ctx: ${window}). Try to load the model with a larger context length, or provide a shorter input.`,
  }),
  litellm: () => ({
    source: 'recording litellm-1.108.7-vllm-chat/030-chat-overflow',
    date: RECORDED,
    window: 8192,
    words: (request) => {
      const { model } = request.conversation;
      const error = { message: vllmWords(request), type: 'BadRequestError', param: 'input_tokens', code: 400 };
      return (
        'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: Hosted_vllmException - ' +
        `${JSON.stringify({ error })}\nmodel=${model}. context_window_fallbacks=None. fallbacks=None.\n\n` +
        "Set 'context_window_fallback' - https://docs.litellm.ai/docs/routing#fallbacks\n\n" +
        `LiteLLM: model group '${model}' failed with the error above. No fallback was attempted.`
      );
    },
    error: () => ({ errorType: 'invalid_request_error' }),
  }),
};

/** The refusal of a service. A model that no service owns has that of the service that defines the protocol. */
export function overflowForm(service: ServiceName | undefined, protocol: Protocol): OverflowForm {
  return OVERFLOW_FORMS[service ?? PROTOCOL_OWNERS[protocol]](protocol);
}

/** Reports whether a service refuses a request with more tokens than the window, instead of shortening it. */
export function refusesOverflow(form: OverflowForm, json: JsonObject): boolean {
  return form.truncates !== true || json['truncate'] === false;
}

/** The error of a request that is too long. It names one token more than the window if the request has fewer. */
export function overflowError(
  form: OverflowForm,
  request: Omit<LongRequest, 'window'> & { readonly window: number | undefined },
): WireError {
  const { conversation } = request;
  const window = request.window ?? form.window;
  const long: LongRequest = { ...request, window, tokens: Math.max(request.tokens, window + 1) };
  const { code = null, ...parts } = form.error?.(long) ?? {};
  const error = { type: 'error', status: 400, code, message: form.words(long), ...parts } as const;
  if (conversation.protocol.startsWith('openai-')) return error;
  // Anthropic, Gemini and Ollama have neither codes nor names of fields.
  const { param: _param, ...other } = error;
  return { ...other, code: null };
}
