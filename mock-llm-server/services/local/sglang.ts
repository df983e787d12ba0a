import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { countBlocks } from '../checks/anthropic/blocks.ts';
import { refuseArguments, refuseNullContent } from '../checks/chat-messages.ts';
import { refuseIf } from '../checks/fields.ts';
import { refuseFaults, refuseUnknownChoice } from '../checks/tools.ts';
import { SGLANG_VALUES } from '../forms/local.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf, shareRules } from '../share-rules.ts';
import { templateRules } from './templates.ts';
import { PARSER_RULES } from './vllm.ts';

/** SGLang, which renders the same templates. */
export const sglang: Service = {
  name: 'sglang',
  title: 'SGLang',
  ignores: 'history',
  rules: [
    ...shareRules('sglang', PARSER_RULES, ['tool-parser', 'needed-flag', 'choice-word']),
    ...templateRules('sglang', (message) => ({ message })),
    ...formRules('sglang', SGLANG_VALUES, {
      shape: {
        refuses:
          'a value of another type than the server reads: `temperature: "hot"`, `tool_choice: "any"`, a tool without `function` …',
        accepts: '`temperature: "0.5"`, `reasoning_effort: 0.5`',
        source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/protocol.py',
        date: '2026-11-30',
      },
      range: {
        refuses:
          'a negative `temperature`, a `top_p` of 0 or above 1, penalties beyond 2, `top_k: -2`, a `repetition_penalty` above 2 …',
        accepts: '`temperature: 3`',
        source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/sampling/sampling_params.py',
        date: '2026-11-30',
      },
    }),
    ...rulesOf('sglang', {
      'null-content': {
        refuses: '`content: null` in a message other than an answer with calls',
        accepts: '`content: null` beside calls',
        source: 'https://github.com/danny-avila/LibreChat/issues/6256',
        date: '2025-03-09',
        check: refuseNullContent(
          (index) => ({
            message: `2 validation errors for ChatCompletionRequest\nmessages.${index}.ChatCompletionMessageUserParam.content.str\n  Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]`,
          }),
          { beside: 'none' },
        ),
      },
      arguments: {
        refuses: 'arguments of a call that are not JSON, or no object',
        accepts: '`{}`',
        source: 'https://github.com/sgl-project/sglang/pull/28035',
        date: '2026-06-12',
        check: refuseArguments((text) => ({
          message: `Assistant tool call function.arguments must be ${tryJson(text) === undefined ? 'valid JSON' : 'a JSON object'}.`,
        })),
      },
      schema: {
        refuses: 'an invalid JSON Schema: `required: null`',
        accepts: '`required: []`',
        source: 'https://github.com/sgl-project/sglang/issues/35242',
        date: '2026-08-18',
        check: refuseFaults(({ text }, { index }) => ({
          message: `Tool ${index} function has invalid 'parameters' schema: ${text}`,
        })),
      },
      'redacted-thinking': {
        protocols: ['anthropic-messages'],
        refuses: 'a block `redacted_thinking`',
        accepts: '`thinking`',
        source:
          'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/anthropic/request_conversion.py',
        date: '2026-11-30',
        check: refuseIf((body) => countBlocks({ body }, 'redacted_thinking') > 0, {
          message: 'Anthropic redacted_thinking history is not supported',
        }),
      },
      'choice-without-tools': {
        refuses: 'a `tool_choice` of `required` or of a tool without `tools`',
        accepts: '`tool_choice` with `tools`',
        source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py',
        date: '2026-11-28',
        check: ({ body: { tools, tool_choice: choice } }) => {
          if (listOf(tools).length > 0 || (choice !== 'required' && !isJsonObject(choice))) return undefined;
          const which = choice === 'required' ? 'required' : 'a specific tool';
          return { message: `Tools cannot be empty if tool choice is set to ${which}.` };
        },
      },
      'unknown-choice': {
        refuses: 'a `tool_choice` of a tool that is not offered',
        accepts: 'one that is',
        source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py',
        date: '2026-11-28',
        check: refuseUnknownChoice((name) => ({ message: `Tool '${name}' not found in tools list.` })),
      },
    }),
  ],
  // sgl-project/sglang, serving_chat.py: `{"error": …}`, then the usual end.
  answers: { failure: 'done' },
  encodeError: ({ status, message, errorType = 'BadRequestError', param = null }) => ({
    object: 'error',
    message,
    type: errorType,
    param,
    code: status,
  }),
};
