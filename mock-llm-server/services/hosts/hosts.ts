import { GROQ_FORM } from '../answer-forms.ts';
import { refuseAnswerField, refuseFieldOfMessage, refuseMessage } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { refuseParameters } from '../checks/foreign-fields.ts';
import { functionsOf } from '../checks/tools.ts';
import { listOf, objectOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';

const CHAT = ['openai-chat'] as const;

/** Groq. */
export const groq: Service = {
  name: 'groq',
  title: 'Groq',
  answers: GROQ_FORM,
  rules: [
    {
      id: 'groq/reasoning-field',
      protocols: CHAT,
      refuses: '`reasoning_content` or `reasoning_details` in an answer',
      accepts: '`reasoning`, with models that reason',
      source: 'https://github.com/NousResearch/hermes-agent/issues/11089',
      date: '2026-04-16',
      check: refuseAnswerField(['reasoning_content', 'reasoning_details'], (index, field) => ({
        message: `'messages.${index}' : for 'role:assistant' the following must be satisfied[('messages.${index}' : property '${field}' is unsupported)]`,
      })),
    },
    {
      id: 'groq/reasoning-of-others',
      protocols: CHAT,
      models: /^(?:llama|kimi|gemma|mistral|allam)/,
      refuses: '`reasoning` in an answer, with a model that does not reason',
      accepts: '`reasoning` with gpt-oss',
      source: 'https://github.com/vercel/ai/pull/8057',
      date: '2025-08-14',
      check: refuseAnswerField(['reasoning'], (index) => ({
        message: `messages[${index}].reasoning: reasoning is not supported with this model`,
      })),
    },
    {
      id: 'groq/too-many-tools',
      protocols: CHAT,
      refuses: 'more than 128 tools',
      accepts: '128 tools',
      source: 'https://github.com/HunorLaczko/ha-groq-cloud-api/issues/25',
      date: '2026-04-16',
      check: limitTools(128, () => ({ message: "'tools' : maximum number of items is 128" })),
    },
    {
      id: 'groq/json-with-tools',
      protocols: CHAT,
      refuses: 'the format `json_object` or `json_schema` with tools',
      accepts: 'one of them',
      source: 'https://github.com/vercel/ai/issues/10023',
      date: '2025-11-05',
      check: refuseIf(
        ({ response_format: format, tools }) =>
          /^json_/.test(textOf(objectOf(format)['type'])) && listOf(tools).length > 0,
        { message: 'json mode cannot be combined with tool/function calling' },
      ),
    },
    {
      id: 'groq/unknown-parameter',
      protocols: CHAT,
      refuses: 'parameters of other services: `store`, `prompt_cache_key`, `chat_template_kwargs`, `thinking` …',
      accepts: '`reasoning_effort`',
      source: 'https://github.com/immersive-translate/immersive-translate/issues/3016',
      date: '2025-06-23',
      check: refuseParameters(
        [
          'store',
          'prompt_cache_key',
          'safety_identifier',
          'verbosity',
          'enable_thinking',
          'chat_template_kwargs',
        ].concat(['thinking', 'top_k', 'min_p', 'repetition_penalty', 'extra_body', 'provider']),
        (name) => ({
          message: `property '${name}' is unsupported${name === 'store' ? ", did you mean 'stop'?" : ''}`,
        }),
      ),
    },
    {
      id: 'groq/message-fields',
      protocols: CHAT,
      refuses:
        'fields of a message that are not its own: `id`, `timestamp`, `metadata`, `annotations`, `cache_control` …',
      accepts: '`role`, `content`, `name`, `tool_calls`, `tool_call_id`',
      source: 'https://github.com/chatboxai/chatbox/issues/2083',
      date: '2025-02-28',
      check: refuseFieldOfMessage(
        [
          'id',
          'timestamp',
          'metadata',
          'annotations',
          'audio',
          'cache_control',
          'provider_specific_fields',
          'thinking',
        ],
        (index, field, { role }) => ({
          message: `'messages.${index}' : for 'role:${textOf(role)}' the following must be satisfied[('messages.${index}' : property '${field}' is unsupported)]`,
        }),
      ),
    },
  ],
  encodeError: ({ message, errorType = 'invalid_request_error', param, code }) => ({
    error: { message, type: errorType, ...(param !== undefined && { param }), ...(code !== null && { code }) },
  }),
};

/** Cerebras. */
export const cerebras: Service = {
  name: 'cerebras',
  title: 'Cerebras',
  rules: [
    {
      id: 'cerebras/reasoning-field',
      protocols: CHAT,
      refuses: '`reasoning_content` or `reasoning_details` in an answer',
      accepts: '`reasoning`',
      source: 'https://github.com/QwenLM/qwen-code/issues/11045',
      date: '2026-07',
      check: refuseAnswerField(['reasoning_content', 'reasoning_details'], (index, field) => ({
        message: `messages.${index}.assistant.${field}: property 'messages.${index}.assistant.${field}' is unsupported`,
        code: 'wrong_api_format',
        param: 'validation_error',
      })),
    },
    {
      id: 'cerebras/parallel-calls',
      protocols: CHAT,
      models: /^gpt-oss/,
      refuses: '`parallel_tool_calls: false` with gpt-oss',
      accepts: 'none',
      source: 'https://github.com/agno-agi/agno/issues/4508',
      date: '2025-09-10',
      check: refuseIf(({ parallel_tool_calls: value }) => value === false, {
        message: 'parallel_tool_calls=False is not supported by this model.',
        param: 'parallel_tool_calls',
        code: 'wrong_api_format',
      }),
    },
    {
      id: 'cerebras/mixed-strict',
      protocols: CHAT,
      refuses: 'functions of which some are strict and some are not',
      accepts: 'functions that all are strict, or none',
      source: 'https://github.com/RooCodeInc/Roo-Code/issues/10334',
      date: '2025-12-24',
      check: (request) =>
        new Set(functionsOf(request).map(({ strict }) => strict)).size > 1
          ? {
              status: 422,
              message:
                "Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'",
            }
          : undefined,
    },
    {
      id: 'cerebras/unknown-parameter',
      protocols: CHAT,
      refuses: 'parameters of other services: `enable_thinking`, `thinking`, `top_k` …',
      accepts: '`reasoning_effort`',
      source: 'https://github.com/OpenMinis/OpenMinis/issues/361',
      date: '2026-09-15',
      check: refuseParameters(
        [
          'enable_thinking',
          'chat_template_kwargs',
          'thinking',
          'thinking_budget',
          'top_k',
          'min_p',
          'extra_body',
          'provider',
        ],
        (name) => ({
          message: `${name}: property '${name}' is unsupported`,
          code: 'wrong_api_format',
          param: 'validation_error',
        }),
      ),
    },
  ],
  encodeError: ({ message, errorType = 'invalid_request_error', param = null, code }) => ({
    message,
    type: errorType,
    param,
    code,
  }),
};

/** Together. */
export const together: Service = {
  name: 'together',
  title: 'Together',
  rules: [],
  encodeError: ({ message, errorType = 'invalid_request_error', param = null, code }, requestId) => ({
    id: requestId,
    error: { message, type: errorType, param, code },
  }),
};

const MAX_UNSTREAMED = 4096;
const FOREIGN_AT_FIREWORKS = ['vl_high_resolution_images', 'enable_thinking', 'extra_body', 'provider', 'transforms'];

/** A value as Python writes it. */
function pythonOf(value: unknown): string {
  return JSON.stringify(value)
    .replace(/^true$/, 'True')
    .replace(/^false$/, 'False')
    .replace(/^"(.*)"$/, "'$1'");
}

/** Fireworks. */
export const fireworks: Service = {
  name: 'fireworks',
  title: 'Fireworks',
  rules: [
    {
      id: 'fireworks/error-mark',
      protocols: CHAT,
      refuses: '`is_error` in a message',
      accepts: 'the message without it',
      source: 'https://github.com/mozilla-ai/any-llm/issues/1401',
      date: '2026-09-15',
      check: refuseMessage(
        ({ is_error: mark }) => isSet(mark),
        (index) => ({ message: `Extra inputs are not permitted, field: 'messages[${index}].is_error'` }),
      ),
    },
    {
      id: 'fireworks/unstreamed-limit',
      protocols: CHAT,
      refuses: '`max_tokens` above 4096 in a request that is not streamed',
      accepts: 'the same with `stream: true`',
      source: 'https://github.com/nullclaw/nullclaw/pull/231',
      date: '2026-03-02',
      check: refuseIf(
        ({ max_tokens: max, stream }) => typeof max === 'number' && max > MAX_UNSTREAMED && stream !== true,
        { message: 'Requests with max_tokens > 4096 must have stream=true', param: 'max_tokens' },
      ),
    },
    {
      id: 'fireworks/unknown-parameter',
      protocols: CHAT,
      refuses: 'parameters of other services: `vl_high_resolution_images`, `enable_thinking`, `provider` …',
      accepts: '`top_k`, `reasoning_effort`',
      source: 'https://github.com/web-infra-dev/midscene/issues/1322',
      date: '2025-10-15',
      check: (request) => {
        const found = FOREIGN_AT_FIREWORKS.find((name) => isSet(request.body[name]));
        if (found === undefined) return undefined;
        return {
          message: `Extra inputs are not permitted, field: '${found}', value: ${pythonOf(request.body[found])}`,
        };
      },
    },
  ],
  encodeError: ({ message, errorType = 'error', param = null }) => ({
    error: { message, param, code: 'BAD_REQUEST', type: errorType },
  }),
};
