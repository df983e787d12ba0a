import { isSet, type Limits, limitNumbers, limitValues, refuseIf } from '../checks/fields.ts';
import { listInWords, refuseChangedParameters, refuseEffort } from '../checks/parameters.ts';
import { listOf, objectOf } from '../raw.ts';
import type { Check, Rule, Violation } from '../service.ts';

const CHAT = ['openai-chat'] as const;
const BOTH = ['openai-chat', 'openai-responses'] as const;

/** The models that reason whatever the request says. */
export const ALWAYS_REASONING: RegExp = /^(?:o\d|gpt-5(?:-mini|-nano|-pro)?(?:-20\d\d-|$))/;
/** The same, with the models of Codex. */
const WITHOUT_SAMPLING = /^(?:o\d|gpt-5(?:-mini|-nano|-pro)?(?:-20\d\d-|$)|gpt-5[.\d]*-codex)/;

/** Describes a parameter that a model does not have. */
export const unsupportedParameter = (param: string, instead?: string) => ({
  message: `Unsupported parameter: '${param}' is not supported with this model.${instead === undefined ? '' : ` Use '${instead}' instead.`}`,
  param,
  code: 'unsupported_parameter',
});

/** The values of the effort that models have: https://platform.openai.com/docs/guides/reasoning */
const EFFORTS: readonly (readonly [models: RegExp, efforts: readonly string[]])[] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5(?:-mini|-nano)?(?:-20\d\d-|$)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5(?:\.1)?-codex(?:-mini)?$/, ['low', 'medium', 'high']],
  [/^gpt-5\.1(?:-20\d\d-|$)/, ['none', 'low', 'medium', 'high']],
];

/** Refuses an effort that a model of OpenAI does not have. */
export const refuseOpenAiEffort = refuseEffort(EFFORTS);

/** The ranges of numbers: https://platform.openai.com/docs/api-reference/chat/create */
const RANGES: Readonly<Record<string, Limits>> = {
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
  presence_penalty: { min: -2, max: 2 },
  frequency_penalty: { min: -2, max: 2 },
  max_tokens: { min: 1 },
  max_completion_tokens: { min: 1 },
  max_tool_calls: { min: 1 },
  n: { min: 1, max: 128 },
  top_logprobs: { min: 0, max: 20 },
};
const DECIMALS = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

/** The values of texts, by version 7.59 of the SDK. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
  reasoning_effort: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  verbosity: ['low', 'medium', 'high'],
  tool_choice: ['none', 'auto', 'required'],
  truncation: ['auto', 'disabled'],
};

/** The most tokens of an answer by model: https://platform.openai.com/docs/models */
const OUTPUT_LIMITS: readonly (readonly [models: RegExp, max: number])[] = [
  [/^gpt-4o(?!.*(?:2024-05|search|audio))/, 16_384],
  [/^gpt-4\.1/, 32_768],
  [/^(?:gpt-4-turbo|gpt-4-\d{4}-|gpt-3\.5-turbo(?!-16k))/, 4096],
  [/^(?:o1(?!-)|o3|o4)/, 100_000],
  [/^gpt-5/, 128_000],
];

function outOfRange(field: string, value: number, { min = value, max = value }: Limits): Violation {
  const kind = DECIMALS.includes(field) ? 'decimal' : 'integer';
  const [side, bound] =
    value > max
      ? ([['above maximum', 'above_max'], `<= ${max}`] as const)
      : ([['below minimum', 'below_min'], `>= ${min}`] as const);
  return {
    message: `Invalid '${field}': ${kind} ${side[0]} value. Expected a value ${bound}, but got ${value} instead.`,
    param: field,
    code: `${kind}_${side[1]}_value`,
  };
}

/** Describes a value that a parameter does not have. */
export const invalidValue = (param: string, value: string, values: readonly string[]): Violation => ({
  message: `Invalid value: '${value}'. Supported values are: ${listInWords(values)}.`,
  param,
  code: 'invalid_value',
});

const FORMATS = ['json_object', 'json_schema', 'text'];

