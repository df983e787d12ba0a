import { GROQ_FORM } from '../answer-forms.ts';
import { firstOf, isSet, refuseIf, refuseWithoutWord } from '../checks/fields.ts';
import { GROQ_PARAMETERS, refuseParameters, refuseUnknownParameters } from '../checks/foreign-fields.ts';
import { limitAnswer, refuseOtherEfforts } from '../checks/model-limits.ts';
import { refuseChangedParameters } from '../checks/parameters.ts';
import { refuseToolName, refuseUnknownChoice, wrongChoiceWord } from '../checks/tools.ts';
import { GROQ_VALUES } from '../forms/hosts.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf, objectOf, textOf } from '../raw.ts';
import type { Service, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { refuseUnfitCalls } from './groq-calls.ts';
import { GROQ_MESSAGES_RULES } from './groq-messages.ts';

/** The values of `reasoning_effort` by model: https://console.groq.com/docs/reasoning */
const EFFORTS: readonly (readonly [models: RegExp, efforts: readonly string[]])[] = [
  [/^gpt-oss/, ['low', 'medium', 'high']],
  [/^qwen/, ['none', 'default']],
  [/^(?:llama|gemma|allam|kimi|mistral|moonshot)/, []],
];
/** Models that are no longer served, except those that recordings of test suites ask for. */
const RETIRED =
  /^(?:gemma2-9b-it|qwen-qwq-32b|llama3-groq-|llama-3\.2-\d+b-(?:vision-|text-)?preview|llama-3\.3-70b-specdec|llama-3\.1-70b|mistral-saba)/;
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
          'a value of another type than the API reads: `temperature: "0.5"`, a tool without `function`, an unknown `service_tier`; if the service is named, an unknown field of a message, a part, a call or a function',
        accepts: '`temperature: 0.5`',
        source: 'https://github.com/ai-shifu/ChatALL/issues/901',
        date: '2024-08-05',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 2, a `top_p` outside of 0 to 1, penalties beyond 2, an `n` other than 1, more than 128 tools',
        accepts: '`temperature: 2`',
        source: 'https://console.groq.com/docs/api-reference#chat-create',
        date: '2026-11-30',
      },
    }),
    ...rulesOf('groq', {
      'log-probabilities': {
        refuses: '`logprobs`, `top_logprobs` and `logit_bias`, which no model has',
        accepts: '`logprobs: false`',
        source: 'https://console.groq.com/docs/openai#currently-unsupported-openai-features',
        date: '2026-11-30',
        check: refuseChangedParameters({ logprobs: false, top_logprobs: 0, logit_bias: {} }, unsupportedByModel),
      },
      'both-reasonings': {
        refuses: '`reasoning_format` with `include_reasoning`',
        accepts: 'one of them',
        source: 'https://console.groq.com/docs/reasoning',
        date: '2026-11-30',
        check: refuseIf(
          ({ reasoning_format: format, include_reasoning: included }) => isSet(format) && isSet(included),
          {
            message:
              'cannot specify both `reasoning_format` and `include_reasoning`, these parameters are mutually exclusive',
          },
        ),
      },
      'tool-name': {
        refuses: 'a function whose name has other characters than letters, digits, `_` and `-`, or more than 64',
        accepts: '`read_file`',
        source: 'https://github.com/langgenius/dify/issues/22867',
        date: '2025-07-23',
        check: refuseToolName(/^[a-zA-Z0-9_-]{1,64}$/, ({ path }) => ({
          message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        })),
      },
      'unsupported-in-responses': {
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
      'json-with-tools': {
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
      'unknown-parameter': {
        refuses:
          'parameters of other services: `store`, `prompt_cache_key`, `thinking` …; if the service is named, each that the API does not have',
        accepts: '`reasoning_effort`',
        source: 'https://github.com/immersive-translate/immersive-translate/issues/3016',
        date: '2025-06-23',
        check: firstOf([
          refuseParameters(
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
          refuseUnknownParameters(GROQ_PARAMETERS, groqParameter),
        ]),
      },
      'json-word': {
        refuses: 'the format `json_object` if no message contains the word JSON',
        accepts: 'a message that says JSON',
        source: 'https://github.com/agno-agi/agno/issues/2044',
        date: '2025-02-07',
        check: refuseWithoutWord({
          message:
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        }),
      },
      effort: {
        refuses:
          'a `reasoning_effort` that the model does not have: all with Llama and Kimi K2, `none` with gpt-oss, `high` with Qwen',
        accepts: '`low` with gpt-oss, `default` with Qwen',
        source: 'https://console.groq.com/docs/reasoning',
        date: '2026-11-30',
        check: refuseOtherEfforts(EFFORTS, ([first, ...more]) => {
          if (first === undefined) return { message: '`reasoning_effort` is not supported with this model' };
          const others = more.length > 1 ? `, \`${more[0]}\`, or \`${more[1]}\`` : ` or \`${more[0]}\``;
          return { message: `\`reasoning_effort\` must be one of \`${first}\`${others}` };
        }),
      },
      'retired-model': {
        models: RETIRED,
        refuses: 'a model that is no longer served: gemma2-9b-it, qwen-qwq-32b, the previews of Llama 3.2 …',
        accepts: 'gpt-oss-120b',
        source: 'https://console.groq.com/docs/deprecations',
        date: '2026-04-15',
        check: ({ model }) => ({
          message: `The model \`${model}\` has been decommissioned and is no longer supported. Please refer to https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.`,
          code: 'model_decommissioned',
        }),
      },
      metadata: {
        models: /^gpt-oss/,
        refuses: '`metadata` with gpt-oss',
        accepts: 'a request without it',
        source: 'https://github.com/skye-harris/hass_local_openai_llm/issues/59',
        date: '2026-04-18',
        check: refuseParameters(['metadata'], unsupportedByModel),
      },
      'output-limit': {
        refuses:
          'a limit above that of the model: 32,768 with llama-3.3, 65,536 with gpt-oss, 16,384 with Kimi K2, 40,960 with qwen3-32b',
        accepts: 'its limit',
        source: 'https://console.groq.com/docs/models',
        date: '2026-11-28',
        check: limitAnswer(
          'groq',
          ({ max }) => ({
            message: `\`max_tokens\` must be less than or equal to \`${max}\`, the maximum value for \`max_tokens\` is less than the \`context_window\` for this model`,
          }),
          { fields: ['max_completion_tokens', 'max_tokens'] },
        ),
      },
      'tool-use': {
        refuses: 'a call of its own model that the tools of the request do not allow',
        accepts: 'a call of an offered tool with its arguments',
        source: 'https://github.com/HolmesGPT/holmesgpt/issues/2217',
        date: '2026-06-22',
        check: refuseUnfitCalls,
      },
      'choice-word': {
        refuses: 'another word than `none`, `auto` and `required` as `tool_choice`, and a tool that is not offered',
        accepts: '`required`',
        source: 'https://github.com/brianpetro/obsidian-smart-connections/issues/942',
        date: '2024-12-28',
        check: firstOf([
          refuseIf((body) => wrongChoiceWord({ body }) !== undefined, {
            message: "Only allowed string values for 'tool_choice' are none, auto, and required",
          }),
          refuseUnknownChoice(() => ({ message: 'requested tool does not exist' })),
        ]),
      },
    }),
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
