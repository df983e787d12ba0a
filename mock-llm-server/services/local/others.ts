import { endpointOf } from '../../wire/ollama/ollama.ts';
import { ollamaFault } from '../../wire/ollama/shape.ts';
import type { WireError } from '../../wire/wire.ts';
import { LLAMACPP_FORM, OLLAMA_FORM } from '../answer-forms.ts';
import { refuseArguments, refuseMessage, refuseNullContent, refuseParts } from '../checks/chat-messages.ts';
import { isSet, limitNumber, refuseIf } from '../checks/fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { findSchema, functionsOf } from '../checks/tools.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Rule, Service } from '../service.ts';
import { templateRules } from './templates.ts';

const CHAT = ['openai-chat'] as const;
const RESPONSES = ['openai-responses'] as const;
const RECORDED = '2026-11-28';
const ofLlama = (name: string) => ({ source: `recording llamacpp-11434-scripted/${name}`, date: RECORDED });
const ofOllama = (name: string) => ({ source: `recording ollama-0.17.4-scripted/${name}`, date: RECORDED });
/** An error of llama.cpp beyond the request itself. */
const failed = (message: string) => ({ status: 500, message, errorType: 'server_error' });

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** llama-server of llama.cpp. */
export const llamacpp: Service = {
  name: 'llamacpp',
  title: 'llama.cpp',
  answers: LLAMACPP_FORM,
  rules: [
    {
      id: 'llamacpp/arguments',
      protocols: CHAT,
      refuses: 'arguments of a call that are not JSON',
      accepts: '`{}`',
      ...ofLlama('065-chat-history-args-not-json'),
      check: refuseArguments((text) =>
        failed(
          text === ''
            ? 'Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column 1: attempting to parse an empty input; check that your input string or stream contains the expected JSON'
            : `Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column ${text.length + 1}: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal`,
        ),
      ),
    },
    {
      id: 'llamacpp/picture',
      protocols: CHAT,
      refuses: 'a picture, for a server without a projector',
      accepts: 'a text',
      ...ofLlama('085-chat-image'),
      check: refuseParts(['image_url'], () =>
        failed('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
      ),
    },
    {
      id: 'llamacpp/choices',
      protocols: CHAT,
      refuses: '`n` above 1',
      accepts: '1',
      ...ofLlama('056-chat-n-2'),
      check: limitNumber('n', { max: 1 }, (n) => ({
        message: `Field 'n': Value must be between 1 <= value <= 1, but got ${n}`,
      })),
    },
    {
      id: 'llamacpp/schema-type',
      protocols: CHAT,
      refuses: 'a type that JSON Schema does not have, in a schema of a tool',
      accepts: '`object`',
      ...ofLlama('037-chat-bad-tool-schema'),
      check: (request) => {
        for (const { schema } of functionsOf(request)) {
          const found = findSchema(schema, ({ type }) => typeof type === 'string' && !TYPES.includes(type));
          if (found === undefined) continue;
          const place = ['#', ...found.context].join('/');
          return {
            message: `Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at ${place}: unrecognized type ${textOf(found.node['type'])}`,
          };
        }
        return undefined;
      },
    },
    // The parser of calls is made from the template, so that its own errors count as those of the request.
    ...templateRules('llamacpp', (reason, name) =>
      name === 'user-query' || name === 'late-system'
        ? {
            message: `Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 85, column 32 in source:\n...first %}↵            {{- raise_exception('${reason.slice(0, 39)}...\n                                           ^\nError: Jinja Exception: ${reason}`,
          }
        : failed(`Jinja Exception: ${reason}`),
    ),
    {
      id: 'llamacpp/two-answers-at-end',
      protocols: CHAT,
      refuses: 'two messages of the assistant at the end',
      accepts: 'one, which the model continues',
      source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
      date: '2026-11-28',
      check: ({ body }) => {
        const [last, before] = objectsOf(body['messages']).toReversed();
        return last?.['role'] === 'assistant' && before?.['role'] === 'assistant'
          ? { message: 'Cannot have 2 or more assistant messages at the end of the list.' }
          : undefined;
      },
    },
    {
      id: 'llamacpp/thinking-prefill',
      protocols: CHAT,
      models: /^(?!.*(?:instruct|coder)).*(?:qwen3|glm-4\.[5-9]|deepseek-r1)/i,
      refuses: 'a last message of the assistant, with a model that thinks',
      accepts: 'the same with `chat_template_kwargs: {"enable_thinking":false}`',
      source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
      date: '2026-11-28',
      check: ({ body }) => {
        const isOff = objectOf(body['chat_template_kwargs'])['enable_thinking'] === false;
        return !isOff && objectsOf(body['messages']).at(-1)?.['role'] === 'assistant'
          ? { message: 'Assistant response prefill is incompatible with enable_thinking.' }
          : undefined;
      },
    },
    {
      id: 'llamacpp/untyped-answer',
      protocols: RESPONSES,
      refuses: 'an answer of the assistant without `type: message` and parts',
      accepts: '`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"…"}]}`',
      ...ofLlama('113-resp-history-assistant-bare'),
      check: refuseItem(
        ({ type, role, content }) => role === 'assistant' && (type === undefined || typeof content === 'string'),
        () => ({ message: "Cannot determine type of 'item'" }),
      ),
    },
    {
      id: 'llamacpp/reasoning-content',
      protocols: RESPONSES,
      refuses: 'reasoning without a list as `content`',
      accepts: 'reasoning with its text in `content`',
      ...ofLlama('115-resp-history-reasoning'),
      check: refuseItem(
        ({ type, content }) => type === 'reasoning' && !Array.isArray(content),
        () => ({ message: "item['content'] is not an array" }),
      ),
    },
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', fields }) => ({
    error: { code: status, message, type: errorType, ...fields },
  }),
  encodesEverywhere: true,
};