/** The types of parameters, with their words in the error. */
const PARAMETER_TYPES: readonly (readonly [type: string, words: string, fields: readonly string[]])[] = [
  ['number', 'a decimal', DECIMALS],
  ['number', 'an integer', ['seed', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'top_logprobs']],
  ['boolean', 'a boolean', ['logprobs', 'store', 'parallel_tool_calls', 'background']],
  ['object', 'an object', ['logit_bias', 'metadata', 'response_format', 'stream_options']],
];

/** Refuses a parameter of another type. */
const refuseTypes: Check = ({ body }) => {
  for (const [type, words, fields] of PARAMETER_TYPES) {
    const param = fields.find((field) => isSet(body[field]) && typeof body[field] !== type);
    if (param === undefined) continue;
    const found = { string: 'a string', number: 'a number', boolean: 'a boolean' }[String(typeof body[param])];
    return {
      message: `Invalid type for '${param}': expected ${words}, but got ${found ?? 'an object'} instead.`,
      param,
      code: 'invalid_type',
    };
  }
  return undefined;
};

/** Refuses what only models that reason have. */
const refuseReasoning: Check = ({ protocol, body }) => {
  if (protocol === 'openai-chat') {
    if (!isSet(body['reasoning_effort'])) return undefined;
    return { message: 'Unrecognized request argument supplied: reasoning_effort' };
  }
  const found = ['effort', 'summary'].find((field) => isSet(objectOf(body['reasoning'])[field]));
  if (found !== undefined) return unsupportedParameter(`reasoning.${found}`);
  return listOf(body['include']).includes('reasoning.encrypted_content')
    ? { message: 'Encrypted content is not supported with this model.', param: 'include' }
    : undefined;
};

