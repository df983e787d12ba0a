import { refuseMessage } from '../checks/chat-messages.ts';
import { firstOf, isSet, refuseIf } from '../checks/fields.ts';
import { FIREWORKS_PARAMETERS, refuseParameters, refuseUnknownParameters } from '../checks/foreign-fields.ts';
import { circleIn, findSchema, refuseFunction, writePython } from '../checks/tools.ts';
import { FIREWORKS_VALUES, TOGETHER_VALUES } from '../forms/hosts.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

/** Together. */
export const together: Service = {
  name: 'together',
  title: 'Together',
  rules: [
    ...formRules('together', TOGETHER_VALUES, {
      shape: {
        refuses:
          'a value of another type than the schema of the API states: `temperature: "0.5"`, a tool without `function` …',
        accepts: '`temperature: 0.5`',
        source: 'https://github.com/togethercomputer/openapi/blob/main/openapi.yaml',
        date: '2026-04-28',
      },
      range: {
        refuses:
          '`temperature` outside of 0 to 2, `top_p` outside of 0 to 1, `n` outside of 1 to 128, `logprobs` above 20',
        accepts: 'a number in its range',
        source: 'https://docs.together.ai/reference/chat-completions',
        date: '2026-11-28',
      },
    }),
    ...rulesOf('together', {
      'foreign-limit': {
        refuses: '`max_output_tokens`',
        accepts: '`max_tokens`',
        source: 'https://github.com/janhq/jan/issues/8267',
        date: '2026-06-03',
        check: refuseParameters(['max_output_tokens'], (name) => ({
          message: 'Input validation error',
          param: name,
        })),
      },
      'dedicated-model': {
        models:
          /^(?:llama-3-8b-chat-hf|llama-3\.1-405b(?:-instruct)?$|llama-3\.2-1b|llama-2-|essentialai-rnj|minimax-m2\.5$)/i,
        refuses: 'a model that only a dedicated endpoint has: Llama-3-8b-chat-hf, Llama-3.1-405B, MiniMax-M2.5 …',
        accepts: 'Llama-3.3-70B-Instruct-Turbo',
        source: 'https://github.com/HeyPuter/puter/issues/3168',
        date: '2026-05-27',
        check: ({ model }) => ({
          message: `Unable to access non-serverless model ${model}. Please visit https://api.together.ai/models/${model} to create and start a new dedicated endpoint for the model.`,
          code: 'model_not_available',
        }),
      },
      'one-call': {
        models: /llama-3\.[123]/i,
        refuses: 'two calls in an answer, with the templates of Llama 3.1 to 3.3',
        accepts: 'one call',
        source: 'https://github.com/microsoft/autogen/issues/5532',
        date: '2025-02-13',
        check: refuseMessage(
          ({ tool_calls: calls }) => objectsOf(calls).length > 1,
          () => ({
            message:
              'Template error: (unknown path) [Line 77, Column 31]\n  Error: Unable to call `raise_exception`, which is undefined or falsey',
            param: 'messages',
          }),
        ),
      },
    }),
  ],
  encodeError: ({ message, errorType = 'invalid_request_error', param = null, code }, requestId) => ({
    id: requestId,
    error: { message, type: errorType, param, code },
  }),
};

const MAX_UNSTREAMED = 4096;

const extraInput = (name: string, value: unknown) => ({
  message: `Extra inputs are not permitted, field: '${name}', value: ${writePython(value)}`,
});
const FOREIGN_TOOL_FIELDS = [
  'eager_input_streaming',
  'cache_control',
  'allowed_callers',
  'defer_loading',
  'input_examples',
];
const FOREIGN_AT_FIREWORKS = ['vl_high_resolution_images', 'enable_thinking', 'extra_body', 'provider', 'transforms'];

