import { textReply } from '../frames.ts';
import { AGAIN, type Expected, failing } from '../piece-row.ts';
import { jsonReply, pieceReply, type RawReply } from '../raw-server.ts';
import type { ReplyRow } from '../run-reply.ts';

const error = (status: number, message: string, fields: object = {}): RawReply =>
  jsonReply({ error: { message, type: 'invalid_request_error', ...fields } }, { status });
const json = (status: number, value: unknown, headers = {}): RawReply => jsonReply(value, { status, headers });

/** A conversation that is too long in the words of a service. */
const OVERFLOWS: readonly (readonly [source: string, reply: RawReply])[] = [
  [
    'leookun/cursor-byok#129',
    json(400, {
      code: 20015,
      message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.',
      data: null,
    }),
  ],
  ['zylon-ai/private-gpt#839', error(400, 'The prompt size exceeds the context window size and cannot be processed.')],
  [
    'code-yeongyu/senpi#1422',
    error(400, 'Your input exceeds the context window of this model.', { code: 'context_too_large' }),
  ],
  ['code-yeongyu/senpi#1422, the code alone', error(400, 'Request rejected.', { code: 'context_too_large' })],
  ['MoonshotAI/kimi-code#476', error(400, 'total message size 10176584 exceeds limit 2097152')],
  ['run-llama/llama_index#15180', error(400, 'Input length 616 exceeds maximum allowed token size 512')],
  [
    'ggml-org/llama.cpp#14566',
    pieceReply([
      'data: {"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}\n\n',
    ]),
  ],
  [
    'earendil-works/pi#792',
    pieceReply([
      'data: {"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model.","param":"input"},"sequence_number":2}\n\n',
    ]),
  ],
];

