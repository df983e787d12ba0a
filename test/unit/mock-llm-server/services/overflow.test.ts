import { describe, expect, it } from 'vitest';
import type { Protocol, ServiceName } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { OVERFLOW_FORMS } from '../../../../mock-llm-server/services/overflow.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { REQUESTS } from '../wire/wire-requests.ts';

const PROMPT = `go ${'x'.repeat(400)}`;

interface Sent {
  readonly protocol?: Protocol;
  readonly service?: ServiceName;
  readonly step?: object;
  readonly scenario?: object;
  readonly body?: object;
}

/** Sends a request of 105 tokens. */
async function ask({ protocol = 'openai-chat', service, step = {}, scenario = {}, body = {} }: Sent) {
  const journal = createJournal();
  const steps = [{ response: { content: 'It fits.' }, ...step }];
  const scenarios = scenarioSet({ scenarios: [{ name: 'only', trigger: 'go', steps, ...scenario }] });
  const app = createMockServer({ scenarios, journal, allow: ['codex/form'], ...(service && { as: service }) });
  const [path, asked] = REQUESTS[protocol](PROMPT, false);
  const sent = JSON.stringify({ model: 'm', ...asked, ...body });
  const response = await app.request(path, { method: 'POST', body: sent, headers: VERSION });
  return { status: response.status, text: await response.text(), entry: journal.entries[0] };
}

const VERSION = { 'copilot-integration-id': 'vscode-chat', 'anthropic-version': '2023-06-01' };
const TOKENS = 105;
const WINDOW = 100;
const openaiError = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded', ...more },
});
const CHAT =
  `This model's maximum context length is ${WINDOW} tokens. However, your messages resulted in ${TOKENS} tokens. Please ` +
  'reduce the length of the messages.';
const VLLM =
  `This model's maximum context length is ${WINDOW} tokens. However, your prompt contains at least 101 input tokens, ` +
  'which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. ' +
  '(parameter=input_tokens, value=101)';
const RESPONSES = 'Your input exceeds the context window of this model. Please adjust your input and try again.';
const CLAUDE = `prompt is too long: ${TOKENS} tokens > ${WINDOW} maximum`;
const GEMINI = `The input token count (${TOKENS}) exceeds the maximum number of tokens allowed (${WINDOW}).`;
const LLAMA = {
  error: {
    code: 400,
    message: `request (${TOKENS} tokens) exceeds the available context size (${WINDOW} tokens), try increasing it`,
    type: 'exceed_context_size_error',
    n_prompt_tokens: TOKENS,
    n_ctx: WINDOW,
  },
};
const LONGER = `The input (${TOKENS} tokens) is longer than the model's context length (${WINDOW} tokens).`;

