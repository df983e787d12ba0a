import { OPENROUTER_FORM } from '../answer-forms.ts';
import { limitChatCallId, refuseHistoryWithoutTools } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { objectOf } from '../raw.ts';
import type { Service } from '../service.ts';

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
  ],
  encodeError: ({ status, message, fields }) => ({ error: { message, code: status, ...fields }, user_id: 'user_mock' }),
};

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
  ],
  encodeError: ({ message, code }) => ({ error: { message, code: code ?? 'invalid_request_body' } }),
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
  ],
  encodeError: ({ status, message, param = null }) => ({
    error: { message, type: 'invalid_request_error', param, code: String(status) },
  }),
};
