import type { JsonObject, ServiceName } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { functionsOf } from '../checks/tools.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import { chatMessages } from '../relay/turn-into-chat.ts';
import type { Rule, Violation } from '../service.ts';
import { MISTRAL_TOKENIZER } from './mistral-tokenizer.ts';
import type { Template } from './template.ts';

const ALL: readonly ServiceName[] = ['vllm', 'sglang', 'llamacpp', 'lmstudio'];
const OPTIONAL_SYSTEM = /v0\.3|nemo|small|large|ministral|magistral/i;
/** The template of Qwen 3.5, which fine-tuned models keep. */
const QWEN = /qwen3\.[5-9]|qwen3-(?:next|coder)|pocket-35b/i;
/** A model of Hugging Face, whose own template Ollama renders. */
const OF_HUGGING_FACE = /^(?:hf\.co|huggingface\.co)\//;
const CALL_ID = /^[a-zA-Z0-9]{9}$/;

const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer';
/** True if a value within another one is neither a text, a boolean nor an object. */
function hasSequence(value: unknown): boolean {
  if (isJsonObject(value)) return Object.values(value).some(hasSequence);
  return typeof value !== 'string' && typeof value !== 'boolean';
}

const callsOf = (message: JsonObject) => objectsOf(message['tool_calls']);

/** True if the user and the assistant do not take turns, after a system message and apart from calls and results. */
function breaksTurns(messages: readonly JsonObject[]): boolean {
  const [first] = messages;
  const rest = first !== undefined && isSystem(first) ? messages.slice(1) : messages;
  const turns = rest.filter((message) => message['role'] !== 'tool' && callsOf(message).length === 0);
  return turns.some((message, index) => isSystem(message) || (message['role'] === 'user') !== (index % 2 === 0));
}

/** True if two neighbours have one role, of the user or the assistant. */
function hasNeighbours(messages: readonly JsonObject[]): boolean {
  return messages.some(
    ({ role }, index) => (role === 'user' || role === 'assistant') && messages[index - 1]?.['role'] === role,
  );
}

function hasQuery({ role, content }: JsonObject): boolean {
  const text = textOf(content).trim();
  return role === 'user' && !(text.startsWith('<tool_response>') && text.endsWith('</tool_response>'));
}

