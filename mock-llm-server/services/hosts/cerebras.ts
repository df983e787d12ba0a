import type { JsonObject } from '../../conversation/conversation.ts';
import type { ChatAnswerForm } from '../../wire/wire.ts';
import { briefChoice } from '../answer-forms.ts';
import { refuseHalfCharacters } from '../checks/anthropic/requests.ts';
import { refuseAnswerField, refuseMessage } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { CEREBRAS_PARAMETERS, refuseUnknownParameters } from '../checks/foreign-fields.ts';
import { findSchema, functionsOf, hasType } from '../checks/tools.ts';
import { CEREBRAS_VALUES, cerebrasFault } from '../forms/hosts.ts';
import { formRules } from '../forms/stated-form.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

const unsupported = (place: string) => cerebrasFault(`${place}: property '${place}' is unsupported`);

/**
 * Cerebras begins a stream with the role alone, sends a call as a whole, and ends with the usage and its times:
 * https://github.com/vercel/ai/blob/main/packages/cerebras/src/fixtures/cererebras-structured-output-tools.1.chunks.txt
 */
const CEREBRAS_FORM: ChatAnswerForm = {
  wholeCalls: true,
  usage: 'finish',
  shape({ head: { id, object, created, model, system_fingerprint }, choices, usage, place }) {
    const own = choices.map((choice) => {
      const { index, ...said } = briefChoice(choice);
      return { ...said, ...(place === 'open' && { delta: { role: 'assistant' } }), index };
    });
    const times = { queue_time: 0.01, prompt_time: 0.01, completion_time: 0.1, total_time: 0.12, created };
    return { id, choices: own, created, model, system_fingerprint, object, ...(usage && { usage, time_info: times }) };
  },
};

