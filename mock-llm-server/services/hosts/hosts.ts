import { GROQ_FORM } from '../answer-forms.ts';
import { refuseAnswerField, refuseMessage } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
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
  ],
  encodeError: ({ message, errorType = 'error', param = null }) => ({
    error: { message, param, code: 'BAD_REQUEST', type: errorType },
  }),
};
