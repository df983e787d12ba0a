import { refuseMessage, refuseNullContent } from '../checks/chat-messages.ts';
import { refuseIf } from '../checks/fields.ts';
import {
  limitCallId,
  refuseForeignReasoning,
  refuseItemId,
  refuseLoneReasoning,
  tooLong,
} from '../checks/responses.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';

const MAX_CHAT_ID = 40;
const MAX_CALL_ID = 64;

/** The rules of OpenAI for messages and items. */
export const OPENAI_HISTORY_RULES: readonly Rule[] = [
  {
    id: 'openai/model',
    protocols: ['openai-chat'],
    refuses: 'no model',
    accepts: 'any model',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2024-06',
    check: refuseIf(({ model }) => !model, { message: 'you must provide a model parameter' }),
  },
  {
    id: 'openai/call-id-length',
    protocols: ['openai-chat'],
    refuses: 'the id of a call with more than 40 characters',
    accepts: '40 characters',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2024-06',
    check: ({ body }) => {
      for (const [index, { role, tool_calls }] of objectsOf(body['messages']).entries()) {
        if (role !== 'assistant') continue;
        for (const [position, { id }] of objectsOf(tool_calls).entries()) {
          const { length } = textOf(id);
          if (length > MAX_CHAT_ID) {
            return tooLong(`messages[${index}].tool_calls[${position}].id`, MAX_CHAT_ID, length);
          }
        }
      }
      return undefined;
    },
  },
  {
    id: 'openai/empty-calls',
    protocols: ['openai-chat'],
    refuses: 'an empty `tool_calls` in an answer',
    accepts: 'an answer without `tool_calls`',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2024-06',
    check: refuseMessage(
      ({ role, tool_calls }) => role === 'assistant' && Array.isArray(tool_calls) && tool_calls.length === 0,
      (index) => ({
        message: `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        param: `messages[${index}].tool_calls`,
        code: 'empty_array',
      }),
    ),
  },
  {
    id: 'openai/null-content',
    protocols: ['openai-chat'],
    refuses: '`content: null` in an answer without calls',
    accepts: '`content: null` beside calls',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: '2024-06',
    check: refuseNullContent(
      (index) => ({
        message: "Invalid value for 'content': expected a string, got null.",
        param: `messages.[${index}].content`,
      }),
      { beside: 'none' },
    ),
  },
  {
    id: 'openai/call-id-length-in-responses',
    protocols: ['openai-responses'],
    refuses: 'a `call_id` with more than 64 characters in Responses',
    accepts: '64 characters',
    source: 'https://platform.openai.com/docs/api-reference/responses/create',
    date: '2025-03',
    check: limitCallId(MAX_CALL_ID),
  },
  {
    id: 'openai/item-id',
    protocols: ['openai-responses'],
    refuses: 'the id of an item that begins otherwise than its kind: `fc`, `msg`, `rs`',
    accepts: '`fc_1` for a call, or no id',
    source: 'https://github.com/Wei-Shaw/sub2api/issues/3785',
    date: '2026-07-07',
    check: refuseItemId,
  },
  {
    id: 'openai/lone-reasoning',
    protocols: ['openai-responses'],
    refuses: 'reasoning with an id that no item of its answer follows',
    accepts: 'reasoning followed by its message or call',
    source:
      'https://github.com/pydantic/pydantic-ai/blob/main/tests/models/cassettes/test_openai_responses/test_openai_responses_thinking_with_modified_history.yaml',
    date: '2025-09-12',
    check: refuseLoneReasoning,
  },
  {
    id: 'openai/encrypted-reasoning',
    protocols: ['openai-responses'],
    refuses: 'encrypted reasoning that another service encrypted',
    accepts: 'encrypted reasoning of the API',
    source: 'https://github.com/openai/codex/issues/8119',
    date: '2025-12-16',
    only: true,
    check: refuseForeignReasoning,
  },
];
