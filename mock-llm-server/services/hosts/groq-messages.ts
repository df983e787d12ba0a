import { refuseAnswerField, refuseMessage } from '../checks/chat-messages.ts';
import { textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

/** The rules of Groq about the messages of a conversation. */
export const GROQ_MESSAGES_RULES: readonly Rule[] = rulesOf('groq', {
  'reasoning-field': {
    refuses: '`reasoning_content` or `reasoning_details` in an answer',
    accepts: '`reasoning`, with models that reason',
    source: 'https://github.com/NousResearch/hermes-agent/issues/11089',
    date: '2026-04-16',
    check: refuseAnswerField(['reasoning_content', 'reasoning_details'], (index, field) => ({
      message: `'messages.${index}' : for 'role:assistant' the following must be satisfied[('messages.${index}' : property '${field}' is unsupported)]`,
    })),
  },
  'reasoning-of-others': {
    models: /^(?:llama|kimi|gemma|mistral|allam|deepseek-r1)/,
    refuses: '`reasoning` in an answer, with a model that does not reason',
    accepts: '`reasoning` with gpt-oss',
    source: 'https://github.com/vercel/ai/pull/8057',
    date: '2025-08-14',
    check: refuseAnswerField(['reasoning'], (index) => ({
      message: `messages[${index}].reasoning: reasoning is not supported with this model`,
    })),
  },
  'system-parts': {
    models: /^(?:deepseek-r1|qwen-qwq)/,
    refuses: 'parts in a system message or a result, with deepseek-r1 and qwen-qwq',
    accepts: 'a text',
    source: 'https://github.com/huggingface/smolagents/issues/1531',
    date: '2025-07-07',
    check: refuseMessage(
      ({ role, content }) => (role === 'system' || role === 'tool') && Array.isArray(content),
      (index, { role }) => ({
        message: `'messages.${index}' : for 'role:${textOf(role)}' the following must be satisfied[('messages.${index}.content' : value must be a string)]`,
      }),
    ),
  },
  'result-content': {
    refuses: 'a result without `content`',
    accepts: 'a result with an empty text',
    source: 'https://github.com/musistudio/claude-code-router/issues/245',
    date: '2025-07-19',
    check: refuseMessage(
      ({ role, content }) => role === 'tool' && content === undefined,
      (index) => ({
        message: `'messages.${index}' : for 'role:tool' the following must be satisfied[('messages.${index}.content' : property 'content' is missing)]`,
      }),
    ),
  },
});
