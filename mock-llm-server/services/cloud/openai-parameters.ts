import type { Protocol } from '../../conversation/conversation.ts';
import { firstOf, isSet } from '../checks/fields.ts';
import { limitAnswer } from '../checks/model-limits.ts';
import { listInWords, refuseChangedParameters, refuseEffort } from '../checks/parameters.ts';
import { listOf, objectOf } from '../raw.ts';
import type { Check, RawRequest, Rule, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

const BOTH = ['openai-chat', 'openai-responses'] as const;

/** The models that take `max_completion_tokens` instead of `max_tokens`. */
export const MAX_COMPLETION_TOKENS: RegExp = /^(?:ft:)?(?!gpt-5-chat)(?:o\d|gpt-(?:[5-9]|\d\d))/;
/** The models that reason whatever the request says. */
export const ALWAYS_REASONING: RegExp = /^(?:o\d|codex-|gpt-5[.\d]*-codex|gpt-5(?:-mini|-nano|-pro)?(?:-20\d\d-|$))/;
/** The models that reason unless the effort is `none`. */
const REASONING_BY_DEFAULT = /^gpt-(?:5\.[5-9]|[6-9]|\d\d)(?!.*chat)/;
/** The models that reason if there is another effort than `none`. */
const REASONING_ON_DEMAND = /^gpt-5\.[1-4](?!.*(?:chat|codex|pro))/;
/** The models of one of these kinds, and those of Codex. */
export const MAY_REASON: RegExp = /^(?:o\d|codex-|gpt-(?:5|[6-9]|\d\d))(?!.*chat)/;

/** True if the model reasons for the request. */
export function isReasoning({ protocol, body, model }: RawRequest): boolean {
  if (ALWAYS_REASONING.test(model)) return true;
  const effort = protocol === 'openai-chat' ? body['reasoning_effort'] : objectOf(body['reasoning'])['effort'];
  if (REASONING_BY_DEFAULT.test(model)) return effort !== 'none';
  return REASONING_ON_DEMAND.test(model) && isSet(effort) && effort !== 'none';
}

/** Describes a parameter that a model does not have. */
export const unsupportedParameter = (param: string, instead?: string, protocol?: Protocol): Violation => ({
  message: `Unsupported parameter: '${param}' is not supported with this model.${instead === undefined ? '' : ` Use '${instead}' instead.`}`,
  param,
  ...(protocol !== 'openai-responses' && { code: 'unsupported_parameter' }),
});

/** The values of the effort that models have: https://platform.openai.com/docs/guides/reasoning */
const EFFORTS: readonly (readonly [models: RegExp, efforts: readonly string[]])[] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5\.\d-chat/, ['medium']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5(?:-mini|-nano)?(?:-20\d\d-|$)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5(?:\.1)?-codex(?:-mini)?$/, ['low', 'medium', 'high']],
  [/^gpt-5\.1(?:-20\d\d-|$)/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.[2-5](?:-mini|-nano)?(?:-20\d\d-|$)/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.6/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
];

/** Refuses an effort that a model of OpenAI does not have. */
export const refuseOpenAiEffort = refuseEffort(EFFORTS);

/** Describes a value that a parameter does not have. */
export const invalidValue = (param: string, value: string, values: readonly string[]): Violation => ({
  message: `Invalid value: '${value}'. Supported values are: ${listInWords(values)}.`,
  param,
  code: 'invalid_value',
});

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

const BOTH_LIMITS = {
  message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
};

const refuseSampling: Check = (request) =>
  refuseChangedParameters(
    { top_p: 1, presence_penalty: 0, frequency_penalty: 0, logprobs: false, logit_bias: null, prediction: null },
    (name) => unsupportedParameter(name, undefined, request.protocol),
  )(request);

const refuseLogs: Check = ({ protocol, body: { include, top_logprobs: top } }) => {
  const isIncluded = listOf(include).includes('message.output_text.logprobs');
  if (protocol === 'openai-chat' || !(isIncluded || top)) return undefined;
  const param = isIncluded ? 'include' : 'top_logprobs';
  return { message: 'logprobs are not supported with reasoning models.', param, code: 'unsupported_parameter' };
};