/** Fireworks. */
export const fireworks: Service = {
  name: 'fireworks',
  title: 'Fireworks',
  rules: [
    ...formRules('fireworks', FIREWORKS_VALUES, {
      shape: {
        refuses:
          'a value of another type than the API reads, such as `temperature: "hot"`, a tool without `function` or with unknown fields; if the service is named, an unknown field of a message, a part or a call',
        accepts: '`temperature: "0.5"`, `{"type":"function","function":{…}}`',
        source: 'https://github.com/boldsoftware/shelley/issues/242',
        date: '2026-07-18',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 2, a `top_p` outside of 0 to 1, penalties beyond 2, `n` outside of 1 to 128 …',
        accepts: '`temperature: 2`',
        source: 'https://docs.fireworks.ai/api-reference/post-chatcompletions',
        date: '2026-11-30',
      },
    }),
    ...rulesOf('fireworks', {
      'tool-type': {
        protocols: ['anthropic-messages'],
        refuses: 'a tool of Anthropic, such as `web_search_20250305`',
        accepts: 'a tool with `input_schema`',
        source: 'https://github.com/boldsoftware/shelley/issues/242',
        date: '2026-07-18',
        check: ({ body }) => {
          const index = objectsOf(body['tools']).findIndex(({ type }) => isSet(type) && type !== 'custom');
          if (index === -1) return undefined;
          const { type, name } = objectsOf(body['tools'])[index] ?? {};
          return {
            message:
              `2 request validation errors: Input should be 'function', 'web_search_preview' or 'code_interpreter', field: 'tools[${index}].type', value: '${textOf(type)}'; ` +
              extraInput(`tools[${index}].name`, name).message,
          };
        },
      },
      'tool-field': {
        protocols: ['anthropic-messages'],
        refuses:
          'a tool with `eager_input_streaming`, `cache_control`, `allowed_callers`, `defer_loading` or `input_examples`',
        accepts: '`name`, `description`, `input_schema`',
        source: 'https://github.com/earendil-works/pi/issues/3854',
        date: '2026-04-27',
        check: ({ body }) => {
          for (const [index, tool] of objectsOf(body['tools']).entries()) {
            const found = FOREIGN_TOOL_FIELDS.find((name) => isSet(tool[name]));
            if (found !== undefined) return extraInput(`tools[${index}].${found}`, tool[found]);
          }
          return undefined;
        },
      },
      schema: {
        refuses:
          'an alternative in a schema of a tool that has only `required`, null in an `enum`, and a definition that refers to itself',
        accepts: 'alternatives with a type; `"type": "null"`',
        source: 'https://github.com/earendil-works/pi/issues/5352',
        date: '2026-06-03',
        check: refuseFunction(({ schema }) => {
          if (circleIn(schema) !== undefined) {
            const text =
              'schema depth exceeds maximum limit of 50. Flatten deeply nested objects/arrays or raise `max_schema_depth` on the builder.';
            return { message: `JSON Schema not supported: ${text}` };
          }
          const found = findSchema(
            schema,
            (node) => Object.keys(node).join() === 'required' || listOf(node['enum']).includes(null),
          );
          if (found === undefined) return undefined;
          const fault = isSet(found.node['enum'])
            ? 'could not translate the enum None.'
            : `could not understand the instance \`${writePython(found.node)}\`.`;
          return { message: `JSON Schema not supported: ${fault}` };
        }),
      },
      'thinking-and-effort': {
        models: /kimi/,
        refuses: '`thinking` with `reasoning_effort`, with Kimi',
        accepts: 'one of them',
        source: 'https://github.com/openclaw/openclaw/pull/74289',
        date: '2026-05-05',
        check: refuseIf(({ thinking, reasoning_effort: effort }) => isSet(thinking) && isSet(effort), {
          message: "cannot specify both 'thinking' and 'reasoning_effort'",
        }),
      },
      'unstreamed-limit': {
        refuses: '`max_tokens` above 4096 in a request that is not streamed',
        accepts: 'the same with `stream: true`',
        source: 'https://github.com/nullclaw/nullclaw/pull/231',
        date: '2026-03-02',
        check: refuseIf(
          ({ max_tokens: max, stream }) => typeof max === 'number' && max > MAX_UNSTREAMED && stream !== true,
          { message: 'Requests with max_tokens > 4096 must have stream=true', param: 'max_tokens' },
        ),
      },
      'unknown-parameter': {
        refuses:
          'parameters that the API does not have, if the service is named: `vl_high_resolution_images`, `enable_thinking` …',
        accepts: '`top_k`, `reasoning_effort`',
        source: 'https://github.com/web-infra-dev/midscene/issues/1322',
        date: '2025-10-15',
        check: firstOf([
          (request) => {
            const found = FOREIGN_AT_FIREWORKS.find((name) => isSet(request.body[name]));
            return found === undefined ? undefined : extraInput(found, request.body[found]);
          },
          refuseUnknownParameters(FIREWORKS_PARAMETERS, extraInput),
        ]),
      },
    }),
  ],
  encodeError: ({ status, message, errorType = 'error', param = null, code }) => ({
    error: { message, param, code: (status === 400 ? null : code) ?? 'BAD_REQUEST', type: errorType },
  }),
};
