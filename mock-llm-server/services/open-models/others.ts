import { isJsonObject } from '../../conversation/json.ts';
import { ZAI_FORM } from '../answer-forms.ts';
import { refuseArguments, refuseMessage, refuseParts, requireUser } from '../checks/chat-messages.ts';
import { isSet, mentions, refuseIf } from '../checks/fields.ts';
import { refuseUnknownChoice } from '../checks/tools.ts';
import { objectOf } from '../raw.ts';
import type { Service } from '../service.ts';

const CHAT = ['openai-chat'] as const;

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
    {
      id: 'zai/no-user',
      protocols: CHAT,
      refuses: 'a conversation without a message of the user',
      accepts: 'one message of the user',
      source: 'https://github.com/anomalyco/opencode/issues/2557',
      date: '2025-09-17',
      check: requireUser({
        message: 'The messages parameter is illegal. Please check the documentation.',
        code: '1214',
      }),
    },
    {
      id: 'zai/arguments',
      protocols: CHAT,
      refuses: 'arguments of a call that are not JSON',
      accepts: '`{}`',
      source: 'https://github.com/charmbracelet/crush/issues/1237',
      date: '2025-10-15',
      check: refuseArguments(() => ({
        message: 'Invalid API parameter, please check the documentation.',
        code: '1210',
      })),
    },
  ],
  encodeError: ({ message, code }) => ({ error: { code: code ?? '1210', message } }),
};

/** An error of the algorithm behind the API. */
const invalid = (message: string) => ({ message: `<400> InternalError.Algo.InvalidParameter: ${message}` });

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
        invalid(
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        ),
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
        invalid('The tool_choice parameter does not support being set to required or object in thinking mode'),
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
        () => invalid('Empty tool_calls is not supported in message.'),
      ),
    },
    {
      id: 'dashscope/arguments',
      protocols: CHAT,
      refuses: 'arguments of a call that are not JSON',
      accepts: '`{}`',
      source: 'https://github.com/explyt/explyt/issues/23',
      date: '2025-08-08',
      check: refuseArguments(() =>
        invalid('The "function.arguments" parameter of the code model must be in JSON format.'),
      ),
    },
    {
      id: 'dashscope/no-user',
      protocols: CHAT,
      refuses: 'a conversation without a message of the user',
      accepts: 'one message of the user',
      source: 'https://github.com/agentscope-ai/agentscope-java/issues/613',
      date: '2026-01-21',
      check: requireUser(invalid('The input messages do not contain elements with the role of user')),
    },
    {
      id: 'dashscope/unknown-choice',
      protocols: CHAT,
      refuses: 'a `tool_choice` of a tool that is not offered',
      accepts: 'one that is',
      source: 'https://github.com/browser-use/web-ui/issues/586',
      date: '2025-05-12',
      check: refuseUnknownChoice((name) =>
        invalid(`Invalid value for "tool_choice": no function named "${name}" was specified in the "tools" parameter.`),
      ),
    },
    {
      id: 'dashscope/empty-tools',
      protocols: CHAT,
      refuses: 'an empty list of tools',
      accepts: 'no `tools`',
      source: 'https://github.com/QwenLM/qwen-code/issues/238',
      date: '2025-08-09',
      check: refuseIf(({ tools }) => Array.isArray(tools) && tools.length === 0, {
        message: "[] is too short - 'tools'",
      }),
    },
  ],
  words: [
    [
      /^An assistant message with 'tool_calls' must be .*?\. The following tool_call_ids did not have response messages: .*$/s,
      '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message.role',
    ],
    [
      /^Invalid parameter: messages with role 'tool'.*$/s,
      '<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls".',
    ],
    [/'messages\[/g, "'messages.["],
  ],
  encodeError: ({ message, param = null, code }, requestId) => ({
    error: { message, type: 'invalid_request_error', param, code: code ?? 'invalid_parameter_error' },
    request_id: requestId,
  }),
};