/** The body of each service, with the numbers of this request in the words of its source. */
const ROWS: readonly (readonly [ServiceName, Protocol, object])[] = [
  ['openai', 'openai-chat', openaiError(CHAT)],
  ['openai', 'openai-responses', openaiError(RESPONSES, { param: 'input' })],
  [
    'azure',
    'openai-chat',
    openaiError(
      `Input tokens exceed the configured limit of ${WINDOW} tokens. Your messages resulted in ${TOKENS} tokens. Please ` +
        'reduce the length of the messages.',
    ),
  ],
  ['codex', 'openai-responses', openaiError(RESPONSES, { param: 'input' })],
  ['azure', 'openai-responses', openaiError(RESPONSES, { param: 'input' })],
  ['anthropic', 'anthropic-messages', { type: 'error', error: { type: 'invalid_request_error', message: CLAUDE } }],
  ['gemini', 'gemini', { error: { code: 400, message: GEMINI, status: 'INVALID_ARGUMENT' } }],
  ['gemini', 'gemini-interactions', { error: { message: GEMINI, code: 'invalid_request' } }],
  ['vertex', 'gemini', { error: { code: 400, message: GEMINI, status: 'INVALID_ARGUMENT' } }],
  ['vertex', 'anthropic-messages', { type: 'error', error: { type: 'invalid_request_error', message: CLAUDE } }],
  [
    'bedrock',
    'anthropic-messages',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: `The model returned the following errors: ${CLAUDE}` },
    },
  ],
  ['bedrock', 'bedrock-converse', { message: `The model returned the following errors: ${CLAUDE}` }],
  [
    'openrouter',
    'openai-chat',
    {
      error: {
        message:
          `This endpoint's maximum context length is ${WINDOW} tokens. However, you requested about ${TOKENS} tokens (` +
          `${TOKENS} of text input). Please reduce the length of either one, or use the "middle-out" transform to ` +
          'compress your prompt automatically.',
        code: 400,
        metadata: { provider_name: null },
      },
      user_id: 'user_mock',
    },
  ],
  [
    'deepseek',
    'openai-chat',
    openaiError(
      `This model's maximum context length is ${WINDOW} tokens. However, you requested ${TOKENS} tokens (${TOKENS} in the ` +
        'messages, 0 in the completion). Please reduce the length of the messages or completion.',
      { param: null, code: 'invalid_request_error' },
    ),
  ],
  [
    'moonshot',
    'openai-chat',
    {
      error: {
        message: `Invalid request: Your request exceeded model token limit: ${WINDOW} (requested: ${TOKENS})`,
        type: 'invalid_request_error',
      },
    },
  ],
  ['zai', 'openai-chat', { error: { code: '1261', message: 'Prompt exceeds max length' } }],
  [
    'dashscope',
    'openai-chat',
    {
      error: {
        message: `<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${WINDOW}]`,
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_parameter_error',
      },
    },
  ],
  [
    'mistral',
    'openai-chat',
    {
      object: 'error',
      message: `Prompt contains ${TOKENS} tokens and 0 draft tokens, too large for model with ${WINDOW} maximum context length`,
      type: 'invalid_request_invalid_args',
      param: null,
      code: '3051',
      raw_status_code: 400,
    },
  ],
  ['groq', 'openai-chat', openaiError('Please reduce the length of the messages or completion.')],
  [
    'cerebras',
    'openai-chat',
    openaiError(
      `Please reduce the length of the messages or completion. Current length is ${TOKENS} while limit is ${WINDOW}`,
    ).error,
  ],
  [
    'xai',
    'openai-chat',
    {
      code: 'Client specified an invalid argument',
      error: `This model's maximum prompt length is ${WINDOW} but the request contains ${TOKENS} tokens.`,
    },
  ],
  ['together', 'openai-chat', openaiError(LONGER, { param: null, code: null })],
  [
    'fireworks',
    'openai-chat',
    openaiError(`The prompt is too long: ${TOKENS}, model maximum context length: ${WINDOW}`, {
      param: null,
      code: 'BAD_REQUEST',
    }),
  ],
  [
    'copilot',
    'openai-chat',
    {
      error: {
        message: `prompt token count of ${TOKENS} exceeds the limit of ${WINDOW}`,
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
  ],
  ['vllm', 'openai-chat', { error: { message: VLLM, type: 'BadRequestError', param: 'input_tokens', code: 400 } }],
  [
    'vllm-without-parser',
    'openai-chat',
    { error: { message: VLLM, type: 'BadRequestError', param: 'input_tokens', code: 400 } },
  ],
  ['vllm', 'openai-responses', { error: { message: VLLM, type: 'BadRequestError', param: 'input_tokens', code: 400 } }],
  ['vllm', 'anthropic-messages', { type: 'error', error: { type: 'BadRequestError', message: VLLM } }],
  ['sglang', 'openai-chat', { object: 'error', message: LONGER, type: 'BadRequestError', param: null, code: 400 }],
  ['llamacpp', 'openai-chat', LLAMA],
  ['llamacpp', 'openai-responses', LLAMA],
  ['llamacpp', 'anthropic-messages', LLAMA],
  [
    'lmstudio',
    'openai-chat',
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ' +
        `${TOKENS}>= n_ctx: ${WINDOW}). Try to load the model with a larger context length, or provide a shorter input.`,
    },
  ],
  [
    'litellm',
    'openai-chat',
    {
      error: {
        message:
          'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: Hosted_vllmException - ' +
          `{"error":{"message":"${VLLM}","type":"BadRequestError","param":"input_tokens","code":400}}\nmodel=m. ` +
          "context_window_fallbacks=None. fallbacks=None.\n\nSet 'context_window_fallback' - " +
          "https://docs.litellm.ai/docs/routing#fallbacks\n\nLiteLLM: model group 'm' failed with the error above. No " +
          'fallback was attempted.',
        type: 'invalid_request_error',
        param: null,
        code: '400',
      },
    },
  ],
];

