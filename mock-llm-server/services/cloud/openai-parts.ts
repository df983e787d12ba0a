import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { refuseMessage } from '../checks/chat-messages.ts';
import { isSet } from '../checks/fields.ts';
import { tooLong } from '../checks/responses.ts';
import { refuseUnknownChoice } from '../checks/tools.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Rule, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { invalidValue } from './openai-parameters.ts';

const missing = (param: string): Violation => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: 'missing_required_parameter',
});

const PART_TYPES = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file'];
/** An address that the API downloads, or the bytes themselves. */
const ADDRESS = /^(?:https?:|data:)/i;

/** The fault of a part of a chat message at a path. Only gpt-4-vision-preview takes the address without an object. */
function faultOfPart(part: JsonObject, path: string, model: string): Violation | undefined {
  const { type, text, image_url: picture } = part;
  if (typeof type === 'string' && !PART_TYPES.includes(type)) return invalidValue(`${path}.type`, type, PART_TYPES);
  if (type === 'text' && !isSet(text)) return missing(`${path}.text`);
  const [, mime] = /^data:([^;,]*)/.exec(textOf(objectOf(part['file'])['file_data'])) ?? [];
  if (mime !== undefined && mime.toLowerCase() !== 'application/pdf') return otherFile(`${path}.file.file_data`, mime);
  if (type !== 'image_url') return undefined;
  if (isJsonObject(picture)) return faultOfPicture(picture['url'], `${path}.image_url.url`);
  if (/vision-preview/.test(model)) return faultOfPicture(picture, `${path}.image_url.url`);
  return isSet(picture) ? noObject(`${path}.image_url`, typeof picture) : missing(`${path}.image_url`);
}

const noObject = (param: string, type: string): Violation => ({
  message: `Invalid type for '${param}': expected an object, but got a ${type} instead.`,
  param,
  code: 'invalid_type',
});

const otherFile = (param: string, mime: string): Violation => ({
  message: `Invalid file data: '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,SGVsbG8sIFdvcmxkIQ=='), but got unsupported MIME type '${mime}'.`,
  param,
  code: 'invalid_value',
});

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
const refuseParts: Check = ({ body, model }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    for (const [position, part] of objectsOf(content).entries()) {
      const fault = faultOfPart(part, `messages[${index}].content[${position}]`, model);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
};

const MESSAGE_NAME = /^[^\s<|\\/>]+$/;
const FORMAT_NAME = /^[a-zA-Z0-9_-]+$/;
/** The most characters of a text of a message. */
const MAX_TEXT = 1_048_576;

const otherPattern = (param: string, pattern: RegExp): Violation => ({
  message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
  param,
  code: 'invalid_value',
});

/** Refuses the name of a format that has other characters than a function. */
const refuseFormatName: Check = ({ protocol, body }) => {
  const isChat = protocol === 'openai-chat';
  const format = isChat ? objectOf(body['response_format'])['json_schema'] : objectOf(body['text'])['format'];
  const { name } = objectOf(format);
  if (typeof name !== 'string' || FORMAT_NAME.test(name)) return undefined;
  return otherPattern(isChat ? 'response_format.json_schema.name' : 'text.format.name', FORMAT_NAME);
};

/** The rules of OpenAI for the parts of messages and items, and the forms of tools. */
export const OPENAI_PART_RULES: readonly Rule[] = rulesOf('openai', {
  'message-name': {
    only: true,
    refuses: 'the name of a message with a space or one of `<|\\/>`',
    accepts: '`my_name`',
    source: 'https://github.com/jekalmin/extended_openai_conversation/issues/251',
    date: '2024-12-10',
    check: refuseMessage(
      ({ name }) => typeof name === 'string' && !MESSAGE_NAME.test(name),
      (index) => otherPattern(`messages[${index}].name`, MESSAGE_NAME),
    ),
  },
  'text-length': {
    only: true,
    refuses: 'a message with more than 1,048,576 characters',
    accepts: 'as many in two messages',
    source: 'https://github.com/i-dot-ai/redbox/pull/1094',
    date: '2024-10-11',
    check: refuseMessage(
      ({ content }) => textOf(content).length > MAX_TEXT,
      (index, { content }) => tooLong(`messages[${index}].content`, MAX_TEXT, textOf(content).length),
    ),
  },
  'format-name': {
    protocols: ['openai-chat', 'openai-responses'],
    refuses: 'the name of a format that has other characters than letters, digits, `_` and `-`',
    accepts: '`my_answer`',
    source: 'https://github.com/pydantic/pydantic-ai/issues/2271',
    date: '2025-07-23',
    check: refuseFormatName,
  },
  'unknown-choice': {
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
  part: {
    only: true,
    refuses:
      'a part of a type of Responses or Anthropic, a text without `text`, a picture whose address is none, a file that is no PDF',
    accepts: 'a part of the type `text`, a picture with an address of `https` or `data`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2026-11-28',
    check: refuseParts,
  },
});
