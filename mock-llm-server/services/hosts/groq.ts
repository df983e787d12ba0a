import { GROQ_FORM } from '../answer-forms.ts';
import { isSet, limitList, limitTools, mentions, refuseIf } from '../checks/fields.ts';
import { GROQ_PARAMETERS, refuseParameters, refuseUnknownParameters } from '../checks/foreign-fields.ts';
import { refuseChangedParameters } from '../checks/parameters.ts';
import { refuseToolName } from '../checks/tools.ts';
import { GROQ_VALUES } from '../forms/hosts.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf, objectOf, textOf } from '../raw.ts';
import type { Service, Violation } from '../service.ts';
import { refuseUnfitCalls } from './groq-calls.ts';
import { GROQ_MESSAGES_RULES } from './groq-messages.ts';

const CHAT = ['openai-chat'] as const;

/** The most tokens of an answer by model: https://console.groq.com/docs/models */
const OUTPUT_LIMITS: readonly (readonly [models: RegExp, max: number])[] = [
  [/llama-3\.3-70b/, 32_768],
  [/gpt-oss/, 65_536],
  [/llama-3\.1-8b/, 131_072],
  [/llama-4|gemma2/, 8192],
];
const groqParameter = (name: string) => ({
  message: `property '${name}' is unsupported${name === 'store' ? ", did you mean 'stop'?" : ''}`,
});

const unsupportedByModel = (name: string): Violation => ({
  message: `\`${name}\` is not supported with this model`,
  param: name,
});

