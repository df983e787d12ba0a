import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { anything, fields, flag, integer, text } from '../../wire/forms/form.ts';
import { endpointOf } from '../../wire/ollama/ollama.ts';
import { ollamaFault } from '../../wire/ollama/shape.ts';
import type { WireError } from '../../wire/wire.ts';
import { OLLAMA_FORM } from '../answer-forms.ts';
import { findInBlocks } from '../checks/anthropic/blocks.ts';
import { refuseArguments, refuseMessage, refuseNullContent, refuseRole } from '../checks/chat-messages.ts';
import { isSet, ofTools, refuseIf } from '../checks/fields.ts';
import { findSchema, functionsOf } from '../checks/tools.ts';
import { typeOf } from '../forms/dialects.ts';
import { chatForm, formRules } from '../forms/stated-form.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Rule, Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { OLLAMA_RESPONSES_RULES } from './ollama-responses.ts';
import { templateRules } from './templates.ts';

const RECORDED = '2026-11-28';
const ofOllama = (name: string) => ({ source: `recording ollama-0.17.4-scripted/${name}`, date: RECORDED });
const OLLAMA_WIRES = ['openai-chat', 'ollama', 'openai-responses', 'anthropic-messages'] as const;
/** The models of Ollama's library that only embed. */
const EMBEDS = /^(?:bge-|all-minilm|paraphrase-|(?:nomic|mxbai|snowflake-arctic|granite|qwen3)-embed|embeddinggemma)/i;

/** The values of a request of Chat Completions, by the types of the server. */
const FORM = chatForm({
  tool_choice: anything,
  stop: anything,
  parallel_tool_calls: anything,
  user: anything,
  n: anything,
  logprobs: flag,
  top_logprobs: integer,
  response_format: fields({ type: text }),
  reasoning: fields({ effort: text }),
  reasoning_effort: text,
});

const GO_TYPES = {
  number: 'float64',
  integer: 'int',
  boolean: 'bool',
  string: 'string',
  list: '[]interface {}',
  object: 'map[string]interface {}',
} as const;
const GO_KINDS: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'bool' };

const isText = (value: unknown) => typeof value === 'string';
/** The fields of a schema by the types of the server. */
const SCHEMA_FIELDS: Readonly<Record<string, readonly [isRead: (value: unknown) => boolean, type: string]>> = {
  type: [(value) => isText(value) || Array.isArray(value), '[]string'],
  description: [isText, 'string'],
  enum: [Array.isArray, '[]interface {}'],
  anyOf: [Array.isArray, '[]api.ToolProperty'],
  required: [Array.isArray, '[]string'],
};

/** The first field of a schema, or property, that the server does not read. */
function wrongField(schema: JsonObject): readonly [name: string, value: unknown] | undefined {
  const wrong = Object.entries(schema).find(
    ([name, value]) => isSet(value) && SCHEMA_FIELDS[name]?.[0](value) === false,
  );
  const other = Object.values(objectOf(schema['properties'])).find((value) => isSet(value) && !isJsonObject(value));
  return wrong ?? (other === undefined ? undefined : ['properties', other]);
}

const goType = (kind: string, struct: string, field: string, type: string) => ({
  message: `json: cannot unmarshal ${kind} into Go struct field ${struct}.${field} of type ${type}`,
});

