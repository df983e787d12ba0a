import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { namesIn, refuseUnknownCallFields, refuseUnknownMessageFields } from '../checks/foreign-fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { refuseUnknownChoice } from '../checks/tools.ts';
import { objectsOf } from '../raw.ts';
import type { Check, Rule, Violation } from '../service.ts';
import { invalidValue } from './openai-parameters.ts';

const CHAT = ['openai-chat'] as const;
const RESPONSES = ['openai-responses'] as const;

const missing = (param: string): Violation => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: 'missing_required_parameter',
});
const unknown = (param: string): Violation => ({
  message: `Unknown parameter: '${param}'.`,
  param,
  code: 'unknown_parameter',
});

const PART_TYPES = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file'];
/** An address that the API downloads, or the bytes themselves. */
const ADDRESS = /^(?:https?:|data:)/i;

/** The fault of a part of a chat message at a path. */
function faultOfPart(part: JsonObject, path: string): Violation | undefined {
  const { type, text, image_url: picture } = part;
  if (typeof type === 'string' && !PART_TYPES.includes(type)) return invalidValue(`${path}.type`, type, PART_TYPES);
  if (type === 'text' && !isSet(text)) return missing(`${path}.text`);
  if (type !== 'image_url') return undefined;
  return faultOfPicture(isJsonObject(picture) ? picture['url'] : picture, `${path}.image_url.url`);
}

function faultOfPicture(url: unknown, path: string): Violation | undefined {
  if (url === undefined) return missing(path);
  if (typeof url === 'string' && ADDRESS.test(url)) return undefined;
  return {
    message: `Invalid '${path}'. Expected a valid URL, but got a value with an invalid format.`,
    param: path,
    code: 'invalid_value',
  };
}

/** Refuses the first part of a message that the API cannot read. */
const refuseParts: Check = ({ body }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    for (const [position, part] of objectsOf(content).entries()) {
      const fault = faultOfPart(part, `messages[${index}].content[${position}]`);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
};

/** The fields of the messages of Chat Completions by role, by version 7.59 of the SDK. */
const MESSAGE_FIELDS = {
  system: namesIn(['role content name']),
  developer: namesIn(['role content name']),
  user: namesIn(['role content name']),
  assistant: namesIn(['role content name refusal audio annotations tool_calls function_call parsed']),
  tool: namesIn(['role content tool_call_id name']),
};

/** The rules of OpenAI for the parts of messages and items, and the forms of tools. */
export const OPENAI_PART_RULES: readonly Rule[] = [
  {
    id: 'openai/unknown-choice',
    protocols: ['openai-chat', 'openai-responses'],
    refuses: 'a `tool_choice` of a tool that is not offered',
    accepts: 'one that is',
    source: 'https://platform.openai.com/docs/api-reference/responses/create',
    date: '2026-11-28',
    only: true,
    check: (request) =>
      refuseUnknownChoice((name) =>
        request.protocol === 'openai-chat'
          ? {
              message: `Invalid value for 'function_call': no function named '${name}' was specified in the 'functions' parameter.`,
              param: 'function_call',
            }
          : { message: `Tool choice '${name}' not found in 'tools' parameter.`, param: 'tool_choice' },
      )(request),
  },
  {
    id: 'openai/part',
    protocols: CHAT,
    only: true,
    refuses: 'a part of a type of Responses or Anthropic, a text without `text`, a picture whose address is none',
    accepts: 'a part of the type `text`, a picture with an address of `https` or `data`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseParts,
  },
  {
    id: 'openai/message-field',
    protocols: CHAT,
    only: true,
    refuses: 'fields of a message that are not those of its role: `id`, `reasoning_content`, `tool_calls` of a user …',
    accepts: '`role`, `content`, `name`, `tool_calls`, `tool_call_id`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseUnknownMessageFields(MESSAGE_FIELDS, (index, field) => unknown(`messages[${index}].${field}`)),
  },
  {
    id: 'openai/sdk-field',
    protocols: CHAT,
    models: /^gpt-(?:3\.5|4(?:$|-))/,
    refuses: '`parsed` and `refusal` in an answer, with gpt-3.5 and gpt-4',
    accepts: 'the same with gpt-4o',
    source: 'https://github.com/openai/openai-node/issues/1161',
    date: '2024-12-05',
    check: ({ body }) => {
      for (const [index, message] of objectsOf(body['messages']).entries()) {
        const found = ['parsed', 'refusal'].filter((name) => name in message).map((name) => `'${name}'`);
        if (found.length === 0) continue;
        const verb = found.length === 1 ? 'was' : 'were';
        return {
          message: `Additional properties are not allowed (${found.join(', ')} ${verb} unexpected) - 'messages.${index}'`,
        };
      }
      return undefined;
    },
  },
  {
    id: 'openai/call-field',
    protocols: CHAT,
    only: true,
    refuses: 'fields of a call that the API does not have, such as `extra_content`',
    accepts: '`id`, `type`, `function`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseUnknownCallFields(namesIn(['id type function custom index']), (index, position, field) =>
      unknown(`messages[${index}].tool_calls[${position}].${field}`),
    ),
  },
  {
    id: 'openai/reasoning-item',
    protocols: RESPONSES,
    only: true,
    refuses: 'reasoning without `summary`, or with `status: null`',
    accepts: '`summary: []`',
    source: 'https://github.com/BerriAI/litellm/issues/13420',
    date: '2025-08-08',
    check: refuseItem(
      ({ type, summary, status }) => type === 'reasoning' && (!isSet(summary) || status === null),
      (index, { summary }) => (isSet(summary) ? unknown(`input[${index}].status`) : missing(`input[${index}].summary`)),
    ),
  },
];