describe('a request above the window', () => {
  it.each(ROWS)('is refused by %s over %s in its words', async (service, protocol, expected) => {
    const { status, text, entry } = await ask({ protocol, service, step: { window: WINDOW } });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject(expected);
    expect(entry).toMatchObject({
      fault: 'fault context_overflow',
      notes: [`the request has ${TOKENS} tokens, more than the window of ${WINDOW}`],
    });
  });

  it('has a row for each service that refuses it', () => {
    const named = new Set<string>(ROWS.map(([service]) => service));
    const services = Object.entries(OVERFLOW_FORMS).filter(([, form]) => form('openai-chat').truncates === undefined);
    expect(services.map(([name]) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it.each<readonly [string, Sent, number]>([
    ['of the scenario', { scenario: { window: WINDOW } }, 400],
    ['of the step before that of the scenario', { scenario: { window: WINDOW }, step: { window: TOKENS } }, 200],
    ['with exactly its tokens', { step: { window: TOKENS } }, 200],
    [
      'below the tokens that the step states',
      { step: { window: 500, response: { content: '', usage: { input_tokens: 501 } } } },
      400,
    ],
    ['before other faults', { step: { window: WINDOW, fault: { status: 503 } } }, 400],
  ])('compares with the window %s', async (_name, sent, status) => {
    expect((await ask(sent)).status).toBe(status);
  });

  it.each<Protocol>(['openai-chat', 'ollama'])(
    'is shortened by Ollama over %s, which counts its window',
    async (protocol) => {
      const { status, text } = await ask({ protocol, service: 'ollama', step: { window: WINDOW } });
      expect([
        status,
        text.includes(protocol === 'ollama' ? '"prompt_eval_count":100' : '"prompt_tokens":100'),
      ]).toEqual([200, true]);
    },
  );

  it('is refused by Ollama if the request forbids to shorten it', async () => {
    const { status, text } = await ask({ protocol: 'ollama', body: { truncate: false }, step: { window: WINDOW } });
    expect([status, text]).toEqual([400, '{"error":"the input length exceeds the context length"}']);
  });
});

describe('the fault context_overflow', () => {
  const step = { fault: { context_overflow: true } };

  it.each<readonly [Sent, string]>([
    [{ protocol: 'anthropic-messages' }, 'prompt is too long: 200001 tokens > 200000 maximum'],
    [{ protocol: 'anthropic-messages', step: { ...step, window: 5000 } }, '5001 tokens > 5000 maximum'],
    [{ protocol: 'gemini' }, 'The input token count (1048577) exceeds'],
    [{ protocol: 'ollama' }, 'the input length exceeds the context length'],
    [{ service: 'openrouter', body: { max_tokens: 9 } }, 'about 131082 tokens (131073 of text input, 9 in the output)'],
  ])('names more tokens than the window has: %j', async (sent, words) => {
    const { status, text } = await ask({ step, ...sent });
    expect(status).toBe(400);
    expect(text).toContain(words);
  });

  it('comes within a stream of the Responses API, right after the opening events', async () => {
    const { status, text } = await ask({ protocol: 'openai-responses', step, body: { stream: true } });
    const types = [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect([status, ...types]).toEqual([200, 'response.created', 'response.in_progress', 'error', 'response.failed']);
    expect(text).toContain(
      `"sequence_number":2,"code":"context_length_exceeded","message":"${RESPONSES}","param":"input"`,
    );
  });

  it('comes at its point of a stream', async () => {
    const { status, text } = await ask({
      step: { fault: { context_overflow: true, at: 'before_finish' } },
      body: { stream: true },
    });
    expect([status, text.includes('It'), text.includes('context_length_exceeded')]).toEqual([200, true, true]);
  });

  it('applies as often as `times` says', async () => {
    const steps = [{ response: { content: 'Again.' }, fault: { context_overflow: true, times: 1 } }];
    const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'a', trigger: 'go', steps }] }) });
    const [path, body] = REQUESTS['openai-chat'](PROMPT, false);
    const send = async () => (await app.request(path, { method: 'POST', body: JSON.stringify(body) })).status;
    expect([await send(), await send()]).toEqual([400, 200]);
  });
});
