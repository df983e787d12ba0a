import type { JsonObject } from '../../conversation/conversation.ts';
import { OPENROUTER_FORM } from '../answer-forms.ts';
import { refuseHistoryWithoutTools, refuseParts } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { RESERVED_WORD_RULE } from '../cloud/bedrock/bedrock.ts';
import { OPENAI_HISTORY_RULES } from '../cloud/openai-history.ts';
import { ALWAYS_REASONING } from '../cloud/openai-parameters.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Service, Violation } from '../service.ts';
import { shareRules } from '../share-rules.ts';

const CHAT = ['openai-chat'] as const;

/** The error of a provider, which OpenRouter hands on. */
function ofProvider(name: string, body: JsonObject): Violation {
  return {
    message: 'Provider returned error',
    fields: { metadata: { raw: JSON.stringify(body), provider_name: name } },
  };
}

/** A provider of a model, and its error for an answer without reasoning. */
function withoutReasoning(model: string, index: number): readonly [provider: string, message: string] {
  if (/gemini/.test(model)) return ['Google', 'Function call is missing a thought_signature in functionCall parts.'];
  if (/kimi/.test(model)) {
    const text = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index';
    return ['Moonshot AI', `${text} ${index}`];
  }
  return ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.'];
}

/** OpenRouter. */
export const openrouter: Service = {
  name: 'openrouter',
  title: 'OpenRouter',
  answers: OPENROUTER_FORM,
  rules: [
    {
      id: 'openrouter/model-prefix',
      protocols: [...CHAT, 'openai-responses', 'anthropic-messages'],
      refuses: 'a model with the name of the gateway before that of its maker, and Claude without its maker',
      accepts: '`google/gemini-2.5-flash`, `openrouter/auto`',
      source: 'https://github.com/RightNow-AI/openfang/issues/100',
      date: '2026-02-28',
      check: ({ model }) =>
        /^(?:openrouter\/[^/]+\/|claude-)/.test(model) ? { message: `${model} is not a valid model ID` } : undefined,
    },
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
      refuses:
        'tools with a model that no provider offers with tools: deepseek-r1, gpt-5-chat, chatgpt-4o, llama-guard, sonar …',
      accepts: 'tools with gpt-4o',
      source: 'https://github.com/anomalyco/opencode/issues/1675',
      date: '2025-08-07',
      // `models` has the name without its maker.
      models:
        /^(?:deepseek-r1(?!-0528)|gpt-5-chat|llama-guard-|sonar(?:$|-)|lyria|chatgpt-4o|gemma-[23]|qwen3-235b-a22b:free|phi-)/,
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
      id: 'openrouter/tool-without-schema',
      protocols: CHAT,
      models: /^claude-/,
      refuses: 'a function without `parameters`, with Claude',
      accepts: 'a schema',
      source: 'https://github.com/microsoft/vscode-copilot-release/issues/9502',
      date: '2025-06-02',
      check: ({ body }) => {
        const index = objectsOf(body['tools']).findIndex((tool) => !isSet(objectOf(tool['function'])['parameters']));
        if (index === -1) return undefined;
        return ofProvider('Amazon Bedrock', { message: `tools.${index}.custom.input_schema: Field required` });
      },
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
      id: 'openrouter/cache-marks',
      protocols: CHAT,
      models: /^claude-/,
      refuses: 'more than four parts with `cache_control`, with Claude',
      accepts: 'four of them',
      source: 'https://github.com/hotovo/aider-desk/issues/513',
      date: '2025-11-29',
      check: ({ body }) => {
        const parts = [
          body,
          ...objectsOf(body['tools']),
          ...objectsOf(body['messages']).flatMap(({ content }) => objectsOf(content)),
        ];
        const { length } = parts.filter((part) => isSet(part['cache_control']));
        if (length <= 4) return undefined;
        const message = `A maximum of 4 blocks with cache_control may be provided. Found ${length}.`;
        return ofProvider('Anthropic', { type: 'error', error: { type: 'invalid_request_error', message } });
      },
    },
    {
      id: 'openrouter/missing-reasoning',
      protocols: CHAT,
      models: /^(?:deepseek-v[4-9]|gemini-(?:[3-9]|\d\d)|kimi-k2(?:\.[5-9]|-thinking))/,
      refuses: 'an answer with calls and without its reasoning, with DeepSeek V4, Gemini 3 and Kimi K2.5 and later',
      accepts: 'the answer with its `reasoning_details`',
      source: 'https://github.com/dirac-run/dirac/issues/5',
      date: '2026-04-24',
      check: (request) => {
        if (objectOf(request.body['reasoning'])['enabled'] === false) return undefined;
        const { messages } = request.body;
        const index = objectsOf(messages).findIndex((message) => {
          const calls = objectsOf(message['tool_calls']);
          if (calls.length === 0 || calls.every(({ id }) => request.recall(textOf(id))?.reasoned === false))
            return false;
          return !['reasoning', 'reasoning_content', 'reasoning_details'].some((field) => isSet(message[field]));
        });
        if (index === -1) return undefined;
        const [name, message] = withoutReasoning(request.model, index);
        return ofProvider(name, { error: { message, type: 'invalid_request_error' } });
      },
    },
    {
      id: 'openrouter/format-with-tools',
      protocols: CHAT,
      models: /^(?:qwen3-32b|zai-glm|llama-3\.3)/,
      refuses: 'a format of JSON with tools, with models whose providers lack it: qwen3-32b, llama-3.3',
      accepts: 'one of them',
      source: 'https://github.com/openai/openai-agents-python/issues/975',
      date: '2025-06-30',
      check: ({ body: { response_format: format, tools } }) =>
        listOf(tools).length > 0 && /^json_/.test(textOf(objectOf(format)['type']))
          ? ofProvider('Cerebras', { message: '"tools" is incompatible with "response_format"' })
          : undefined,
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
    ...shareRules('openrouter', [
      ...OPENAI_HISTORY_RULES.filter(({ id }) => id === 'openai/repeated-item'),
      { ...RESERVED_WORD_RULE, models: /claude/ },
    ]),
  ],
  words: [
    [/^(?:Invalid type for|Missing required parameter:) 'input.*$/s, 'Invalid Responses API request'],
    [/^Invalid 'messages': empty array.*$/s, 'Input required: specify "prompt" or "messages"'],
  ],
  encodeError: ({ status, message, fields }) => ({ error: { message, code: status, ...fields }, user_id: 'user_mock' }),
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
  return unsupportedParams('openai', unsupported, name);
};

function unsupportedParams(provider: string, params: readonly string[], model: string): Violation {
  const listed = params.map((param) => `'${param}'`).join(', ');
  return {
    message:
      `litellm.UnsupportedParamsError: ${provider} does not support parameters: [${listed}], for model=${model}. To drop ` +
      'these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n',
  };
}

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
      source: 'https://github.com/BerriAI/litellm/blob/main/litellm/llms/bedrock/chat/converse_transformation.py',
      date: '2026-11-29',
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
    {
      id: 'litellm/choice-word',
      protocols: CHAT,
      models: /^(?:us|eu|au|apac|global|anthropic|amazon)\./,
      refuses: 'another word than `auto` and `required` as `tool_choice` with a model of Bedrock, such as `any`',
      accepts: '`required`',
      source: 'https://github.com/langchain-ai/langchain/issues/33855',
      date: '2025-11-07',
      check: ({ body: { tool_choice: choice }, model }) =>
        typeof choice === 'string' && !['auto', 'required', 'none'].includes(choice)
          ? unsupportedParams('bedrock', ['tool_choice'], model.replace(/^bedrock\/(?:converse\/)?/, ''))
          : undefined,
    },
    {
      id: 'litellm/tool-choice',
      protocols: CHAT,
      models: /meta\.llama/,
      refuses: '`tool_choice` with Llama on Bedrock',
      accepts: 'no `tool_choice`; the same with Claude',
      source: 'https://github.com/567-labs/instructor/issues/1390',
      date: '2025-03-11',
      check: ({ body: { tool_choice: choice }, model }) =>
        isSet(choice)
          ? unsupportedParams('bedrock', ['tool_choice'], model.replace(/^bedrock\/(?:converse\/)?/, ''))
          : undefined,
    },
  ],
  encodeError: ({ status, message, param = null }) => ({
    error: { message, type: 'invalid_request_error', param, code: String(status) },
  }),
};