/** Errors other than a conversation that is too long, and their outcome. */
const ERRORS: readonly (readonly [name: string, source: string, reply: RawReply, expected: Expected])[] = [
  [
    'an account without money',
    'experientiallabs/experiential#958',
    error(429, 'Insufficient balance or no resource package. Please recharge.', { code: '1113' }),
    failing('quota of the account is used up'),
  ],
  [
    'a plan that is used up',
    'diegosouzapw/OmniRoute#1772',
    error(429, 'Subscription quota exceeded. You can continue using free models.'),
    failing('quota of the account is used up'),
  ],
  [
    'tokens that are used up',
    '14790897/MiqroForge-Desktop#1190',
    json(429, {
      error: {
        message: 'Token quota exhausted, please contact the administrator',
        code: 'consumer_token_quota_exceeded',
        type: 'quota_exceeded',
      },
    }),
    failing('quota of the account is used up'),
  ],
  [
    'a limit of a moment, called a quota',
    'LibreChat-AI/agents#357',
    json(429, {
      status: 429,
      error: 'INSUFFICIENT QUOTA',
      message: 'You exceeded your current limit of concurrent requests.',
    }),
    { ...AGAIN, shows: ['limiting requests', 'concurrent requests', 'They say seven.'] },
  ],
  [
    'a limit per minute that names the plan',
    'coder/coder#26200',
    json(429, {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'You exceeded your current quota, please check your plan and billing details.',
        details: [{ retryDelay: '0.005s' }],
      },
    }),
    { ...AGAIN, shows: ['limiting requests', 'They say seven.'] },
  ],
  [
    'a limit without a body',
    'agentgateway/agentgateway#3329',
    pieceReply([], {
      status: 429,
      type: '',
      headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '56', 'x-ratelimit-reset': '12' },
    }),
    AGAIN,
  ],
  [
    'a negative wait',
    'NousResearch/hermes-agent#84738',
    json(429, { error: 'Slow down' }, { 'retry-after': '-5' }),
    AGAIN,
  ],
  [
    'a wait with a sign',
    'mastra-ai/mastra#23778',
    json(429, { error: 'Slow down' }, { 'retry-after': '+3600' }),
    AGAIN,
  ],
  [
    'a wait in words',
    'PostHog/posthog#82310',
    error(429, 'Rate limit exceeded: User burst rate limit exceeded. Try again in about 3 hours.'),
    failing('It asks to wait 180 min'),
  ],
  [
    'a wait in minutes with a tilde',
    'earendil-works/pi#792',
    error(429, 'You have hit your ChatGPT usage limit (plus plan). Try again in ~179 min.'),
    failing('It asks to wait 179 min'),
  ],
  [
    'an error in the words of the service within another',
    'nashsu/llm_wiki#670',
    json(400, {
      error: {
        cause:
          '{\n "error": {\n "message": "Unsupported value: x does not support 0.1 with this model.", "type": "invalid_request_error" }\n}',
        code: 400,
        message: '模型服务调用失败',
        status: 'FAILED_RESPONSE',
      },
      requestId: 'x',
      result: null,
    }),
    failing('Unsupported value: x does not support 0.1'),
  ],
  [
    'an error within frames within an error',
    'chenhg5/cc-connect#897',
    json(400, {
      error: {
        type: 'upstream_error',
        message:
          'data:{"error":{"type":"invalid_request_error","message":"messages.1.content.0: Bad thing (Service: BedrockRuntime, Status Code: 400)"}}',
      },
    }),
    failing('400: messages.1.content.0: Bad thing'),
  ],
  [
    'an error of OpenRouter whose words are JSON',
    'linanwx/nagobot#21',
    json(400, {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"message":"messages.7.content.2: Bad thing"}', provider_name: 'Amazon Bedrock' },
      },
    }),
    failing('400: messages.7.content.2: Bad thing'),
  ],
  [
    'an error of a service beside its address',
    'CommandCodeAI/command-code#785',
    json(500, {
      success: false,
      error: {
        code: 'INTERNAL_SERVER_ERROR',
        status: 500,
        message: 'An unexpected error occurred. Please try again later.',
        docs: 'https://x.test',
      },
    }),
    AGAIN,
  ],
  [
    'a refused call with the status 400',
    'can1357/oh-my-pi#2058',
    error(400, 'Upstream request failed', { type: 'upstream_error' }),
    AGAIN,
  ],
  [
    'a broken connection behind an Envoy',
    'dcdpr/jp#843',
    pieceReply(['upstream connect error or disconnect/reset before headers. reset reason: connection failure'], {
      status: 503,
      type: 'text/plain',
    }),
    AGAIN,
  ],
  ['no healthy server, with the status 200', 'dcdpr/jp#843', json(200, { error: 'no healthy upstream' }), AGAIN],
  [
    'a service that is unavailable, with the status 400',
    'getkimchi/kimchi#976',
    error(400, 'The service is temporarily unavailable.'),
    AGAIN,
  ],
  [
    'a channel that is missing',
    'QuantumNous/new-api',
    error(503, '当前分组 default 下对于模型 some-model 无可用渠道 (request id: 1)', { type: 'new_api_error' }),
    AGAIN,
  ],
  [
    'a model that is overloaded, with the status 400',
    'decocms/studio#6827',
    error(400, 'Provider returned error', { code: 502 }),
    AGAIN,
  ],
  [
    'a model that is unknown to a gateway',
    'maximhq/bifrost',
    error(400, 'could not find model some-model in provider list'),
    failing('has no model'),
  ],
  [
    'a filter of content in Chinese',
    'Zhipu',
    error(400, '系统检测到输入或生成内容可能包含不安全或敏感内容', { code: '1301' }),
    failing('refused the request'),
  ],
  [
    'a model of OpenAI without tools',
    'sbintuitions/flexeval#242',
    error(
      400,
      'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
    ),
    failing('llm.tool_protocol xnl'),
  ],
  [
    'a model of Novita without tools',
    'hotovo/aider-desk#86',
    json(400, {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"code":400, "reason":"INVALID_REQUEST_BODY", "message":"model features function calling not support", "metadata":{}}',
          provider_name: 'Novita',
        },
      },
    }),
    failing('llm.tool_protocol xnl'),
  ],
  [
    'a model of xAI without tools',
    'google/adk-python#952',
    json(400, {
      code: 'Client specified an invalid argument',
      error:
        'Invalid request content: The model does not support tool use or function calling but tools or tool_choice have been specified on the request.',
    }),
    failing('llm.tool_protocol xnl'),
  ],
];

/** Errors in the words of services, from public reports. */
export const ERROR_REPORTS: readonly ReplyRow[] = [
  ...OVERFLOWS.map(([source, reply]): ReplyRow => {
    return {
      name: `too long: ${source}`,
      source,
      wire: source.includes('pi#792') ? 'openai-responses' : 'openai-chat',
      replies: [reply],
      code: 1,
      requests: 2,
      shows: ['is too long for some-model'],
    };
  }),
  ...ERRORS.map(([name, source, reply, expected]): ReplyRow => {
    return {
      name,
      source,
      wire: 'openai-chat',
      replies: [reply, textReply('openai-chat', 'They say seven.')],
      ...expected,
    };
  }),
];
