import { limitChatCallId, refuseMessage, refuseNullContent } from '../checks/chat-messages.ts';
import { firstOf, isSet, refuseIf } from '../checks/fields.ts';
import {
  limitCallId,
  refuseDroppedReasoning,
  refuseForeignReasoning,
  refuseIdForm,
  refuseItemId,
  refuseLoneReasoning,
  refuseRepeatedItem,
  refuseUnstoredItem,
} from '../checks/responses.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

const CALLED_NAME = /^[a-zA-Z0-9_-]+$/;

/** The rules of OpenAI for messages and items. */
export const OPENAI_HISTORY_RULES: readonly Rule[] = rulesOver('openai', ['openai-responses'], {
  model: {
    protocols: ['openai-chat', 'openai-responses'],
    refuses: 'no model, in Responses if the service is named',
    accepts: 'any model',
    source: 'https://github.com/danielmiessler/Fabric/issues/239',
    date: '2024-03-14',
    check: ({ protocol, body: { model, prompt }, path, isNamed }) => {
      // The path of a deployment names the model.
      if (model || path.includes('/deployments/')) return undefined;
      if (protocol === 'openai-chat') return { message: 'you must provide a model parameter' };
      return isNamed && !isSet(model) && !isSet(prompt)
        ? { message: "Missing required parameter: 'model'.", param: 'model', code: 'missing_required_parameter' }
        : undefined;
    },
  },
  'empty-input': {
    only: true,
    refuses: 'an empty text or list as `input`',
    accepts: 'a text; an empty one with `previous_response_id`, `prompt` or `conversation`',
    source:
      'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/openai-responses-validation-parity.test.mjs',
    date: '2026-08-30',
    check: refuseIf(
      ({ input, previous_response_id: previous, prompt, conversation }) =>
        (input === '' || (Array.isArray(input) && input.length === 0)) && ![previous, prompt, conversation].some(isSet),
      {
        message: `One of "input" or "previous_response_id" or 'prompt' or 'conversation' must be provided.`,
        code: 'missing_required_parameter',
      },
    ),
  },
  'call-id-length': {
    protocols: ['openai-chat', 'openai-responses'],
    refuses: 'the id of a call with more than 40 characters, in Responses with more than 64',
    accepts: '40 characters, in Responses 64',
    source: 'https://github.com/openclaw/openclaw/pull/875',
    date: '2026-01-13',
    check: firstOf([limitChatCallId(40), limitCallId(64)]),
  },
  'empty-calls': {
    protocols: ['openai-chat'],
    refuses: 'an empty `tool_calls` in an answer',
    accepts: 'an answer without `tool_calls`',
    source: 'https://github.com/openai/openai-python/issues/2061',
    date: '2025-01-28',
    check: refuseMessage(
      ({ role, tool_calls }) => role === 'assistant' && Array.isArray(tool_calls) && tool_calls.length === 0,
      (index) => ({
        message: `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        param: `messages[${index}].tool_calls`,
        code: 'empty_array',
      }),
    ),
  },
  'null-content': {
    protocols: ['openai-chat'],
    refuses: '`content: null` in a message other than an answer with calls',
    accepts: '`content: null` beside calls',
    source: 'https://github.com/microsoft/graphrag/issues/1421',
    date: '2024-11-18',
    check: refuseNullContent(
      (index) => ({
        message: "Invalid value for 'content': expected a string, got null.",
        param: `messages.[${index}].content`,
      }),
      { beside: 'none' },
    ),
  },
  'called-name': {
    protocols: ['openai-chat'],
    refuses: 'a call in the history whose name has other characters than letters, digits, `_` and `-`',
    accepts: '`read_file-2`',
    source: 'https://github.com/mcp-use/mcp-use/issues/90',
    date: '2025-04-30',
    check: ({ body }) => {
      for (const [index, { role, tool_calls: list }] of objectsOf(body['messages']).entries()) {
        if (role !== 'assistant') continue;
        const wrong = objectsOf(list).findIndex(({ function: called }) => {
          const { name } = objectOf(called);
          return typeof name === 'string' && !CALLED_NAME.test(name);
        });
        if (wrong === -1) continue;
        const param = `messages[${index}].tool_calls[${wrong}].function.name`;
        return {
          message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${CALLED_NAME.source}'.`,
          param,
          code: 'invalid_value',
        };
      }
      return undefined;
    },
  },
  'item-id-form': {
    only: true,
    refuses: 'an empty `id`, and one with more than 64 characters or others than letters, digits, `_` and `-`',
    accepts: 'no `id`, or 64 such characters',
    source: 'https://github.com/anomalyco/opencode/issues/25065',
    date: '2026-04-30',
    check: refuseIdForm,
  },
  'item-id': {
    refuses: 'the id of an item that begins otherwise than its kind: `fc`, `msg`, `rs`',
    accepts: '`fc_1` for a call, or no id',
    source: 'https://github.com/Wei-Shaw/sub2api/issues/3785',
    date: '2026-07-07',
    check: refuseItemId,
  },
  'lone-reasoning': {
    refuses: 'reasoning with an id that no item of its answer follows',
    accepts: 'reasoning followed by its message or call',
    source:
      'https://github.com/pydantic/pydantic-ai/blob/main/tests/models/cassettes/test_openai_responses/test_openai_responses_thinking_with_modified_history.yaml',
    date: '2025-09-12',
    check: refuseLoneReasoning,
  },
  'dropped-reasoning': {
    refuses: 'a call or a message with its `id` from an answer of this server with reasoning, without that reasoning',
    accepts: 'the reasoning before it; the same without its `id`; with `conversation`, or `store: false`',
    source: 'https://github.com/openai/openai-dotnet/issues/1050',
    date: '2026-03-25',
    check: refuseDroppedReasoning,
  },
  'picture-role': {
    protocols: ['openai-chat'],
    models: /^(?:gpt-4|chatgpt-4|o\d)/,
    refuses: 'a picture in an answer of the assistant or in a result',
    accepts: 'a picture in a message of the user',
    source: 'https://github.com/OpenHands/OpenHands/issues/7700',
    date: '2025-04-22',
    check: ({ body }) => {
      const messages = objectsOf(body['messages']);
      const index = messages.findIndex(
        ({ role, content }) =>
          (role === 'assistant' || role === 'tool') && objectsOf(content).some(({ type }) => type === 'image_url'),
      );
      if (index === -1) return undefined;
      return {
        message: `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${textOf(messages[index]?.['role'])}' contains an image URL.`,
        param: `messages[${index}]`,
        code: 'invalid_value',
      };
    },
  },
  'encrypted-reasoning': {
    refuses: 'encrypted reasoning that another service encrypted',
    accepts: 'encrypted reasoning of the API',
    source: 'https://github.com/openai/codex/issues/8119',
    date: '2025-12-16',
    only: true,
    check: refuseForeignReasoning,
  },
  'repeated-item': {
    only: true,
    refuses: 'two items of one id',
    accepts: 'each item once',
    source: 'https://github.com/openai/openai-agents-js/issues/425',
    date: '2025-09-03',
    check: refuseRepeatedItem,
  },
  'unstored-item': {
    only: true,
    refuses: 'reasoning with an id and without `encrypted_content`, and references to items, with `store: false`',
    accepts: 'reasoning with `encrypted_content`, or `store: true`',
    source: 'https://github.com/The-PR-Agent/pr-agent/issues/2169',
    date: '2026-01-16',
    check: refuseUnstoredItem,
  },
});
