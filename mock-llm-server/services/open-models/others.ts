import { isJsonObject } from '../../conversation/json.ts';
import { ZAI_FORM } from '../answer-forms.ts';
import { refuseMessage, refuseNullContent, refuseParts } from '../checks/chat-messages.ts';
import { isSet, limitTools, mentions, refuseIf } from '../checks/fields.ts';
import { objectOf, objectsOf } from '../raw.ts';
import type { Check, Service } from '../service.ts';

const CHAT = ['openai-chat'] as const;

/** xAI's own API. */
export const xai: Service = {
  name: 'xai',
  title: 'xAI',
  owns: /^grok-/,
  answers: { emptyContent: '' },
  rules: [
    {
      id: 'xai/null-content',
      protocols: CHAT,
      refuses: '`content: null` beside calls',
      accepts: '`content: ""` beside calls',
      source: 'https://github.com/langchain-ai/langchain/issues/34140',
      date: '2025-11-30',
      check: refuseNullContent(() => ({ message: 'Each message must have at least one content element.' }), {
        beside: 'calls',
      }),
    },
    {
      id: 'xai/too-many-tools',
      protocols: ['openai-chat', 'openai-responses'],
      refuses: 'more than 200 tools',
      accepts: '200 tools',
      source: 'https://github.com/anomalyco/opencode/issues/28911',
      date: '2026-05-22',
      check: limitTools(200, (count) => ({
        message: `Maximum tools limit reached. ${count} tools have been provided but the maximum is 200.`,
      })),
    },
    {
      id: 'xai/effort',
      protocols: CHAT,
      models: /^grok-(?:4(?!\.)|code|3(?!-mini))/,
      refuses: '`reasoning_effort` with grok-4 and grok-code',
      accepts: '`reasoning_effort` with grok-3-mini',
      source: 'https://github.com/charmbracelet/catwalk/pull/181',
      date: '2026-02-13',
      check: (request) =>
        isSet(request.body['reasoning_effort'])
          ? { message: `Model ${request.model} does not support parameter reasoningEffort.` }
          : undefined,
    },
  ],
  encodeError: ({ message }) => ({ code: 'Client specified an invalid argument', error: message }),
};

/** The API of Z.AI, which is that of Zhipu. */
export const zai: Service = {
  name: 'zai',
  title: 'Z.AI',
  answers: ZAI_FORM,
  owns: /^glm-/,
  rules: [
    {
      id: 'zai/tool-choice',
      protocols: CHAT,
      models: /^glm-(?:[5-9]|\d\d)/,
      refuses: 'another `tool_choice` than `auto`, with GLM-5 and later',
      accepts: '`auto`',
      source: 'https://github.com/vectorize-io/hindsight/issues/4246',
      date: '2026-09-09',
      check: refuseIf(({ tool_choice: choice }) => isSet(choice) && choice !== 'auto', {
        message: 'Tool choice must be auto',
        code: '1210',
      }),
    },
    {
      id: 'zai/picture',
      protocols: CHAT,
      models: /^glm-(?:4\.[5-7]|5)(?!.*v)/,
      refuses: 'a picture to a text model',
      accepts: 'a picture to glm-4.6v',
      source: 'https://github.com/dyad-sh/dyad/issues/1353',
      date: '2025-09-23',
      check: refuseParts(['image_url'], () => ({
        message: 'Invalid API parameter, please check the documentation.',
        code: '1210',
      })),
    },
  ],
  encodeError: ({ message, code }) => ({ error: { code: code ?? '1210', message } }),
};

const refuseBadArguments: Check = ({ body }) => {
  const calls = objectsOf(body['messages']).flatMap(({ tool_calls: list }) => objectsOf(list));
  const isWrong = calls.some(({ function: called }) => {
    const { arguments: text } = objectOf(called);
    if (typeof text !== 'string') return false;
    try {
      return !isJsonObject(JSON.parse(text));
    } catch {
      return true;
    }
  });
  if (!isWrong) return undefined;
  return {
    message:
      '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
  };
};

/** DashScope (Alibaba Model Studio) in its mode that is compatible with OpenAI. */
export const dashscope: Service = {
  name: 'dashscope',
  title: 'DashScope',
  owns: /^(?:qwen-|qwen3(?:\.\d)?-(?:max|plus|flash|coder-(?:plus|flash))|qwq-plus|qvq-)/,
  rules: [
    {
      id: 'dashscope/json-word',
      protocols: CHAT,
      refuses: 'the format `json_object` if no message contains the word JSON',
      accepts: 'a message that says JSON',
      source: 'https://github.com/agno-agi/agno/pull/5317',
      date: '2025-11-05',
      check: refuseIf(
        ({ response_format: format, messages }) =>
          objectOf(format)['type'] === 'json_object' && !mentions(messages, 'json'),
        {
          message:
            "<400> InternalError.Algo.InvalidParameter: 'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        },
      ),
    },
    {
      id: 'dashscope/thinking-unstreamed',
      protocols: CHAT,
      refuses: '`enable_thinking: true` in a request that is not streamed',
      accepts: 'the same with `stream: true`',
      source: 'https://github.com/infiniflow/ragflow/issues/8972',
      date: '2025-07-22',
      check: refuseIf(({ enable_thinking: thinks, stream }) => thinks === true && stream !== true, {
        message: 'parameter.enable_thinking must be set to false for non-streaming calls',
      }),
    },
    {
      id: 'dashscope/choice-while-thinking',
      protocols: CHAT,
      refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
      accepts: '`auto`',
      source: 'https://github.com/cloudwego/eino/issues/994',
      date: '2026-04-24',
      check: refuseIf(
        ({ tool_choice: choice, enable_thinking: thinks }) =>
          thinks === true && (choice === 'required' || isJsonObject(choice)),
        {
          message:
            '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
        },
      ),
    },
    {
      id: 'dashscope/empty-calls',
      protocols: CHAT,
      refuses: 'an empty `tool_calls` in an answer',
      accepts: 'an answer without `tool_calls`',
      source: 'https://github.com/smallmain/vscode-unify-chat-provider/pull/65',
      date: '2026-03-13',
      check: refuseMessage(
        ({ role, tool_calls: list }) => role === 'assistant' && Array.isArray(list) && list.length === 0,
        () => ({
          message: '<400> InternalError.Algo.InvalidParameter: Empty tool_calls is not supported in message.',
        }),
      ),
    },
    {
      id: 'dashscope/arguments',
      protocols: CHAT,
      refuses: 'arguments of a call that are not JSON',
      accepts: '`{}`',
      source: 'https://github.com/explyt/explyt/issues/23',
      date: '2025-08-08',
      check: refuseBadArguments,
    },
  ],
  encodeError: ({ message, param = null, code }, requestId) => ({
    error: { message, type: 'invalid_request_error', param, code: code ?? 'invalid_parameter_error' },
    request_id: requestId,
  }),
};
