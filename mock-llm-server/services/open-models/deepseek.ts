import { isJsonObject } from '../../conversation/json.ts';
import { DEEPSEEK_FORM } from '../answer-forms.ts';
import { refuseParts, refuseRole, requireReasoning } from '../checks/chat-messages.ts';
import { limitNumber, mentions, refuseIf } from '../checks/fields.ts';
import { refuseToolName } from '../checks/tools.ts';
import { objectOf } from '../raw.ts';
import type { Service } from '../service.ts';

const CHAT = ['openai-chat'] as const;
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;
const needsReasoning = requireReasoning(
  () => ({ message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' }),
  true,
);

/** DeepSeek's own API. */
export const deepseek: Service = {
  name: 'deepseek',
  title: 'DeepSeek',
  answers: DEEPSEEK_FORM,
  owns: /^deepseek-(?:chat|reasoner|coder$|v\d|flash)/,
  rules: [
    {
      id: 'deepseek/missing-reasoning',
      protocols: CHAT,
      models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
      refuses: 'an answer with calls and without `reasoning_content`, while the model thinks',
      accepts: 'the answer with its `reasoning_content`, or `thinking: {"type":"disabled"}`',
      source: 'https://github.com/anomalyco/opencode/issues/24135',
      date: '2026-04-24',
      check: (request) =>
        objectOf(request.body['thinking'])['type'] === 'disabled' ? undefined : needsReasoning(request),
    },
    {
      id: 'deepseek/choice-while-thinking',
      protocols: CHAT,
      models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
      refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
      accepts: '`auto` and `none`, or `thinking: {"type":"disabled"}`',
      source: 'https://github.com/tickernelz/opencode-mem/issues/253',
      date: '2026-08-27',
      check: refuseIf(
        ({ tool_choice: choice, thinking }) =>
          objectOf(thinking)['type'] !== 'disabled' && (choice === 'required' || isJsonObject(choice)),
        { message: 'Thinking mode does not support this tool_choice' },
      ),
    },
    {
      id: 'deepseek/picture',
      protocols: CHAT,
      refuses: 'a picture',
      accepts: 'a part of the type `text`',
      source: 'https://github.com/1jehuang/jcode/issues/310',
      date: '2026-06-02',
      check: refuseParts(['image_url', 'input_image'], (index) => ({
        message: `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\` at line 1 column 1147`,
      })),
    },
    {
      id: 'deepseek/developer-role',
      protocols: CHAT,
      refuses: 'messages of the role `developer`',
      accepts: '`system`',
      source: 'https://github.com/BenedictKing/ccx/issues/149',
      date: '2026-05-29',
      check: refuseRole('developer', (index) => ({
        message: `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`developer\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\`, \`latest_reminder\` at line 1 column 52`,
      })),
    },
    {
      id: 'deepseek/tool-name',
      protocols: CHAT,
      refuses: 'a function whose name has other characters than letters, digits, `_` and `-`',
      accepts: '`read_file-2`',
      source: 'https://github.com/nikkigallery/Whimbox/issues/61',
      date: '2026-05-04',
      check: refuseToolName(TOOL_NAME, ({ path }) => ({
        message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '${TOOL_NAME.source}'.`,
      })),
    },
    {
      id: 'deepseek/json-schema',
      protocols: CHAT,
      refuses: 'the format `json_schema`',
      accepts: '`json_object`',
      source: 'https://github.com/bytedance/deer-flow/issues/545',
      date: '2025-08-26',
      check: refuseIf(({ response_format: format }) => objectOf(format)['type'] === 'json_schema', {
        message: 'This response_format type is unavailable now',
      }),
    },
    {
      id: 'deepseek/json-word',
      protocols: CHAT,
      refuses: 'the format `json_object` if no message contains the word JSON',
      accepts: 'a message that says JSON',
      source: 'https://github.com/Canner/WrenAI/issues/1581',
      date: '2025-04-21',
      check: refuseIf(
        ({ response_format: format, messages }) =>
          objectOf(format)['type'] === 'json_object' && !mentions(messages, 'json'),
        { message: "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'." },
      ),
    },
    {
      id: 'deepseek/output-limit',
      protocols: CHAT,
      models: /^deepseek-chat/,
      refuses: 'a `max_tokens` below 1 or above 8192 with deepseek-chat',
      accepts: '8192',
      source: 'https://github.com/Gitlawb/openclaude/issues/35',
      date: '2026-04-01',
      check: limitNumber('max_tokens', { min: 1, max: 8192 }, () => ({
        message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      })),
    },
  ],
  words: [
    [
      /^(An assistant message with 'tool_calls' must be .*?\.) The following tool_call_ids.*$/s,
      '$1 (insufficient tool messages following tool_calls message)',
    ],
    [
      /^Invalid parameter: messages with role 'tool'.*$/s,
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    ],
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', param = null, code }) => ({
    error: { message, type: errorType, param, code: code ?? (status === 400 ? 'invalid_request_error' : null) },
  }),
};