/** Groq. */
export const groq: Service = {
  name: 'groq',
  title: 'Groq',
  answers: GROQ_FORM,
  rules: [
    ...GROQ_MESSAGES_RULES,
    ...formRules('groq', GROQ_VALUES, {
      shape: {
        refuses:
          'a value of another type than the API reads: `temperature: "0.5"`, a tool without `function`, an unknown `service_tier` …',
        accepts: '`temperature: 0.5`',
        source: 'https://github.com/ai-shifu/ChatALL/issues/901',
        date: '2024-08-05',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 2, a `top_p` outside of 0 to 1, penalties beyond 2, another `n` than 1',
        accepts: '`temperature: 2`',
        source: 'https://console.groq.com/docs/api-reference#chat-create',
        date: '2026-11-30',
      },
    }),
    {
      id: 'groq/log-probabilities',
      protocols: CHAT,
      refuses: '`logprobs`, `top_logprobs` and `logit_bias`, which no model has',
      accepts: '`logprobs: false`',
      source: 'https://console.groq.com/docs/openai#currently-unsupported-openai-features',
      date: '2026-11-30',
      check: refuseChangedParameters({ logprobs: false, top_logprobs: 0, logit_bias: {} }, unsupportedByModel),
    },
    {
      id: 'groq/gpt-oss-effort',
      protocols: CHAT,
      models: /^gpt-oss/,
      refuses: 'a `reasoning_effort` other than `low`, `medium` and `high`, with gpt-oss',
      accepts: '`low`',
      source: 'https://console.groq.com/docs/reasoning',
      date: '2026-11-30',
      check: refuseIf(
        ({ reasoning_effort: effort }) => isSet(effort) && !/^(?:low|medium|high)$/.test(textOf(effort)),
        {
          message: '`reasoning_effort` must be one of `low`, `medium`, or `high`',
        },
      ),
    },
    {
      id: 'groq/reasoning-format',
      protocols: CHAT,
      models: /^(?:llama|gemma|allam|kimi|mistral|moonshot|compound)/,
      refuses: '`reasoning_format` with models that do not reason: Llama, Kimi K2 …',
      accepts: 'the same with qwen3',
      source: 'https://console.groq.com/docs/reasoning',
      date: '2026-11-30',
      check: refuseParameters(['reasoning_format'], unsupportedByModel),
    },
    {
      id: 'groq/both-reasonings',
      protocols: CHAT,
      refuses: '`reasoning_format` with `include_reasoning`',
      accepts: 'one of them',
      source: 'https://console.groq.com/docs/reasoning',
      date: '2026-11-30',
      check: refuseIf(({ reasoning_format: format, include_reasoning: included }) => isSet(format) && isSet(included), {
        message:
          'cannot specify both `reasoning_format` and `include_reasoning`, these parameters are mutually exclusive',
      }),
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
      id: 'groq/stop',
      protocols: CHAT,
      refuses: 'more than four stop sequences',
      accepts: 'four',
      source: 'https://github.com/letta-ai/letta/pull/1288',
      date: '2024-04-22',
      check: limitList('stop', 4, () => ({
        message:
          'stop : one of the following must be satisfied\n  stop : value must be a string\n  stop : maximum number of items is 4',
      })),
    },
    {
      id: 'groq/tool-name',
      protocols: CHAT,
      refuses: 'a function whose name has other characters than letters, digits, `_` and `-`, or more than 64',
      accepts: '`read_file`',
      source: 'https://github.com/langgenius/dify/issues/22867',
      date: '2025-07-23',
      check: refuseToolName(/^[a-zA-Z0-9_-]{1,64}$/, ({ path }) => ({
        message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      })),
    },
    {
      id: 'groq/unsupported-in-responses',
      protocols: ['openai-responses'],
      refuses:
        '`previous_response_id`, `truncation`, `include`, `safety_identifier` and `prompt_cache_key` in Responses',
      accepts: 'the whole history as `input`',
      source: 'https://console.groq.com/docs/responses-api',
      date: '2026-11-30',
      check: refuseParameters(
        ['previous_response_id', 'truncation', 'include', 'safety_identifier', 'prompt_cache_key'],
        (name) => ({ message: `property '${name}' is unsupported` }),
      ),
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
        groqParameter,
      ),
    },
    {
      id: 'groq/unknown-argument',
      protocols: CHAT,
      refuses: 'a parameter that the API does not have, if the service is named',
      accepts: 'the parameters of the API',
      source: 'https://console.groq.com/docs/api-reference#chat-create',
      date: '2026-11-28',
      check: refuseUnknownParameters(GROQ_PARAMETERS, groqParameter),
    },
    {
      id: 'groq/json-word',
      protocols: CHAT,
      refuses: 'the format `json_object` if no message contains the word JSON',
      accepts: 'a message that says JSON',
      source: 'https://github.com/agno-agi/agno/issues/2044',
      date: '2025-02-07',
      check: refuseIf(
        ({ response_format: format, messages }) =>
          objectOf(format)['type'] === 'json_object' && !mentions(messages, 'json'),
        {
          message:
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        },
      ),
    },
    {
      id: 'groq/effort',
      protocols: CHAT,
      models: /^qwen/,
      refuses: 'a `reasoning_effort` other than `none` and `default`, with Qwen',
      accepts: '`default`; `high` with gpt-oss',
      source: 'https://github.com/earendil-works/pi/issues/1745',
      date: '2026-03-03',
      check: refuseIf(({ reasoning_effort: effort }) => isSet(effort) && effort !== 'none' && effort !== 'default', {
        message: '`reasoning_effort` must be one of `none` or `default`',
      }),
    },
    {
      id: 'groq/no-effort',
      protocols: CHAT,
      models: /^(?:llama|gemma|allam|kimi|mistral|moonshot)/,
      refuses: 'a `reasoning_effort` with a model that does not reason: Llama, Kimi K2 …',
      accepts: 'the same with gpt-oss',
      source: 'https://github.com/iamsrikanthnani/pluely/issues/242',
      date: '2026-04-16',
      check: refuseIf(({ reasoning_effort: effort }) => isSet(effort), {
        message: '`reasoning_effort` is not supported with this model',
      }),
    },
    {
      id: 'groq/metadata',
      protocols: CHAT,
      models: /^gpt-oss/,
      refuses: '`metadata` with gpt-oss',
      accepts: 'a request without it',
      source: 'https://github.com/skye-harris/hass_local_openai_llm/issues/59',
      date: '2026-04-18',
      check: refuseParameters(['metadata'], unsupportedByModel),
    },
    {
      id: 'groq/json-schema',
      protocols: CHAT,
      models: /^(?:llama-3|llama3|gemma|deepseek-r1|allam|qwen|mistral)/,
      refuses: 'the format `json_schema` with models that do not have it: llama-3.3, gemma2, qwen3 …',
      accepts: 'the same with gpt-oss',
      source: 'https://github.com/ItzCrazyKns/Vane/issues/980',
      date: '2026-01-12',
      check: refuseIf(({ response_format: format }) => objectOf(format)['type'] === 'json_schema', {
        message:
          'This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models',
        param: 'response_format',
      }),
    },
    {
      id: 'groq/output-limit',
      protocols: CHAT,
      refuses: 'a limit above that of the model: 32,768 with llama-3.3, 65,536 with gpt-oss',
      accepts: 'its limit',
      source: 'https://console.groq.com/docs/models',
      date: '2026-11-28',
      check: ({ body, model }) => {
        const [, max = Number.POSITIVE_INFINITY] = OUTPUT_LIMITS.find(([models]) => models.test(model)) ?? [];
        const { max_tokens: older, max_completion_tokens: wanted = older } = body;
        if (typeof wanted !== 'number' || wanted <= max) return undefined;
        return {
          message: `\`max_tokens\` must be less than or equal to \`${max}\`, the maximum value for \`max_tokens\` is less than the \`context_window\` for this model`,
        };
      },
    },
    {
      id: 'groq/tool-use',
      protocols: CHAT,
      refuses: 'a call of its own model that the tools of the request do not allow',
      accepts: 'a call of an offered tool with its arguments',
      source: 'https://github.com/HolmesGPT/holmesgpt/issues/2217',
      date: '2026-06-22',
      check: refuseUnfitCalls,
    },
    {
      id: 'groq/choice-word',
      protocols: CHAT,
      refuses: 'another word than `none`, `auto` and `required` as `tool_choice`',
      accepts: '`required`',
      source: 'https://github.com/brianpetro/obsidian-smart-connections/issues/942',
      date: '2024-12-28',
      check: refuseIf(
        ({ tool_choice: choice }) => typeof choice === 'string' && !['none', 'auto', 'required'].includes(choice),
        { message: "Only allowed string values for 'tool_choice' are none, auto, and required" },
      ),
    },
  ],
  encodeError: ({ message, errorType = 'invalid_request_error', param, code, fields }) => ({
    error: {
      message,
      type: errorType,
      ...(param !== undefined && { param }),
      ...(code !== null && { code }),
      ...fields,
    },
  }),
};
