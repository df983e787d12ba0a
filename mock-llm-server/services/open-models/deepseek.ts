import { isJsonObject } from '../../conversation/json.ts';
import { refuseHalfCharacters } from '../checks/anthropic/requests.ts';
import { refuseEmptyAnswer, refuseMessage, refuseRole, requireReasoning } from '../checks/chat-messages.ts';
import { firstOf, isSet, ofTools, refuseIf, refuseWithoutWord } from '../checks/fields.ts';
import { limitAnswer } from '../checks/model-limits.ts';
import { requireReasoningItem } from '../checks/responses.ts';
import { findSchema, functionsOf, refuseFunction, refuseToolName } from '../checks/tools.ts';
import { DEEPSEEK_VALUES } from '../forms/open-models.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { DEEPSEEK_FORM } from './answer-forms.ts';
import { DEEPSEEK_MESSAGES_RULES, unreadable } from './deepseek-messages.ts';

const BOTH = ['openai-chat', 'anthropic-messages'] as const;
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/;
const needsReasoning = requireReasoning(
  () => ({ message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' }),
  true,
);

const needsReasoningItem = requireReasoningItem({
  message: 'The `reasoning_text` in the thinking mode must be passed back to the API.',
});

/** The words for a message without content. */
function withoutContent(message: string, param: string | null): string {
  const index = /^messages\.\[(\d+)\]\.content$/.exec(param ?? '')?.[1];
  if (index === undefined) return message;
  return `Failed to deserialize the JSON body into the target type: messages[${index}]: missing field \`content\` at line 8 column 5`;
}

/** Refuses what the reader of strict schemas cannot read: alternatives have a type, and lists of types only plain ones. */
const refuseStrictSchema = refuseFunction(({ schema, strict }) => {
  const say = (reason: string) => ({ message: `Invalid tool parameters schema : field ${reason}` });
  if (!strict) return undefined;
  if (findSchema(schema, ({ anyOf }) => objectsOf(anyOf).some((one) => !isSet(one['type']) && !isSet(one['$ref']))))
    return say('`anyOf`: missing field `type`');
  const found = findSchema(schema, ({ type }) => listOf(type).some((one) => one === 'object' || one === 'array'));
  const name = listOf(found?.node['type']).find((one) => one === 'object' || one === 'array');
  const reason = `unknown variant \`${textOf(name)}\`, expected one of \`string\`, \`number\`, \`integer\`, \`boolean\`, \`null\``;
  return found && say(`\`type\`: ${reason}`);
});

/** DeepSeek's own API. */
export const deepseek: Service = {
  name: 'deepseek',
  title: 'DeepSeek',
  answers: DEEPSEEK_FORM,
  owns: /^deepseek-(?:chat|reasoner|coder$|v\d|flash)/,
  rules: [
    ...DEEPSEEK_MESSAGES_RULES,
    ...rulesOf('deepseek', {
      'user-id': {
        refuses: 'a `user_id` with other characters than letters, digits, `_` and `-`',
        accepts: '`user-1`',
        source: 'https://github.com/vercel/ai/issues/19380',
        date: '2026-08-24',
        check: refuseIf(({ user_id: user }) => typeof user === 'string' && !/^[\w-]{1,512}$/.test(user), {
          message:
            "Invalid 'user_id': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        }),
      },
      'choice-while-thinking': {
        protocols: BOTH,
        models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
        refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
        accepts: '`auto` and `none`, or `thinking: {"type":"disabled"}`',
        source: 'https://github.com/tickernelz/opencode-mem/issues/253',
        date: '2026-08-27',
        check: refuseIf(
          ({ tool_choice: choice, thinking }) =>
            objectOf(thinking)['type'] !== 'disabled' &&
            (choice === 'required' || (isJsonObject(choice) && !['auto', 'none'].includes(textOf(choice['type'])))),
          { message: 'Thinking mode does not support this tool_choice' },
        ),
      },
      'missing-reasoning': {
        models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
        refuses: 'an answer with calls and without `reasoning_content`, while the model thinks',
        accepts: 'the answer with its `reasoning_content`, or `thinking: {"type":"disabled"}`',
        source: 'https://github.com/anomalyco/opencode/issues/24135',
        date: '2026-04-24',
        check: (request) =>
          objectOf(request.body['thinking'])['type'] === 'disabled' ? undefined : needsReasoning(request),
      },
      'missing-reasoning-item': {
        protocols: ['openai-responses'],
        models: /^deepseek-(?:reasoner|v[4-9]|flash)/,
        refuses: 'calls of the present turn without the reasoning before them, over Responses, while the model thinks',
        accepts: 'the item of the type `reasoning`, or `reasoning: {"effort":"none"}`',
        source: 'https://github.com/lidge-jun/opencodex/issues/1534',
        date: '2026-08-12',
        check: (request) =>
          objectOf(request.body['reasoning'])['effort'] === 'none' ? undefined : needsReasoningItem(request),
      },
      'half-character': {
        protocols: BOTH,
        refuses: 'half a surrogate pair in a text: `"\\ud83d"`',
        accepts: 'the whole character',
        source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/pull/271',
        date: '2026-05-29',
        check: refuseHalfCharacters((at) => ({
          message: `Failed to parse the request body as JSON: messages: lone leading surrogate in hex escape at line 1 column ${at + 1}`,
        })),
      },
      'developer-role': {
        refuses: 'messages of the role `developer`',
        accepts: '`system`',
        source: 'https://github.com/BenedictKing/ccx/issues/149',
        date: '2026-05-29',
        check: refuseRole('developer', (index) => ({
          message: `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`developer\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\`, \`latest_reminder\` at line 1 column 52`,
        })),
      },
    }),
    ...formRules('deepseek', DEEPSEEK_VALUES, {
      shape: {
        refuses:
          'a value of another type than the API reads: `temperature: "1.3"`, a tool or a call without `function`, as Responses and Anthropic write it, an unknown `reasoning_effort` …',
        accepts: '`temperature: 1.3`, `{"type":"function","function":{…}}`',
        source: 'https://github.com/danny-avila/LibreChat/issues/12804',
        date: '2026-04-24',
      },
      range: {
        refuses:
          'a `temperature` outside of 0 to 2, a `top_p` of 0 or above 1, penalties beyond 2, `top_logprobs` above 20, 17 stop sequences',
        accepts: 'a number in its range',
        source: 'https://api-docs.deepseek.com/api/create-chat-completion',
        date: '2026-11-28',
        protocols: BOTH,
      },
    }),
    ...rulesOf('deepseek', {
      'needed-flag': {
        refuses: '`stream_options` in a request that is not streamed, `top_logprobs` without `logprobs`',
        accepts: '`stream_options` with `stream: true`',
        source: 'https://api-docs.deepseek.com/api/create-chat-completion',
        date: '2026-11-30',
        check: firstOf([
          refuseIf(({ stream, stream_options: options }) => isSet(options) && stream !== true, {
            message: 'stream_options should be set along with stream = true',
          }),
          refuseIf(({ logprobs, top_logprobs: top }) => isSet(top) && logprobs !== true, {
            message: 'Invalid top_logprobs and logprobs value, logprobs must be set to true if top_logprobs is used.',
          }),
        ]),
      },
      'empty-answer': {
        refuses: 'an answer without text and without calls, also beside reasoning',
        accepts: 'an answer with one of them',
        source: 'https://github.com/AstrBotDevs/AstrBot/issues/7721',
        date: '2026-04-22',
        check: refuseEmptyAnswer(() => ({ message: 'Invalid assistant message: content or tool_calls must be set' })),
      },
      'unique-names': {
        refuses: 'two functions of one name',
        accepts: 'functions of different names',
        source: 'https://github.com/liliMozi/openhanako/issues/789',
        date: '2026-05-10',
        check: ofTools((request) => {
          const names = functionsOf(request).map(({ name }) => name);
          return new Set(names).size < names.length ? { message: 'Tool names must be unique.' } : undefined;
        }),
      },
      'result-parts': {
        refuses: 'parts as the result of a call',
        accepts: 'a text',
        source: 'https://github.com/tailcallhq/forgecode/issues/2008',
        date: '2025-11-27',
        check: refuseMessage(
          ({ role, content }) => role === 'tool' && Array.isArray(content),
          (index) => unreadable(`messages[${index}]`, 'invalid type: sequence, expected a string'),
        ),
      },
      'tool-name': {
        refuses: 'a function whose name has other characters than letters, digits, `_` and `-`',
        accepts: '`read_file-2`',
        source: 'https://github.com/nikkigallery/Whimbox/issues/61',
        date: '2026-05-04',
        check: refuseToolName(TOOL_NAME, ({ path }) => ({
          message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '${TOOL_NAME.source}'.`,
        })),
      },
      'root-type': {
        refuses: 'a function whose schema has no type',
        accepts: '`{"type":"object","properties":{}}`, and no schema',
        source: 'https://github.com/end-4/dots-hyprland/pull/3640',
        date: '2026-09-11',
        check: refuseFunction(({ schema, name }) =>
          isSet(schema) && !isSet(objectOf(schema)['type'])
            ? {
                message: `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: null'.`,
              }
            : undefined,
        ),
      },
      'strict-schema': {
        refuses:
          'an alternative without a type in the schema of a strict function, and a list of types with `object` or `array`',
        accepts: '`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":["string","null"]}`',
        source: 'https://github.com/weave-os/router/pull/162',
        date: '2026-05-16',
        // Only `/beta` reads `strict`; other paths ignore it.
        check: (request) => (/^\/(?:v1\/)?chat\//.test(request.path) ? undefined : refuseStrictSchema(request)),
      },
      'json-schema': {
        refuses: 'the format `json_schema`',
        accepts: '`json_object`',
        source: 'https://github.com/bytedance/deer-flow/issues/545',
        date: '2025-08-26',
        check: refuseIf(({ response_format: format }) => objectOf(format)['type'] === 'json_schema', {
          message: 'This response_format type is unavailable now',
        }),
      },
      'json-word': {
        refuses: 'the format `json_object` if no message contains the word JSON',
        accepts: 'a message that says JSON',
        source: 'https://github.com/Canner/WrenAI/issues/1581',
        date: '2025-04-21',
        check: refuseWithoutWord({
          message: "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
        }),
      },
      'output-limit': {
        protocols: BOTH,
        refuses: 'a `max_tokens` below 1, above 8192 with deepseek-chat or above 393216 with deepseek-v4',
        accepts: '8192',
        source: 'https://github.com/Gitlawb/openclaude/issues/35',
        date: '2026-04-01',
        check: limitAnswer(
          'deepseek',
          ({ max }) => ({ message: `Invalid max_tokens value, the valid range of max_tokens is [1, ${max}]` }),
          { min: 1 },
        ),
      },
    }),
  ],
  words: [
    [/^We could not parse the JSON body of your request:? ?/, 'Failed to parse the request body as JSON: '],
    [
      /^Missing required parameter: '(\w+)'\.$/,
      'Failed to deserialize the JSON body into the target type: missing field `$1` at line 1 column 2',
    ],
    [
      /^Invalid type for '(.+?)': expected an? (?:integer|decimal), but got a string.*$/s,
      'Failed to deserialize the JSON body into the target type: $1: invalid type: string, expected u32 at line 1 column 827',
    ],
    [
      /^(An assistant message with 'tool_calls' must be .*?\.) The following tool_call_ids.*$/s,
      '$1 (insufficient tool messages following tool_calls message)',
    ],
    [
      /^Invalid parameter: messages with role 'tool'.*$/s,
      "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    ],
  ],
  // Its other rules are about fields of Chat Completions, or not known of Responses.
  turned: {
    protocols: ['openai-responses'],
    except: [
      ...['user-id', 'choice-while-thinking', 'missing-reasoning', 'developer-role', 'shape', 'range', 'needed-flag'],
      ...['empty-answer', 'result-parts', 'picture', 'strict-schema', 'json-schema', 'json-word'],
    ],
  },
  encodeError: ({ status, message, errorType = 'invalid_request_error', param = null, code }) => ({
    error: {
      message: withoutContent(message, param),
      type: errorType,
      param,
      code: code ?? (status === 400 ? 'invalid_request_error' : null),
    },
  }),
};