/** The rules of OpenAI for parameters of sampling and streams. */
export const OPENAI_PARAMETER_RULES: readonly Rule[] = rulesOf('openai', {
  sampling: {
    protocols: BOTH,
    models: MAY_REASON,
    refuses:
      '`top_p` other than 1, penalties other than 0, `logprobs`, `logit_bias`, and logprobs in Responses while the model reasons: with o1, o3, o4 and gpt-5, with gpt-5.1 to 5.4 at another effort than `none`, and with later ones without `none`',
    accepts: 'the default of each; any with gpt-4o',
    source: 'https://github.com/devoxx/DevoxxGenieIDEAPlugin/issues/1240',
    date: '2026-07-28',
    check: (request) => (isReasoning(request) ? firstOf([refuseSampling, refuseLogs])(request) : undefined),
  },
  'cache-retention': {
    protocols: BOTH,
    models: /^gpt-(?:5\.[6-9]|[6-9]|\d\d)/,
    refuses: '`prompt_cache_retention: in_memory` with gpt-5.6 and later',
    accepts: '`24h`',
    source:
      'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/openai-responses-validation-parity.test.mjs',
    date: '2026-08-30',
    check: ({ protocol, body }) =>
      body['prompt_cache_retention'] === 'in_memory'
        ? {
            message: 'This model is compatible only with 24h extended prompt caching',
            param: 'prompt_cache_retention',
            code: protocol === 'openai-chat' ? null : 'invalid_parameter',
          }
        : undefined,
  },
  'logit-bias': {
    only: true,
    refuses: 'a key of `logit_bias` that is not the number of a token',
    accepts: '`{"50256":-100}`',
    source: 'https://github.com/OkGoDoIt/OpenAI-API-dotnet/issues/163',
    date: '2023-06-29',
    check: ({ body }) => {
      const wrong = Object.keys(objectOf(body['logit_bias'])).find((key) => !/^\d+$/.test(key));
      if (wrong === undefined) return undefined;
      return {
        message: `Invalid key in 'logit_bias': ${wrong}. You should only be submitting non-negative integers.`,
        param: 'logit_bias',
      };
    },
  },
  'highest-token': {
    models: /^gpt-(?:3\.5|4(?:$|-))/,
    refuses: 'a token above 100257 in `logit_bias`, with gpt-3.5 and gpt-4',
    accepts: '`{"100257":-100}`',
    source: 'https://github.com/openai/openai-python/issues/572',
    date: '2023-08-13',
    check: ({ body }) => {
      const wrong = Object.keys(objectOf(body['logit_bias'])).find((key) => Number(key) > 100_257);
      const message = `Invalid key in 'logit_bias': ${wrong}. Maximum value is 100257.`;
      return wrong === undefined ? undefined : { message, param: 'logit_bias' };
    },
  },
  verbosity: {
    protocols: BOTH,
    models: /^(?:ft:)?(?:gpt-(?:3\.5|4)|chatgpt-4|o\d|gpt-5-chat|gpt-5(?:\.1)?-codex(?:-mini)?$)/,
    refuses: 'a verbosity other than `medium` before gpt-5, and with gpt-5-codex and gpt-5.1-codex',
    accepts: '`low` with gpt-5',
    source: 'https://github.com/google-deepmind/concordia/issues/164',
    date: '2025-09-19',
    check: ({ protocol, body }) => {
      const isChat = protocol === 'openai-chat';
      const verbosity = isChat ? body['verbosity'] : objectOf(body['text'])['verbosity'];
      if (!isSet(verbosity) || verbosity === 'medium') return undefined;
      const param = isChat ? 'verbosity' : 'text.verbosity';
      return {
        message: `Unsupported value: '${param}' does not support '${String(verbosity)}' with this model. Supported values are: 'medium'.`,
        param,
        code: 'unsupported_value',
      };
    },
  },
  'output-limit': {
    refuses: 'a limit above that of the model: 16,384 with gpt-4o, 32,768 with gpt-4.1, 4,096 with gpt-3.5-turbo',
    accepts: 'its limit',
    source: 'https://platform.openai.com/docs/models',
    date: '2026-11-28',
    check: limitAnswer(
      'openai',
      ({ param, wanted, max }) => ({
        message: `${param} is too large: ${wanted}. This model supports at most ${max} completion tokens, whereas you provided ${wanted}.`,
        param,
        code: 'invalid_value',
      }),
      { fields: ['max_tokens', 'max_completion_tokens'] },
    ),
  },
  'reasoning-of-others': {
    protocols: BOTH,
    models: /^(?:ft:)?(?:gpt-(?:3\.5|4|5-chat)|chatgpt-4)/,
    refuses: 'an effort, a summary or encrypted reasoning with a model that does not reason: gpt-4o, gpt-4.1 …',
    accepts: 'the same with gpt-5',
    source: 'https://github.com/generative-computing/mellea/issues/270',
    date: '2025-12-24',
    check: refuseReasoning,
  },
  effort: {
    protocols: BOTH,
    models: /^(?:o\d|gpt-5)/,
    refuses: 'an effort that the model does not have: `none` with gpt-5-codex, `minimal` with gpt-5.1 …',
    accepts: '`low`',
    source: 'https://github.com/router-for-me/CLIProxyAPI/pull/249',
    date: '2025-11-14',
    check: refuseOpenAiEffort,
  },
  combination: {
    only: true,
    refuses:
      '`stream_options` in a request that is not streamed, `top_logprobs` without `logprobs`, and `max_tokens` with `max_completion_tokens`',
    accepts: '`stream_options` with `stream: true`, `top_logprobs` with `logprobs`, one limit',
    source: 'https://github.com/BerriAI/litellm/issues/5803',
    date: '2024-09-20',
    check: ({ body }) => {
      const needs = (param: string, name: string) =>
        isSet(body[param]) && body[name] !== true
          ? { message: `The '${param}' parameter is only allowed when '${name}' is enabled.`, param }
          : undefined;
      if (isSet(body['max_tokens']) && isSet(body['max_completion_tokens'])) return BOTH_LIMITS;
      return needs('stream_options', 'stream') ?? needs('top_logprobs', 'logprobs');
    },
  },
  'empty-tools': {
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
});
