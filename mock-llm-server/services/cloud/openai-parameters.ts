import { isSet, refuseIf } from '../checks/fields.ts';
import { refuseChangedParameters, refuseEffort } from '../checks/parameters.ts';
import type { Rule } from '../service.ts';

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