const TEMPLATES: readonly Template[] = [
  {
    name: 'alternation',
    models: /gemma-?[23]|llama-?2|(?:mistral|mixtral|ministral(?!-3-)).*(?:instruct|8b|7b)/i,
    servers: ALL,
    refuses: 'two neighbours of one role, with the templates of Gemma, Llama 2 and older Mistral models',
    accepts: 'the user and the assistant in turn',
    source: 'https://github.com/vllm-project/vllm/issues/6862',
    date: '2024-07-27',
    reason: (messages, { model }) => {
      if (!breaksTurns(messages)) return undefined;
      const start = OPTIONAL_SYSTEM.test(model) ? 'After the optional system message, conversation' : 'Conversation';
      return `${start} roles must alternate user/assistant/user/assistant/...`;
    },
  },
  {
    name: 'system-role',
    models: /gemma-?[12](?!\d)|(?:mistral-7b|mixtral-8x7b).*(?:awq|gptq|v0\.3$)/i,
    servers: ALL,
    refuses: 'a system message, with the templates of Gemma 2 and of quantised Mistral 7B and Mixtral',
    accepts: 'a message of the user at the start',
    source: 'https://github.com/mastra-ai/mastra/issues/6253',
    date: '2025-07-24',
    reason: (messages, { model }) => {
      if (!messages.some(isSystem)) return undefined;
      if (/gemma/i.test(model)) return 'System role not supported';
      return /awq|gptq/i.test(model)
        ? 'Conversation roles must alternate user/assistant/user/assistant/...'
        : 'Only user and assistant roles are supported!';
    },
  },
  {
    name: 'devstral-alternation',
    models: /devstral-small-2|ministral-3-/i,
    servers: [...ALL, 'ollama'],
    refuses: 'two neighbours of one role, with the templates of Devstral Small 2 and of models named `ministral-3-…`',
    accepts: 'the user and the assistant in turn',
    source: 'https://github.com/ggml-org/llama.cpp/issues/19851',
    date: '2026-02-24',
    reason: (messages) =>
      hasNeighbours(messages)
        ? 'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'
        : undefined,
  },
  {
    name: 'user-query',
    models: QWEN,
    servers: [...ALL, 'ollama'],
    refuses: 'a conversation without a message of the user, with the templates of Qwen 3.5 and later',
    accepts: 'one with such a message',
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/4982',
    date: '2026-06-25',
    reason: (messages) =>
      messages.length > 0 && !messages.some(hasQuery) ? 'No user query found in messages.' : undefined,
  },
  {
    name: 'late-system',
    models: QWEN,
    servers: [...ALL, 'ollama'],
    refuses: 'a message of the system or the developer that is not the first, with the templates of Qwen 3.5 and later',
    accepts: 'one system message at the start',
    source: 'https://github.com/tailcallhq/forgecode/issues/2586',
    date: '2026-03-16',
    reason: (messages) => (messages.slice(1).some(isSystem) ? 'System message must be at the beginning.' : undefined),
  },
  {
    name: 'developer-role',
    models: QWEN,
    servers: ['vllm', 'sglang'],
    refuses: 'a message of the developer, with the templates of Qwen 3.5 and later',
    accepts: 'a system message',
    source: 'https://github.com/0xku/kon/issues/5',
    date: '2026-02-25',
    reason: (messages) => (messages.some(({ role }) => role === 'developer') ? 'Unexpected message role.' : undefined),
  },
  {
    name: 'one-call',
    models: /llama-?3[.-][123]/i,
    servers: ['vllm', 'sglang', 'lmstudio'],
    refuses: 'two calls in an answer, with the templates of Llama 3.1 to 3.3',
    accepts: 'one call',
    source: 'https://github.com/vllm-project/vllm/issues/25108',
    date: '2025-09-17',
    reason: (messages) =>
      messages.some((message) => callsOf(message).length > 1)
        ? 'This model only supports single tool-calls at once!'
        : undefined,
  },
  {
    name: 'picture-with-system',
    models: /llama-?3[.-]2-(?:11|90)b-vision/i,
    servers: ['vllm'],
    refuses: 'a system message beside a picture, with the template of Llama 3.2 Vision',
    accepts: 'a picture without a system message',
    source: 'https://github.com/vllm-project/vllm/issues/8854',
    date: '2024-09-26',
    reason: (messages) =>
      messages.some(isSystem) &&
      messages.some(({ content }) => objectsOf(content).some(({ type }) => type === 'image_url'))
        ? 'Prompting with images is incompatible with system messages.'
        : undefined,
  },
  {
    name: 'text-and-thinking',
    models: /gpt-oss/i,
    servers: ['lmstudio', 'llamacpp'],
    refuses: 'a text and reasoning beside calls, with the template of gpt-oss',
    accepts: 'one of them',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/842',
    date: '2025-08-05',
    reason: (messages) =>
      messages.some((message) => {
        const { content, thinking, reasoning_content: reasoning = thinking } = message;
        return callsOf(message).length > 0 && Boolean(content) && Boolean(reasoning);
      })
        ? 'Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.'
        : undefined,
  },
  {
    name: 'channel-text',
    models: /gpt-oss/i,
    servers: ['lmstudio', 'llamacpp'],
    refuses: 'an answer whose text has the tags of its channels, with the template of gpt-oss',
    accepts: 'the text of the last channel alone',
    source: 'https://github.com/ggml-org/llama.cpp/issues/15242',
    date: '2025-08-11',
    reason: (messages) =>
      messages.some(
        ({ role, content }) => role === 'assistant' && JSON.stringify(content ?? '').includes('<|channel|>'),
      )
        ? "You have passed a message containing <|channel|> tags in the content field. Instead of doing this, you should pass analysis messages (the string between '<|message|>' and '<|end|>') in the 'thinking' field, and final messages (the string between '<|message|>' and '<|end|>') in the 'content' field."
        : undefined,
  },
  {
    name: 'numbers',
    models: /gemma-?4/i,
    servers: ['lmstudio'],
    refuses: 'a number or a list in the arguments of a call, with the template of Gemma 4',
    accepts: 'texts',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2233',
    date: '2026-08-02',
    reason: (messages) =>
      messages
        .flatMap(callsOf)
        .some(({ function: called }) => hasSequence(tryJson(textOf(objectOf(called)['arguments']))))
        ? 'Unknown test: sequence'
        : undefined,
  },
  {
    name: 'untyped-property',
    models: /gemma-?4/i,
    servers: ['lmstudio'],
    refuses: 'a property without a type, with the template of Gemma 4',
    accepts: '`{"type":"string"}`',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2012',
    date: '2026-06-05',
    reason: (_messages, request) =>
      functionsOf(request).some(({ schema }) =>
        Object.values(objectOf(objectOf(schema)['properties'])).some((property) => !isSet(objectOf(property)['type'])),
      )
        ? 'Cannot call something that is not a function: got UndefinedValue'
        : undefined,
  },
  {
    name: 'property-items',
    models: /gpt-oss/i,
    servers: ['lmstudio'],
    refuses: 'a property with the name `items`, with the template of gpt-oss',
    accepts: 'another name',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2180',
    date: '2026-07-20',
    reason: (_messages, request) =>
      functionsOf(request).some(({ schema }) => isSet(objectOf(objectOf(schema)['properties'])['items']))
        ? 'Cannot call something that is not a function: got ObjectValue'
        : undefined,
  },
  {
    name: 'call-id',
    models: /mistral|mixtral|ministral|magistral|devstral(?!.*(?:2512|small-2))/i,
    servers: ALL,
    refuses: 'the id of a call that is not nine letters and digits, with the templates of Mistral models',
    accepts: 'an id of nine letters and digits',
    source: 'https://github.com/ggml-org/llama.cpp/pull/14349',
    date: '2025-06-25',
    reason: (messages, { recall }) =>
      messages.flatMap(callsOf).some(({ id }) => !CALL_ID.test(textOf(id)) && recall(textOf(id)) === undefined)
        ? 'Tool call IDs should be alphanumeric strings with length 9!'
        : undefined,
  },
  {
    name: 'lone-result',
    models: /gpt-oss/i,
    servers: ['llamacpp', 'lmstudio'],
    refuses: 'a result after an answer without calls, or before any answer, with the template of gpt-oss',
    accepts: 'a result after the answer with its call',
    source: 'https://github.com/skye-harris/hass_local_openai_llm/issues/18',
    date: '2026-01-12',
    reason: (messages) =>
      messages.some(({ role }, index) => {
        const answer = messages.slice(0, index).findLast((message) => message['role'] === 'assistant');
        return role === 'tool' && (answer === undefined || callsOf(answer).length === 0);
      })
        ? 'Message has tool role, but there was no previous assistant message with a tool call!'
        : undefined,
  },
  ...MISTRAL_TOKENIZER,
];

/** The rules of templates that a server renders. `describe` words the exception as the server does. */
export function templateRules(
  server: ServiceName,
  describe: (reason: string, name: string) => Violation,
): readonly Rule[] {
  return TEMPLATES.filter(({ servers }) => servers.includes(server)).map(({ name, servers: _, reason, ...rest }) => ({
    ...rest,
    id: `${server}/${name}`,
    protocols: [
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
      ...(server === 'ollama' ? (['ollama'] as const) : []),
    ],
    check: (request) => {
      if (server === 'ollama' && rest.models === QWEN && !OF_HUGGING_FACE.test(request.model)) return undefined;
      const found = reason(chatMessages(request), request);
      return found === undefined ? undefined : describe(found, name);
    },
  }));
}
