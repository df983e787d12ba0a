import { isJsonObject } from '../../conversation/json.ts';
import { refuseForcedThought } from '../checks/anthropic/requests.ts';
import { refuseArguments, refuseMessage, refuseRole, requireUser } from '../checks/chat-messages.ts';
import { refuseIf, refuseWithoutWord } from '../checks/fields.ts';
import { limitAnswer } from '../checks/model-limits.ts';
import { functionsOf, refuseUnknownChoice } from '../checks/tools.ts';
import { OPENAI_HISTORY_RULES } from '../cloud/openai-history.ts';
import { DASHSCOPE_VALUES, dashScopeFault } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectOf, objectsOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf, shareRules } from '../share-rules.ts';
import { DASHSCOPE_FORM } from './answer-forms.ts';

const CHAT = ['openai-chat'] as const;

/** The open models of Qwen 3 that think unless a request says no. */
const THINKS_BY_DEFAULT = /^qwen3-(?:\d+b|\d+b-a\d+b|[01]\.\db)$/;

const CHOICE_WHILE_THINKING =
  'The tool_choice parameter does not support being set to required or object in thinking mode';

/** DashScope (Alibaba Model Studio) in its mode that is compatible with OpenAI. */
export const dashscope: Service = {
  name: 'dashscope',
  title: 'DashScope',
  answers: DASHSCOPE_FORM,
  owns: /^(?:qwen-|qwen3(?:\.\d)?-(?:max|plus|flash|coder-(?:plus|flash))|qwq-plus|qvq-)/,
  rules: [
    ...shareRules(
      'dashscope',
      OPENAI_HISTORY_RULES.filter(({ id }) => id === 'openai/model'),
    ),
    ...rulesOf('dashscope', {
      'json-word': {
        refuses: 'the format `json_object` if no message contains the word JSON',
        accepts: 'a message that says JSON',
        source: 'https://github.com/agno-agi/agno/pull/5317',
        date: '2025-11-05',
        check: refuseWithoutWord(
          dashScopeFault(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
          ),
        ),
      },
      'developer-role': {
        refuses: 'messages of the role `developer`',
        accepts: '`system`',
        source: 'https://github.com/haru/redmine_ai_helper/issues/242',
        date: '2026-03-17',
        check: refuseRole('developer', (index) => ({
          message: `developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['${index}'].role'`,
        })),
      },
      'thinking-unstreamed': {
        refuses:
          '`enable_thinking: true`, or a model of Qwen 3 that thinks by default, in a request that is not streamed',
        accepts: 'the same with `stream: true`, or with `enable_thinking: false`',
        source: 'https://github.com/infiniflow/ragflow/issues/8972',
        date: '2025-07-22',
        check: refuseIf(
          ({ enable_thinking: thinks = null, stream }, { model }) =>
            stream !== true && thinks !== false && (thinks !== null || THINKS_BY_DEFAULT.test(model)),
          { message: 'parameter.enable_thinking must be set to false for non-streaming calls' },
        ),
      },
      'stream-only': {
        models: /^(?:qwq-|qvq-|qwen3-[^:]*-thinking)/,
        refuses: 'a request that is not streamed, with qwq, qvq and the thinking models of Qwen 3',
        accepts: 'the same with `stream: true`',
        source: 'https://help.aliyun.com/zh/model-studio/error-code',
        date: '2026-11-28',
        check: refuseIf(({ stream }) => stream !== true, {
          message: 'This model only support stream mode, please enable the stream parameter to access the model.',
        }),
      },
      'only-thinking': {
        models: /^qwen3-.*-thinking/,
        refuses: '`enable_thinking: false`, with the thinking models of Qwen 3',
        accepts: 'no `enable_thinking`',
        source: 'https://github.com/lobehub/lobehub/issues/8613',
        date: '2025-07-30',
        check: refuseIf(
          ({ enable_thinking: thinks }) => thinks === false,
          dashScopeFault('The value of the enable_thinking parameter is restricted to True.'),
        ),
      },
      'json-while-thinking': {
        refuses: 'the format `json_object` while the model thinks',
        accepts: 'the same with `enable_thinking: false`',
        source: 'https://github.com/presenton/presenton/issues/184',
        date: '2025-08-04',
        check: refuseIf(
          ({ response_format: format, enable_thinking: thinks = null }, { model }) =>
            objectOf(format)['type'] === 'json_object' &&
            (thinks === true || (thinks === null && /-thinking/.test(model))),
          dashScopeFault('Json mode response is not supported when enable_thinking is true'),
        ),
      },
    }),
    ...formRules('dashscope', DASHSCOPE_VALUES, {
      shape: {
        refuses: 'a value of another type than the API reads: `top_p: "a"`, `enable_thinking: "maybe"` …',
        accepts: '`top_p: 0.9`',
        source: 'https://help.aliyun.com/zh/model-studio/error-code',
        date: '2026-11-30',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 2, a `top_p` of 0 or above 1, `max_tokens` below 1, `n` above 4, penalties beyond 2, a negative `seed` …',
        accepts: 'a number in its range',
        source: 'https://help.aliyun.com/zh/model-studio/error-code',
        date: '2026-11-28',
      },
    }),
    ...rulesOf('dashscope', {
      'reserved-name': {
        models: /^qw/,
        refuses: 'a tool with the name `search`',
        accepts: '`web_search`',
        source: 'https://help.aliyun.com/zh/model-studio/error-code',
        date: '2026-11-30',
        check: (request) =>
          functionsOf(request).some(({ name }) => name === 'search')
            ? dashScopeFault('Tool names are not allowed to be [search]')
            : undefined,
      },
      'partial-thinking': {
        refuses: 'a last message with `partial: true` while the model thinks',
        accepts: 'the same with `enable_thinking: false`',
        source: 'https://help.aliyun.com/zh/model-studio/partial-mode',
        date: '2026-11-30',
        check: refuseIf(
          ({ messages, enable_thinking: thinks }) =>
            thinks === true && objectsOf(messages).at(-1)?.['partial'] === true,
          dashScopeFault('Partial mode is not supported when enable_thinking is true'),
        ),
      },
      'output-limit': {
        protocols: [...CHAT, 'anthropic-messages'],
        refuses: 'a `max_tokens` above 65,536 with Qwen 3',
        accepts: '65536',
        source: 'https://github.com/NousResearch/hermes-agent/pull/55561',
        date: '2026-06-30',
        check: limitAnswer('dashscope', ({ max }) => dashScopeFault(`Range of max_tokens should be [1, ${max}]`)),
      },
      'choice-while-thinking': {
        refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
        accepts: '`auto`',
        source: 'https://github.com/cloudwego/eino/issues/994',
        date: '2026-04-24',
        check: refuseIf(
          ({ tool_choice: choice, enable_thinking: thinks = null }, { model }) =>
            (thinks === true || (thinks === null && /^qwen3\.[5-9]-/.test(model))) &&
            (choice === 'required' || isJsonObject(choice)),
          dashScopeFault(CHOICE_WHILE_THINKING),
        ),
      },
      'messages-choice': {
        protocols: ['anthropic-messages'],
        refuses: 'a `tool_choice` of `any` or of a tool with `thinking: {"type":"enabled"}`',
        accepts: '`auto`',
        source: 'https://github.com/alibaba/open-code-review/issues/1064',
        date: '2026-08-26',
        check: refuseForcedThought({ message: CHOICE_WHILE_THINKING }),
      },
      'thinking-kind': {
        protocols: ['anthropic-messages'],
        models: /^qwen3\.5-/,
        refuses: '`thinking: {"type":"adaptive"}`, with Qwen 3.5',
        accepts: '`enabled` and `disabled`',
        source: 'https://github.com/anthropics/claude-code/issues/29531',
        date: '2026-02-28',
        check: refuseIf(({ thinking }) => objectOf(thinking)['type'] === 'adaptive', {
          message: "Only 'enabled' and 'disabled' are supported for thinking; 'adaptive' is not supported.",
        }),
      },
      arguments: {
        refuses: 'arguments of a call that are not JSON',
        accepts: '`{}`',
        source: 'https://github.com/explyt/explyt/issues/23',
        date: '2025-08-08',
        check: refuseArguments(() =>
          dashScopeFault('The "function.arguments" parameter of the code model must be in JSON format.'),
        ),
      },
      parts: {
        models: /^deepseek-v3\.1/,
        refuses: 'parts as the content of a message, with deepseek-v3.1',
        accepts: 'a text',
        source: 'https://github.com/modelscope/modelscope/issues/1478',
        date: '2025-08-26',
        check: refuseMessage(
          ({ content }) => Array.isArray(content),
          () => ({
            message: "<400> InternalError.Algo.InvalidParameter: The content field's type should be `str` in messages.",
          }),
        ),
      },
      'no-content': {
        refuses: 'an answer without `content`',
        accepts: '`content: ""` beside calls',
        source: 'https://github.com/agentscope-ai/agentscope-java/issues/1270',
        date: '2026-04-22',
        check: (request) =>
          refuseMessage(
            (message) => message['role'] === 'assistant' && message['content'] === undefined,
            (index) =>
              request.model.startsWith('qwen')
                ? { message: `Input error. Field required: input.messages.${index}.content` }
                : dashScopeFault('The content field is a required field.'),
          )(request),
      },
      'no-user': {
        refuses: 'a conversation without a message of the user',
        accepts: 'one message of the user',
        source: 'https://github.com/agentscope-ai/agentscope-java/issues/613',
        date: '2026-01-21',
        check: requireUser(dashScopeFault('The input messages do not contain elements with the role of user')),
      },
      'unknown-choice': {
        refuses: 'a `tool_choice` of a tool that is not offered',
        accepts: 'one that is',
        source: 'https://github.com/browser-use/web-ui/issues/586',
        date: '2025-05-12',
        check: refuseUnknownChoice((name) =>
          dashScopeFault(
            `Invalid value for "tool_choice": no function named "${name}" was specified in the "tools" parameter.`,
          ),
        ),
      },
      'empty-tools': {
        refuses: 'an empty list of tools',
        accepts: 'no `tools`',
        source: 'https://github.com/QwenLM/qwen-code/issues/238',
        date: '2025-08-09',
        check: refuseIf(({ tools }) => Array.isArray(tools) && tools.length === 0, {
          message: "[] is too short - 'tools'",
        }),
      },
    }),
  ],
  words: [
    [/^Missing required parameter: 'messages'\.$/, 'you must provide a messages parameter'],
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
  encodeError: ({ message, errorType = 'invalid_request_error', param = null, code }, requestId) => ({
    error: { message, type: errorType, param, code: code ?? 'invalid_parameter_error' },
    request_id: requestId,
  }),
};