const OLLAMA_WIRES = ['openai-chat', 'ollama'] as const;
/** The models of Ollama's library whose templates have no tools. */
const WITHOUT_TOOLS =
  /^(?:gemma[23]?|llama[23]|phi[34]?(?!-mini)|codellama|llava|deepseek-r1|tinyllama|orca2|vicuna|dolphin|starcoder2?|deepseek-coder(?:-v2)?)(?::|$)/i;
/** The models of Ollama's library that do not think. */
const WITHOUT_THINKING =
  /^(?:llama|gemma[23]?|mistral|qwen2|qwen3-coder|phi[34]|codellama|llava|codestral|devstral|mixtral|granite3|smollm|deepseek-coder|tinyllama|command-r)/i;

const ollamaRules: readonly Rule[] = [
  {
    id: 'ollama/shape',
    protocols: ['ollama'],
    refuses: 'a value of another type than the server reads: `stream: "true"`, parts as the content, `think: "yes"` …',
    accepts: 'values of its types, and null',
    source: 'https://github.com/ollama/ollama/blob/main/api/types.go',
    date: '2026-11-29',
    check: ({ body, path }) => ollamaFault(body, endpointOf({ path })),
  },
  {
    id: 'ollama/tools',
    protocols: OLLAMA_WIRES,
    models: WITHOUT_TOOLS,
    refuses: 'tools with a model whose template has none: gemma3, llama3, phi4, deepseek-r1 …',
    accepts: 'tools with llama3.1 or qwen3',
    source: 'https://github.com/ollama/ollama/issues/11131',
    date: '2025-06-19',
    check: (request) =>
      listOf(request.body['tools']).length === 0
        ? undefined
        : {
            message: `registry.ollama.ai/library/${request.model} does not support tools`,
            errorType: 'api_error',
          },
  },
  {
    id: 'ollama/thinking',
    protocols: OLLAMA_WIRES,
    models: WITHOUT_THINKING,
    refuses: '`think: true`, or a `reasoning_effort`, with a model that does not think: llama3.1, qwen2.5, mistral …',
    accepts: '`think: false`; `think: true` with qwen3',
    source: 'https://github.com/Gitlawb/openclaude/issues/1371',
    date: '2026-05-26',
    check: ({ body, model }) => {
      const { think, reasoning_effort: effort } = body;
      const asks = (think !== undefined && think !== null && think !== false) || (isSet(effort) && effort !== 'none');
      return asks ? { message: `"${model}" does not support thinking`, errorType: 'api_error' } : undefined;
    },
  },
  {
    id: 'ollama/effort',
    protocols: CHAT,
    refuses: 'a `reasoning_effort` other than `high`, `medium`, `low` and `none`',
    accepts: '`high`',
    ...ofOllama('050-chat-reasoning_effort-bad'),
    check: ({ body: { reasoning_effort: effort } }) =>
      typeof effort !== 'string' || ['high', 'medium', 'low', 'none'].includes(effort)
        ? undefined
        : { message: `invalid reasoning value: '${effort}' (must be "high", "medium", "low", or "none")` },
  },
  {
    id: 'ollama/arguments',
    protocols: CHAT,
    refuses: 'arguments of a call that are not JSON',
    accepts: '`{}`',
    ...ofOllama('065-chat-history-args-not-json'),
    check: refuseArguments(() => ({ message: 'invalid tool call arguments' })),
  },
  {
    id: 'ollama/null-content',
    protocols: CHAT,
    refuses: '`content: null` in an answer without calls',
    accepts: '`content: null` beside calls',
    ...ofOllama('068-chat-history-null-content'),
    check: refuseNullContent(() => ({ message: 'invalid message content type: <nil>' }), { beside: 'none' }),
  },
  {
    id: 'ollama/part-type',
    protocols: CHAT,
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
  {
    id: 'ollama/picture-address',
    protocols: CHAT,
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
  {
    id: 'ollama/model',
    protocols: CHAT,
    refuses: 'no model',
    accepts: 'any model',
    ...ofOllama('036-chat-no-model'),
    check: refuseIf(({ model }) => !model, { message: 'model is required', errorType: 'api_error' }),
  },
  {
    id: 'ollama/output-parts',
    protocols: RESPONSES,
    refuses: 'parts as the output of a call',
    accepts: 'a text',
    ...ofOllama('116-resp-history-output-parts'),
    check: refuseItem(
      ({ type, output }) => type === 'function_call_output' && Array.isArray(output),
      (index) => ({
        message: `input[${index}]: json: cannot unmarshal array into Go struct field ResponsesFunctionCallOutput.output of type string`,
      }),
    ),
  },
];

/** Ollama, over its own wire and over OpenAI's. */
export const ollamaServer: Service = {
  name: 'ollama',
  title: 'Ollama',
  answers: OLLAMA_FORM,
  rules: [
    ...ollamaRules,
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
