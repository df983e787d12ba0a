import { findWrongName, wrongName } from '../open-models/mistral-validator.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Template } from './template.ts';

const MODELS = /mistral|mixtral|ministral|magistral|devstral/i;
/** The models whose tokenizers take no text beside calls. */
const OLDER =
  /mixtral|ministral-8b|pixtral|mistral-(?:7b|nemo|large-(?:instruct-)?24|small-(?:24|24b|3\.1|instruct-24))/i;
const OF_VALIDATOR = {
  source: 'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
  date: '2026-11-30',
};

/** The errors of Mistral's tokenizer, which vLLM renders conversations of its models with. */
export const MISTRAL_TOKENIZER: readonly Template[] = [
  {
    name: 'user-name',
    models: /mistral|mixtral|ministral|magistral|devstral/i,
    servers: ['vllm'],
    refuses: 'a `name` in a message of the user, with the tokenizer of Mistral',
    accepts: 'a message without it',
    source: 'https://github.com/vllm-project/vllm/issues/12864',
    date: '2025-02-07',
    reason: (messages) => {
      const index = messages.findIndex(({ role, name }) => role === 'user' && typeof name === 'string');
      const { name = '' } = messages[index] ?? {};
      return index === -1
        ? undefined
        : `1 validation error for ChatCompletionRequest\nmessages.${index}.user.name\n  Extra inputs are not permitted [type=extra_forbidden, input_value='${textOf(name)}', input_type=str]`;
    },
  },
  {
    name: 'user-after-result',
    models: /devstral-small-2/i,
    servers: ['vllm'],
    refuses: 'a message of the user right after a result, with the tokenizer of Devstral Small 2',
    accepts: 'an answer between them',
    source: 'https://github.com/mistralai/mistral-vibe/issues/454',
    date: '2026-03-04',
    reason: (messages) =>
      messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.['role'] === 'tool')
        ? "Unexpected role 'user' after role 'tool'"
        : undefined,
  },
  {
    name: 'last-answer',
    models: /devstral-small-2/i,
    servers: ['vllm'],
    refuses: 'a last message of the assistant, with the tokenizer of Devstral Small 2',
    accepts: 'the same with `continue_final_message: true`',
    source: 'https://github.com/mistralai/mistral-vibe/issues/114',
    date: '2025-12-30',
    reason: (messages, { body }) =>
      messages.at(-1)?.['role'] === 'assistant' && body['continue_final_message'] !== true
        ? 'Cannot set `add_generation_prompt` to True when the last message is from the assistant. Consider using `continue_final_message` instead.'
        : undefined,
  },
  {
    name: 'function-name',
    models: MODELS,
    servers: ['vllm'],
    refuses: 'a call of a name with other characters than letters, digits, `_` and `-`, with the tokenizer of Mistral',
    accepts: '`read_file`',
    ...OF_VALIDATOR,
    reason: (messages) => {
      const name = findWrongName(messages);
      return name === undefined ? undefined : wrongName(name);
    },
  },
  {
    name: 'text-beside-calls',
    models: OLDER,
    servers: ['vllm'],
    refuses: 'a text beside calls, with the tokenizers of Mistral models up to Small 3.1',
    accepts: '`content: ""` beside calls',
    source: 'https://github.com/vllm-project/vllm/issues/16774',
    date: '2025-04-17',
    reason: (messages) =>
      messages.some(({ content, tool_calls: calls }) => Boolean(content) && objectsOf(calls).length > 0)
        ? 'Assistant message must have either content or tool_calls, but not both.'
        : undefined,
  },
  {
    name: 'system-after-answer',
    models: MODELS,
    servers: ['vllm'],
    refuses: 'a system message right after an answer, with the tokenizer of Mistral',
    accepts: 'one at the start',
    ...OF_VALIDATOR,
    reason: (messages) =>
      messages.some(({ role }, index) => role === 'system' && messages[index - 1]?.['role'] === 'assistant')
        ? "Unexpected role 'system' after role 'assistant'"
        : undefined,
  },
];