const ollamaRules: readonly Rule[] = [
  ...rulesOf('ollama', {
    shape: {
      protocols: ['ollama'],
      refuses:
        'a value of another type than the server reads: `stream: "true"`, parts as the content, `think: "yes"` …',
      accepts: 'values of its types, and null',
      source: 'https://github.com/ollama/ollama/blob/main/api/types.go',
      date: '2026-11-29',
      check: ({ body, path }) => ollamaFault(body, endpointOf({ path })),
    },
  }),
  ...formRules(
    'ollama',
    {
      form: FORM,
      words: ({ kind, path, shape, found }) =>
        // A field that is missing has the zero of its type.
        kind === 'type'
          ? {
              message: `json: cannot unmarshal ${GO_KINDS[typeof found] ?? 'array'} into Go struct field ChatCompletionRequest.${path.join('.')} of type ${GO_TYPES[typeOf(shape)]}`,
            }
          : undefined,
    },
    {
      name: 'chat-shape',
      shape: {
        refuses: 'a value of another type than the server reads, over Chat Completions: `temperature: "hot"`',
        accepts: '`temperature: 0.5`',
        ...ofOllama('045-chat-temperature-string'),
      },
    },
  ),
  ...rulesOf('ollama', {
    'cloud-results': {
      protocols: ['ollama'],
      models: /cloud$/,
      refuses: 'another number of tool results than of calls, with a model of Ollama Cloud',
      accepts: 'a result for each call; any number with a local model',
      source: 'https://github.com/ollama/ollama/issues/12395',
      date: '2025-09-24',
      check: ({ body }) => {
        const messages = objectsOf(body['messages']);
        const calls = messages.flatMap(({ tool_calls: called }) => listOf(called)).length;
        return calls === messages.filter(({ role }) => role === 'tool').length
          ? undefined
          : { message: 'Invalid tool usage: mismatch between tool calls and tool results' };
      },
    },
    'cloud-role': {
      protocols: ['ollama'],
      models: /^gemini-3/,
      refuses: 'a message of the role `thinking`, with Gemini 3 in the cloud',
      accepts: 'the roles `system`, `user`, `assistant` and `tool`',
      source: 'https://github.com/ollama/ollama/issues/14202',
      date: '2026-02-11',
      check: refuseRole('thinking', () => ({ message: 'Invalid role: thinking' })),
    },
    'embedding-model': {
      protocols: OLLAMA_WIRES,
      models: EMBEDS,
      refuses: 'a chat with a model that only embeds: bge-m3, nomic-embed-text …',
      accepts: 'qwen3',
      source: 'https://github.com/tinyhumansai/openhuman/issues/2787',
      date: '2026-05-27',
      check: ({ model }) => ({ message: `"${model}" does not support chat`, errorType: 'api_error' }),
    },
    effort: {
      refuses: 'a `reasoning_effort` other than `high`, `medium`, `low` and `none`',
      accepts: '`high`',
      ...ofOllama('050-chat-reasoning_effort-bad'),
      check: ({ body: { reasoning_effort: effort } }) =>
        typeof effort !== 'string' || ['', 'high', 'medium', 'low', 'none'].includes(effort)
          ? undefined
          : { message: `invalid reasoning value: '${effort}' (must be "high", "medium", "low", or "none")` },
    },
    arguments: {
      refuses: 'arguments of a call that are not JSON',
      accepts: '`{}`, `null`',
      ...ofOllama('065-chat-history-args-not-json'),
      check: refuseArguments((text) => (text === 'null' ? undefined : { message: 'invalid tool call arguments' })),
    },
    'null-content': {
      refuses: '`content: null` in an answer without calls',
      accepts: '`content: null` beside calls',
      ...ofOllama('068-chat-history-null-content'),
      check: refuseNullContent(() => ({ message: 'invalid message content type: <nil>' }), { beside: 'none' }),
    },
    'part-type': {
      refuses: 'a part of another type than `text` and `image_url`',
      accepts: '`text`',
      source: 'https://github.com/tombii/better-ccflare/issues/141',
      date: '2026-06-22',
      check: refuseMessage(
        ({ content }) =>
          objectsOf(content).some(({ type }) => type !== 'text' && type !== 'image_url' && type !== 'input_audio'),
        () => ({ message: 'invalid message format' }),
      ),
    },
    'picture-address': {
      refuses: 'the address of a picture, over Chat Completions',
      accepts: 'a picture as `data:image/png;base64,…`',
      source: 'https://docs.ollama.com/api/openai-compatibility',
      date: '2026-11-28',
      check: refuseMessage(
        ({ content }) =>
          objectsOf(content).some(({ image_url: picture }) =>
            /^https?:/.test(textOf(objectOf(picture)['url'] ?? picture)),
          ),
        () => ({ message: 'invalid image input' }),
      ),
    },
    model: {
      refuses: 'no model',
      accepts: 'any model',
      ...ofOllama('036-chat-no-model'),
      check: refuseIf(({ model }) => !model, { message: 'model is required', errorType: 'api_error' }),
    },
    'picture-source': {
      protocols: ['anthropic-messages'],
      refuses: 'a picture by its address over Messages',
      accepts: 'a picture in base64',
      source: 'https://github.com/ollama/ollama/blob/main/anthropic/anthropic.go',
      date: '2026-11-30',
      check: (request) => {
        const found = findInBlocks(request, ({ type, source }) => {
          const kind = textOf(objectOf(source)['type']);
          return type === 'image' && kind !== 'base64' ? kind : undefined;
        });
        return found && { message: `invalid image source type: ${found.found}. Only base64 images are supported.` };
      },
    },
    'tool-schema': {
      protocols: OLLAMA_WIRES,
      refuses:
        'a schema with a list as the type of the root, a property that is no schema, or a `required` or `enum` that is no list …',
      accepts: '`{"type":"object","required":["path"]}`',
      source: 'https://github.com/ollama/ollama/blob/main/api/types.go',
      date: '2026-11-30',
      check: ofTools((request) => {
        const isNative = request.protocol === 'ollama';
        for (const { schema } of functionsOf(isNative ? { ...request, protocol: 'openai-chat' } : request)) {
          if (Array.isArray(objectOf(schema)['type']))
            return goType('array', 'ToolFunctionParameters', 'type', 'string');
          const found = findSchema(schema, (node) => wrongField(node) !== undefined);
          if (found === undefined) continue;
          const [name = '', value] = wrongField(found.node) ?? [];
          const kind = GO_KINDS[typeof value] ?? (Array.isArray(value) ? 'array' : 'object');
          const struct = found.context.length === 0 ? 'ToolFunctionParameters' : 'ToolProperty';
          return goType(kind, struct, name, SCHEMA_FIELDS[name]?.[1] ?? 'api.ToolProperty');
        }
        return undefined;
      }),
    },
  }),
];

/** Ollama, over its own wire and over OpenAI's. */
export const ollamaServer: Service = {
  name: 'ollama',
  title: 'Ollama',
  ignores: 'history',
  answers: OLLAMA_FORM,
  rules: [
    ...ollamaRules,
    ...OLLAMA_RESPONSES_RULES,
    ...templateRules('ollama', (reason) => ({
      status: 500,
      message: `Error: Jinja Exception: ${reason}`,
      errorType: 'api_error',
    })),
  ],
  encodeError: ({ message, errorType = 'invalid_request_error' }: WireError) => ({
    error: { message, type: errorType, param: null, code: null },
  }),
};