/** Cerebras. */
export const cerebras: Service = {
  name: 'cerebras',
  title: 'Cerebras',
  answers: CEREBRAS_FORM,
  rules: [
    ...rulesOf('cerebras', {
      'half-character': {
        refuses: 'half a surrogate pair in a text: `"\\ud83d"`',
        accepts: 'the whole character',
        source: 'https://github.com/elizaOS/eliza/pull/18079',
        date: '2026-08-08',
        check: refuseHalfCharacters((at) =>
          cerebrasFault(`: Invalid JSON: lone leading surrogate in hex escape at line 1 column ${at + 1}`),
        ),
      },
      'reasoning-field': {
        refuses: '`reasoning_content` or `reasoning_details` in an answer',
        accepts: '`reasoning`',
        source: 'https://github.com/QwenLM/qwen-code/issues/11045',
        date: '2026-09-04',
        check: refuseAnswerField(['reasoning_content', 'reasoning_details'], (index, field) =>
          unsupported(`messages.${index}.assistant.${field}`),
        ),
      },
      'strict-schema': {
        models: /^(?:zai-glm|qwen|gemma)/,
        refuses: 'a strict function or format without `additionalProperties: false`, with GLM, Qwen and Gemma',
        accepts: 'the same with it',
        source: 'https://github.com/agno-agi/agno/issues/6013',
        date: '2026-01-14',
        check: (request) => {
          const { json_schema: format } = objectOf(request.body['response_format']);
          const isLoose = (schema: unknown) =>
            findSchema(schema, (node) => hasType(node, 'object') && node['additionalProperties'] !== false) !==
            undefined;
          const message = "'additionalProperties' is required to be supplied and set to false.";
          if (isLoose(objectOf(format)['schema'])) {
            return { status: 422, message, param: 'response_format', code: 'wrong_api_format' };
          }
          return functionsOf(request).some(({ strict, schema }) => strict && isLoose(schema))
            ? { message, param: 'tools', code: 'wrong_api_format' }
            : undefined;
        },
      },
    }),
    ...formRules('cerebras', CEREBRAS_VALUES, {
      shape: {
        refuses:
          'a value of another type than the API reads: `temperature: "hot"`, a tool without `function`, an unknown `service_tier`; if the service is named, an unknown field of a message, a part, a call or a function',
        accepts: '`temperature: 0.5`',
        source:
          'https://github.com/Cerebras/cerebras-cloud-sdk-python/blob/main/src/cerebras/cloud/sdk/types/chat/completion_create_params.py',
        date: '2026-01-06',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 1.5, a `top_p` outside of 0 to 1, five stop sequences, `top_logprobs: 21` …',
        accepts: '`temperature: 1.5`',
        source: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
        date: '2026-11-28',
      },
    }),
    ...rulesOf('cerebras', {
      'format-with-tools': {
        refuses: 'a format of JSON with tools',
        accepts: 'one of them',
        source: 'https://github.com/openai/openai-agents-python/issues/975',
        date: '2025-06-30',
        check: refuseIf(
          ({ response_format: format, tools }) =>
            objectsOf(tools).length > 0 && /^json_/.test(textOf(objectOf(format)['type'])),
          { message: '"tools" is incompatible with "response_format"', code: 'wrong_api_format' },
        ),
      },
      choice: {
        models: /^gpt-oss/,
        refuses: 'a named `tool_choice` with gpt-oss',
        accepts: '`auto`',
        source: 'https://github.com/567-labs/instructor/issues/1766',
        date: '2025-08-07',
        check: ({ body: { tool_choice: choice } }) => {
          const { type, function: named } = objectOf(choice);
          if (type !== 'function') return undefined;
          const name = textOf(objectOf(named)['name']);
          return {
            message: `Unsupported tool_choice: type='function' function=ChoiceObjectFunction(name='${name}'). Expected 'auto' or 'none'.`,
            param: 'tool_choice',
            code: 'wrong_api_format',
          };
        },
      },
      'format-keyword': {
        models: /^(?:qwen|zai-glm)/,
        refuses: '`minItems` and `maxItems` in the schema of a format or of a strict function, with Qwen and GLM',
        accepts: 'the schema without them',
        source: 'https://github.com/musistudio/claude-code-router/issues/708',
        date: '2025-08-26',
        check: (request) => {
          const format = objectOf(objectOf(request.body['response_format'])['json_schema']);
          const schemas = functionsOf(request).flatMap(({ strict, schema }) => (strict ? [schema] : []));
          const keywordOf = (node: JsonObject) => ['minItems', 'maxItems'].find((key) => isSet(node[key]));
          const found = findSchema({ allOf: [format['schema'], ...schemas] }, (node) => keywordOf(node) !== undefined);
          if (found === undefined) return undefined;
          return {
            message: `Unsupported JSON schema fields: {'${keywordOf(found.node)}'}`,
            param: isSet(format['schema']) ? 'response_format' : 'tools',
            code: 'wrong_api_format',
          };
        },
      },
      'null-calls': {
        refuses: '`tool_calls: null` in an answer',
        accepts: 'an answer without `tool_calls`',
        source: 'https://github.com/livekit/agents/issues/2403',
        date: '2025-05-27',
        check: refuseMessage(
          ({ tool_calls: calls }) => calls === null,
          () => ({ message: "'NoneType' object is not iterable", param: 'messages', code: 'wrong_api_format' }),
        ),
      },
      'mixed-strict': {
        refuses: 'functions of which some are strict and some are not',
        accepts: 'functions that all are strict, or none',
        source: 'https://github.com/RooCodeInc/Roo-Code/issues/10334',
        date: '2025-12-24',
        check: (request) =>
          new Set(functionsOf(request).map(({ strict }) => strict)).size > 1
            ? {
                status: 422,
                message:
                  "Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'",
              }
            : undefined,
      },
      'unknown-argument': {
        refuses:
          'a parameter that the API does not have: `frequency_penalty`, `enable_thinking`, `thinking`, `top_k` …',
        accepts: '`reasoning_effort`',
        source: 'https://github.com/OpenMinis/OpenMinis/issues/361',
        date: '2026-09-15',
        check: refuseUnknownParameters(CEREBRAS_PARAMETERS, (name) => unsupported(`body.${name}`)),
      },
    }),
  ],
  encodeError: ({ message, errorType = 'invalid_request_error', param = null, code }) => ({
    message,
    type: errorType,
    param,
    code,
  }),
};
