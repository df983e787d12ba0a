import { isJsonObject } from '../../conversation/json.ts';
import { refuseParts, refuseRole, requireReasoning } from '../checks/chat-messages.ts';
import { limitNumber, mentions, refuseIf } from '../checks/fields.ts';
import { objectOf } from '../raw.ts';
import type { Service } from '../service.ts';

const CHAT = ['openai-chat'] as const;
const needsReasoning = requireReasoning(
  () => ({ message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' }),
  true,
);

/** DeepSeek's own API. */
export const deepseek: Service = {
  name: 'deepseek',
  title: 'DeepSeek',
  owns: /^deepseek-(?:chat|reasoner|coder$|v\d|flash)/,
  rules: [
    {
      id: 'deepseek/missing-reasoning',
      protocols: CHAT,
      models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
      refuses: 'an answer with calls and without `reasoning_content`, while the model thinks',
      accepts: 'the answer with its `reasoning_content`, or `thinking: {"type":"disabled"}`',
      source: 'https://api-docs.deepseek.com/guides/thinking_mode',
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
      source: 'https://api-docs.deepseek.com/api/create-chat-completion',
      date: '2025-09',
      check: refuseRole('developer', (index) => ({
        message: `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`developer\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\`, \`latest_reminder\` at line 1 column 52`,
      })),
    },
    {
      id: 'deepseek/json-schema',
      protocols: CHAT,
      refuses: 'the format `json_schema`',
      accepts: '`json_object`',
      source: 'https://api-docs.deepseek.com/guides/json_mode',
      date: '2025-09',
      check: refuseIf(({ response_format: format }) => objectOf(format)['type'] === 'json_schema', {
        message: 'This response_format type is unavailable now',
      }),
    },
    {
      id: 'deepseek/json-word',
      protocols: CHAT,
      refuses: 'the format `json_object` if no message contains the word JSON',
      accepts: 'a message that says JSON',
      source: 'https://api-docs.deepseek.com/guides/json_mode',
      date: '2025-09',
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
      source: 'https://api-docs.deepseek.com/api/create-chat-completion',
      date: '2025-09',
      check: limitNumber('max_tokens', { min: 1, max: 8192 }, () => ({
        message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      })),
    },
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', param = null, code }) => ({
    error: { message, type: errorType, param, code: code ?? (status === 400 ? 'invalid_request_error' : null) },
  }),
};
