import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { ChatAnswerForm } from '../../wire/wire.ts';
import { without } from '../answer-forms.ts';
import { refuseMessage } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { refuseFunction, refuseRepetitions } from '../checks/tools.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf, rulesOver } from '../share-rules.ts';
import { templateRules } from './templates.ts';

const RESPONSES = ['openai-responses'] as const;

/** LM Studio sends an empty list of calls in an answer without any: https://github.com/anomalyco/opencode/issues/4255 */
const LMSTUDIO_FORM: ChatAnswerForm = {
  shape({ head, choices, usage }) {
    const own = choices.map(({ message, ...choice }) =>
      message ? { ...choice, message: { tool_calls: [], ...without(message, 'refusal', 'annotations') } } : choice,
    );
    const { id, object, created, model } = head;
    return {
      id,
      object,
      created,
      model,
      choices: own,
      ...(usage !== undefined && { usage }),
      stats: {},
      system_fingerprint: model,
    };
  },
};

/** The error of its reader for a value at a path. */
function issueAt(path: readonly (string | number)[], { message, ...issue }: { readonly message: string } & JsonObject) {
  return { message: JSON.stringify([{ ...issue, path, message }], null, 2) };
}

/** LM Studio. */
export const lmstudio: Service = {
  name: 'lmstudio',
  title: 'LM Studio',
  answers: LMSTUDIO_FORM,
  rules: [
    ...rulesOver('lmstudio', RESPONSES, {
      'output-parts': {
        refuses: 'parts as the output of a call',
        accepts: 'a text',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2200',
        date: '2026-07-24',
        check: refuseItem(
          ({ type, output }) => type === 'function_call_output' && Array.isArray(output),
          () => ({ message: "Invalid type for 'input'.", param: 'input', code: 'invalid_union' }),
        ),
      },
      'choice-object': {
        protocols: ['openai-chat'],
        refuses: 'an object as `tool_choice`',
        accepts: '`required`',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670',
        date: '2025-05-21',
        check: refuseIf(({ tool_choice: choice }) => isJsonObject(choice), {
          message: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
        }),
      },
      'json-object': {
        protocols: ['openai-chat'],
        refuses: 'the format `json_object`',
        accepts: '`json_schema`',
        source: 'https://github.com/whiteguo233/OpenBiliClaw/issues/12',
        date: '2026-05-17',
        check: refuseIf(({ response_format: format }) => objectOf(format)['type'] === 'json_object', {
          message: "'response_format.type' must be 'json_schema' or 'text'",
        }),
      },
      'empty-parameters': {
        refuses: 'a function with `parameters: {}` in Responses',
        accepts: '`{"type":"object","properties":{}}`',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2254',
        date: '2026-08-09',
        check: refuseFunction(({ schema, index }) =>
          isJsonObject(schema) && !isSet(schema['type'])
            ? { message: 'Invalid input', param: `tools.${index}`, code: 'custom' }
            : undefined,
        ),
      },
      'text-format': {
        refuses: '`text` without `format` in Responses',
        accepts: 'no `text`',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1576',
        date: '2026-02-27',
        check: refuseIf(({ text }) => isJsonObject(text) && !isSet(text['format']), {
          message: 'Required',
          param: 'text.format',
          code: 'missing_required_parameter',
        }),
      },
      'result-blocks': {
        protocols: ['anthropic-messages'],
        refuses: 'a block in a result that is no text, such as a picture',
        accepts: 'blocks of the type `text`',
        source: 'https://github.com/lmstudio-ai/localization/issues/425',
        date: '2026-07-17',
        check: refuseIf(
          ({ messages }) =>
            objectsOf(messages)
              .flatMap(({ content }) => objectsOf(content))
              .filter(({ type }) => type === 'tool_result')
              .some(({ content }) => objectsOf(content).some(({ type }) => type !== 'text')),
          { message: 'Only text tool_result blocks are supported when tool_result.content is an array.' },
        ),
      },
      'tool-type': {
        refuses: 'a tool of the type `namespace` in Responses',
        accepts: '`function`',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1810',
        date: '2026-04-16',
        check: ({ body }) => {
          const index = objectsOf(body['tools']).findIndex(({ type }) => type === 'namespace');
          return index === -1
            ? undefined
            : { message: 'Invalid', param: `tools.${index}.type`, code: 'invalid_string' };
        },
      },
      repetitions: {
        protocols: ['openai-chat', 'anthropic-messages'],
        refuses:
          'a `minLength` above 2,000, a `minItems` above 2,001, or a `maxItems` of 2,000 or 2,001 without `minItems`, in a schema of a tool',
        accepts: 'every `maxLength`; the same with `tool_choice: none`',
        source: 'https://github.com/ggml-org/llama.cpp/pull/26613',
        date: '2026-08-05',
        // Over Messages, the server passes the error of its engine on as one of its own.
        check: refuseRepetitions((message, { protocol }) => {
          if (protocol === 'openai-chat') return { message };
          const error = { code: 400, message, type: 'invalid_request_error' };
          const text = `Engine protocol predict request returned 400: ${JSON.stringify({ error })}`;
          return { status: 500, message: text, errorType: 'api_error' };
        }),
      },
    }),
    ...templateRules('lmstudio', (reason) => ({
      message: `Error rendering prompt with jinja template: "${reason}".\n\nThis is usually an issue with the model's prompt template.`,
    })),
    ...rulesOf('lmstudio', {
      'picture-address': {
        refuses: 'the address of a picture',
        accepts: 'a picture as `data:image/png;base64,…`',
        source: 'https://github.com/HartsyAI/SwarmUI-MagicPromptExtension/issues/51',
        date: '2025-11-26',
        check: refuseMessage(
          ({ content }) =>
            objectsOf(content).some(({ image_url: picture }) => /^https?:/.test(textOf(objectOf(picture)['url']))),
          () => ({ message: "'url' field must be a base64 encoded image." }),
        ),
      },
      parameters: {
        refuses: 'a function whose parameters have another type than `object`, or none',
        accepts: '`{"type":"object","properties":{}}`, or no parameters',
        source: 'https://github.com/docker/docker-agent/issues/278',
        date: '2025-09-24',
        check: refuseFunction(({ schema, index }) =>
          isJsonObject(schema) && schema['type'] !== 'object'
            ? issueAt([index, 'function', 'parameters', 'type'], {
                code: 'invalid_union_discriminator',
                options: ['object'],
                message: "Invalid discriminator value. Expected 'object'",
              })
            : undefined,
        ),
      },
      'no-properties': {
        refuses: 'a function whose parameters have no `properties`',
        accepts: '`{"type":"object","properties":{}}`, or no parameters',
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2203',
        date: '2026-07-25',
        check: refuseFunction(({ schema, index }) =>
          isJsonObject(schema) && schema['type'] === 'object' && schema['properties'] === undefined
            ? issueAt([index, 'function', 'parameters', 'properties'], {
                code: 'invalid_type',
                expected: 'object',
                received: 'undefined',
                message: 'Required',
              })
            : undefined,
        ),
      },
      'result-parts': {
        refuses: 'parts as the result of a call, and parts of other types than `text` and `image_url`',
        accepts: 'a text',
        source: 'https://github.com/NousResearch/hermes-agent/pull/95229',
        date: '2026-08-26',
        check: refuseMessage(
          ({ role, content }) =>
            (role === 'tool' && Array.isArray(content)) ||
            objectsOf(content).some(({ type }) => type !== 'text' && type !== 'image_url'),
          () => ({ message: "Invalid 'messages' in payload" }),
        ),
      },
    }),
  ],
  words: [[/^Missing required parameter: 'messages'\.$/, "'messages' field is required"]],
  // In Responses, an error has its fields; in Chat Completions, it is a text.
  encodeError: ({ message, errorType = 'invalid_request_error', param, code }) => ({
    error: param === undefined ? message : { message, type: errorType, param, code },
  }),
};