/** The rules of OpenAI for parameters of sampling and streams. */
export const OPENAI_PARAMETER_RULES: readonly Rule[] = [
  {
    id: 'openai/sampling',
    protocols: BOTH,
    models: WITHOUT_SAMPLING,
    refuses:
      '`top_p` other than 1, penalties other than 0, `logprobs` and `logit_bias` with o1, o3, o4, gpt-5 and the models of Codex',
    accepts: 'the default of each; any with gpt-4o',
    source: 'https://github.com/devoxx/DevoxxGenieIDEAPlugin/issues/1240',
    date: '2026-07-28',
    check: refuseChangedParameters(
      { top_p: 1, presence_penalty: 0, frequency_penalty: 0, logprobs: false, logit_bias: {} },
      (name) => unsupportedParameter(name),
    ),
  },
  {
    id: 'openai/range',
    protocols: BOTH,
    only: true,
    refuses:
      'a number outside its range: `temperature` above 2, `top_p` above 1, `n` or `max_completion_tokens` below 1, `top_logprobs` above 20 …',
    accepts: 'a number in its range',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: limitNumbers(RANGES, outOfRange),
  },
  {
    id: 'openai/both-limits',
    protocols: CHAT,
    only: true,
    refuses: '`max_tokens` with `max_completion_tokens`',
    accepts: 'one of them',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseIf(({ max_tokens: older, max_completion_tokens: max }) => isSet(older) && isSet(max), {
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    }),
  },
  {
    id: 'openai/output-limit',
    protocols: CHAT,
    refuses: 'a limit above that of the model: 16,384 with gpt-4o, 32,768 with gpt-4.1, 4,096 with gpt-3.5-turbo',
    accepts: 'its limit',
    source: 'https://platform.openai.com/docs/models',
    date: '2026-11-28',
    check: ({ body, model }) => {
      const param = isSet(body['max_tokens']) ? 'max_tokens' : 'max_completion_tokens';
      const { [param]: value } = body;
      const [, max = Number.POSITIVE_INFINITY] = OUTPUT_LIMITS.find(([models]) => models.test(model)) ?? [];
      if (typeof value !== 'number' || value <= max) return undefined;
      return {
        message: `${param} is too large: ${value}. This model supports at most ${max} completion tokens, whereas you provided ${value}.`,
        param,
        code: 'invalid_value',
      };
    },
  },
  {
    id: 'openai/value',
    protocols: BOTH,
    only: true,
    refuses:
      'a `service_tier`, `reasoning_effort`, `verbosity`, `truncation` or `tool_choice` that the API does not have',
    accepts: '`service_tier: flex`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: limitValues(VALUES, invalidValue),
  },
  {
    id: 'openai/type',
    protocols: BOTH,
    only: true,
    refuses: 'a number, a switch or a map of another type: `temperature: "1"`, `seed: "x"`, `store: 1` …',
    accepts: '`temperature: 1`',
    source: 'https://github.com/run-llama/llama_index/issues/7321',
    date: '2023-08-19',
    check: refuseTypes,
  },
  {
    id: 'openai/format-type',
    protocols: CHAT,
    only: true,
    refuses: 'a `response_format` of another type than `text`, `json_object` and `json_schema`',
    accepts: '`{"type":"text"}`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: ({ body }) => {
      const { type } = objectOf(body['response_format']);
      return typeof type !== 'string' || FORMATS.includes(type)
        ? undefined
        : invalidValue('response_format.type', type, FORMATS);
    },
  },
  {
    id: 'openai/reasoning-of-others',
    protocols: BOTH,
    models: /^(?:ft:)?(?:gpt-(?:3\.5|4)|chatgpt-4)/,
    refuses: 'an effort, a summary or encrypted reasoning with a model that does not reason: gpt-4o, gpt-4.1 …',
    accepts: 'the same with gpt-5',
    source: 'https://github.com/generative-computing/mellea/issues/270',
    date: '2025-12-24',
    check: refuseReasoning,
  },
  {
    id: 'openai/stop',
    protocols: CHAT,
    models: /^(?:o3(?!-mini)|o4|gpt-5(?:-mini|-nano|-pro)?(?:-20\d\d-|$))/,
    refuses: '`stop` with o3, o4 and gpt-5',
    accepts: '`stop` with gpt-4o',
    source: 'https://github.com/OpenHands/software-agent-sdk/issues/1062',
    date: '2025-09',
    check: refuseIf(({ stop }) => isSet(stop), unsupportedParameter('stop')),
  },
  {
    id: 'openai/needed-flag',
    protocols: CHAT,
    only: true,
    refuses: '`top_logprobs` without `logprobs`',
    accepts: 'both',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseIf(({ logprobs, top_logprobs: top }) => isSet(top) && logprobs !== true, {
      message: "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
      param: 'top_logprobs',
    }),
  },
  {
    id: 'openai/parallel-calls',
    protocols: CHAT,
    models: /^o\d/,
    refuses: '`parallel_tool_calls` with o1, o3 and o4 in Chat Completions',
    accepts: 'none; any with gpt-4o',
    source: 'https://github.com/tensorzero/tensorzero/issues/2805',
    date: '2025-07-14',
    check: refuseIf(({ parallel_tool_calls: value }) => isSet(value), unsupportedParameter('parallel_tool_calls')),
  },
  {
    id: 'openai/effort',
    protocols: BOTH,
    models: /^(?:o\d|gpt-5)/,
    refuses: 'an effort that the model does not have: `none` with gpt-5-codex, `minimal` with gpt-5.1 …',
    accepts: '`low`',
    source: 'https://github.com/router-for-me/CLIProxyAPI/pull/249',
    date: '2025-11-14',
    check: refuseOpenAiEffort,
  },
  {
    id: 'openai/stream-options',
    protocols: CHAT,
    only: true,
    refuses: '`stream_options` in a request that is not streamed',
    accepts: 'the same with `stream: true`',
    source: 'https://github.com/BerriAI/litellm/issues/5803',
    date: '2024-09-20',
    check: refuseIf(({ stream, stream_options: options }) => isSet(options) && stream !== true, {
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      param: 'stream_options',
    }),
  },
  {
    id: 'openai/empty-tools',
    protocols: CHAT,
    only: true,
    refuses: 'an empty list of `tools` or `functions` in Chat Completions',
    accepts: 'neither; `tools: []` in Responses',
    source: 'https://github.com/JetBrains/koog/issues/786',
    date: '2025-09-12',
    check: ({ body }) => {
      const found = ['tools', 'functions'].find((name) => Array.isArray(body[name]) && body[name].length === 0);
      if (found === undefined) return undefined;
      return { message: `[] is too short - '${found}'` };
    },
  },
];
