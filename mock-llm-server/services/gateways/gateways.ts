import { OPENROUTER_FORM } from '../answer-forms.ts';
import { refuseCacheScope } from '../checks/anthropic-blocks.ts';
import { limitChatCallId, refuseHistoryWithoutTools, refuseParts } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { anthropic } from '../cloud/anthropic.ts';
import { OPENAI_HISTORY_RULES } from '../cloud/openai-history.ts';
import { ALWAYS_REASONING, refuseOpenAiEffort } from '../cloud/openai-parameters.ts';
import { listOf, objectOf } from '../raw.ts';
import type { Check, Service } from '../service.ts';
import { shareRules } from '../share-rules.ts';

const CHAT = ['openai-chat'] as const;

/** OpenRouter. */
export const openrouter: Service = {
  name: 'openrouter',
  title: 'OpenRouter',
  answers: OPENROUTER_FORM,
  rules: [
    {
      id: 'openrouter/effort-and-budget',
      protocols: CHAT,
      refuses: '`reasoning.effort` with `reasoning.max_tokens`',
      accepts: 'one of them',
      source: 'https://github.com/omeryasirkucuk/amx/pull/66',
      date: '2026-05-02',
      check: refuseIf(
        ({ reasoning }) => isSet(objectOf(reasoning)['effort']) && isSet(objectOf(reasoning)['max_tokens']),
        { message: 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified' },
      ),
    },
    {
      id: 'openrouter/model-without-tools',
      protocols: CHAT,
      refuses: 'tools with a model that no provider offers with tools: deepseek-r1, gpt-5-chat, llama-guard, sonar …',
      accepts: 'tools with gpt-4o',
      source: 'https://github.com/anomalyco/opencode/issues/1675',
      date: '2025-08-07',
      // `models` has the name without its maker.
      models:
        /^(?:deepseek-r1(?!-0528)|gpt-5-chat|llama-guard-|sonar(?:$|-)|lyria|gemma-[23]|qwen3-235b-a22b:free|phi-)/,
      check: refuseIf(({ tools }) => listOf(tools).length > 0, {
        status: 404,
        message:
          'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
      }),
    },
    {
      id: 'openrouter/picture',
      protocols: CHAT,
      models:
        /^(?:deepseek-(?:chat|r1|v3|reasoner)|qwen3-(?:coder|\d+b|235b|next)|kimi-k2(?!\.)|glm-4(?!.*v)|gpt-oss|llama-3\.[13]|mistral-(?:7b|nemo)|nemotron)/,
      refuses: 'a picture to a text model: deepseek-chat, qwen3-coder, kimi-k2, gpt-oss …',
      accepts: 'a picture to gpt-4o',
      source: 'https://openrouter.ai/docs/guides/routing/provider-selection',
      date: '2026-11-28',
      check: refuseParts(['image_url'], () => ({
        status: 404,
        message: 'No endpoints found that support image input',
      })),
    },
    {
      id: 'openrouter/choice',
      protocols: CHAT,
      models: /^glm-4\.[57]/,
      refuses: 'a `tool_choice` of `required` or of a tool with models whose providers lack it: glm-4.5, glm-4.7',
      accepts: '`auto`',
      source: 'https://github.com/zed-industries/zed/issues/36094',
      date: '2025-08-13',
      check: refuseIf(({ tool_choice: choice }) => isSet(choice) && choice !== 'auto' && choice !== 'none', {
        status: 404,
        message:
          "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
      }),
    },
    {
      id: 'openrouter/mandatory-reasoning',
      protocols: ['openai-chat', 'openai-responses'],
      models: /^(?:minimax-m2|step-3\.5|gemini-3[.\d]*-(?:pro|flash)(?!-lite)|ox-alpha)/,
      refuses: 'reasoning turned off, with models that always reason: minimax-m2, step-3.5-flash, gemini-3 …',
      accepts: '`reasoning.effort: low`',
      source: 'https://github.com/musistudio/claude-code-router/issues/1229',
      date: '2026-02-24',
      check: refuseIf(
        ({ reasoning }) => objectOf(reasoning)['enabled'] === false || objectOf(reasoning)['effort'] === 'none',
        { message: 'Reasoning is mandatory for this endpoint and cannot be disabled.' },
      ),
    },
    ...shareRules(
      'openrouter',
      OPENAI_HISTORY_RULES.filter(({ id }) => id === 'openai/repeated-item'),
    ),
  ],
  words: [[/^Invalid value for 'messages': Too small.*$/s, 'Input required: specify "prompt" or "messages"']],
  encodeError: ({ status, message, fields }) => ({ error: { message, code: status, ...fields }, user_id: 'user_mock' }),
};

/** The rules of Anthropic that hold for its models at Copilot. */
const COPILOT_CLAUDE_RULES = [
  'anthropic/thinking-budget',
  'anthropic/temperature',
  'anthropic/prefill',
  'anthropic/cache-marks',
  'anthropic/budget',
];

/** GitHub Copilot. */
export const copilot: Service = {
  name: 'copilot',
  title: 'GitHub Copilot',
  rules: [
    {
      id: 'copilot/responses-only',
      protocols: CHAT,
      models: /^gpt-5[\d.]*-codex|^gpt-5\.[4-9]/,
      refuses: 'models that only Responses has, such as gpt-5-codex and gpt-5.4',
      accepts: 'the same model over Responses',
      source: 'https://github.com/ericc-ch/copilot-api/issues/208',
      date: '2026-03-10',
      check: ({ model }) => ({
        message: `model "${model}" is not accessible via the /chat/completions endpoint`,
        code: 'unsupported_api_for_model',
      }),
    },
    {
      id: 'copilot/claude-effort',
      protocols: ['anthropic-messages'],
      models: /^claude-(?:opus-4\.7|haiku-4\.5|sonnet-4(?:\.5)?$)/,
      refuses: 'an effort that the model does not have: `high` with claude-opus-4.7, any with claude-haiku-4.5',
      accepts: '`medium` with claude-opus-4.7',
      source: 'https://github.com/caozhiyuan/copilot-api/issues/218',
      date: '2026-04-27',
      check: ({ body, model }) => {
        const { effort } = objectOf(body['output_config']);
        const has = model.startsWith('claude-opus');
        if (!isSet(effort) || (has && effort === 'medium')) return undefined;
        return {
          message: has
            ? `output_config.effort "${String(effort)}" is not supported by model ${model}; supported values: [medium]`
            : `output_config.effort "${String(effort)}" was provided, but model ${model} does not support reasoning effort`,
          code: 'invalid_reasoning_effort',
        };
      },
    },
    ...shareRules(
      'copilot',
      anthropic.rules.filter(({ id }) => COPILOT_CLAUDE_RULES.includes(id)),
    ),
    {
      id: 'copilot/call-id-length',
      protocols: CHAT,
      refuses: 'the id of a call with more than 40 characters',
      accepts: '40 characters',
      source: 'https://github.com/BerriAI/litellm/issues/17343',
      date: '2025-12-02',
      check: limitChatCallId(40),
    },
    {
      id: 'copilot/too-many-tools',
      protocols: ['openai-chat', 'openai-responses'],
      refuses: 'more than 128 tools',
      accepts: '128 tools',
      source: 'https://github.com/anomalyco/opencode/issues/4909',
      date: '2025-11-29',
      check: limitTools(128, (count) => ({
        message: `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${count} instead.`,
        code: 'invalid_request_body',
      })),
    },
    {
      id: 'copilot/editor-version',
      protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
      refuses: 'neither of the headers `editor-version` and `copilot-integration-id`',
      accepts: '`editor-version: vscode/1.106.3`',
      source: 'https://github.com/BerriAI/litellm/issues/13256',
      date: '2025-08-07',
      check: ({ headers }) =>
        isSet(headers['editor-version']) || isSet(headers['copilot-integration-id'])
          ? undefined
          : { message: 'bad request: missing Editor-Version header for IDE auth' },
    },
    {
      id: 'copilot/top-p',
      protocols: ['openai-responses'],
      models: /codex/,
      refuses: '`top_p` with the models of Codex',
      accepts: 'none',
      source: 'https://github.com/microsoft/vscode/issues/282170',
      date: '2025-12-09',
      check: refuseIf(({ top_p: value }) => isSet(value), {
        message: "Unsupported parameter: 'top_p' is not supported with this model.",
        code: 'invalid_request_body',
      }),
    },
    {
      id: 'copilot/effort',
      protocols: ['openai-chat', 'openai-responses'],
      models: /^(?:o\d|gpt-5)/,
      refuses: 'an effort that the model does not have: `xhigh` with gpt-5-mini',
      accepts: '`low`',
      source: 'https://github.com/kaitranntt/ccs/issues/344',
      date: '2026-01-16',
      check: refuseOpenAiEffort,
    },
    {
      id: 'copilot/cache-scope',
      protocols: ['anthropic-messages'],
      refuses: '`scope` in `cache_control`',
      accepts: '`{"type":"ephemeral"}`',
      source: 'https://github.com/caozhiyuan/copilot-api/pull/144',
      date: '2026-03-31',
      check: refuseCacheScope,
    },
  ],
  encodeError: ({ message, code }) => ({ error: { message, code: code ?? 'invalid_request_body' } }),
};

const UNSUPPORTED_SAMPLING = ['top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

/** Refuses parameters of OpenAI that the gateway does not hand on to a model. */
const refuseUnsupportedParams: Check = ({ body, model }) => {
  const name = model.replace(/^.*\//, '');
  const unsupported = [
    ...UNSUPPORTED_SAMPLING.filter((param) => isSet(body[param]) && ALWAYS_REASONING.test(name)),
    ...(isSet(body['reasoning_effort']) && /^(?:minimax|glm|laguna|gpt-[34])/.test(name) ? ['reasoning_effort'] : []),
  ];
  if (unsupported.length === 0) return undefined;
  const listed = unsupported.map((param) => `'${param}'`).join(', ');
  return {
    message:
      `litellm.UnsupportedParamsError: openai does not support parameters: [${listed}], for model=${name}. To drop ` +
      'these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n',
  };
};

/** LiteLLM, as a gateway to other services. */
export const litellm: Service = {
  name: 'litellm',
  title: 'LiteLLM',
  rules: [
    {
      id: 'litellm/model',
      protocols: CHAT,
      refuses: 'no model',
      accepts: 'any model',
      source: 'recording litellm-1.108.7-mock/036-chat-no-model',
      date: '2026-11-28',
      check: refuseIf(({ model }) => !model, {
        message:
          '/chat/completions: Invalid model name passed in model=None. Call `/v1/models` to view available models for your key.',
      }),
    },
    {
      id: 'litellm/history-without-tools',
      protocols: CHAT,
      models: /^(?:bedrock|anthropic|us|eu|claude)/,
      refuses: 'calls and results in a request without tools, to models of Bedrock and Anthropic',
      accepts: 'the same request with the tools',
      source: 'https://github.com/pydantic/pydantic-ai/issues/1966',
      date: '2025-06',
      check: refuseHistoryWithoutTools({
        message:
          "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param OR set `litellm.modify_params = True` // `litellm_settings::modify_params: True` to add dummy tool to the request.",
      }),
    },
    {
      id: 'litellm/unsupported-parameter',
      protocols: CHAT,
      refuses:
        '`top_p` and penalties with models of OpenAI that always reason, `reasoning_effort` with models that do not reason or that it does not know',
      accepts: '`temperature: 1`; any with `drop_params`, which a test stands for with `--allow`',
      source: 'https://github.com/Budibase/budibase/pull/17845',
      date: '2026-01-23',
      check: refuseUnsupportedParams,
    },
  ],
  encodeError: ({ status, message, param = null }) => ({
    error: { message, type: 'invalid_request_error', param, code: String(status) },
  }),
};
