import { isJsonObject } from '../../conversation/json.ts';
import { findInBlocks, requireThinking } from '../checks/anthropic/blocks.ts';
import { refuseEmptyAnswer, refuseMessage, refuseRole, requireReasoning } from '../checks/chat-messages.ts';
import { isSet, limitTools, refuseIf } from '../checks/fields.ts';
import { functionsOf, refuseToolName } from '../checks/tools.ts';
import { objectOf, objectsOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { MOONSHOT_FORM } from './answer-forms.ts';
import { refuseDialect, refuseReferences } from './moonshot-schemas.ts';
import { MOONSHOT_VALUE_RULES } from './moonshot-values.ts';

const THINKING = /^kimi-(?:k2\.[5-9]|k[3-9]|k2-thinking|thinking|for-coding)/;

const BLOCKS = "'image', 'server_tool_use', 'text', 'thinking', 'tool_result', 'tool_use', 'web_search_tool_result'";

const withoutReasoning = (index: number) => ({
  message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
});
const needsReasoning = requireReasoning(withoutReasoning, false);

/** Moonshot's own API. */
export const moonshot: Service = {
  name: 'moonshot',
  title: 'Moonshot',
  answers: MOONSHOT_FORM,
  owns: /^(?:kimi-|moonshot-)/,
  rules: [
    ...rulesOf('moonshot', {
      'retired-model': {
        models: /^(?:kimi-k2-0711-preview|kimi-latest|kimi-thinking-preview)$/,
        refuses: 'a model that is no longer served: kimi-k2-0711-preview, kimi-latest, kimi-thinking-preview',
        accepts: '`kimi-k2.6`',
        source: 'https://github.com/langgenius/dify/issues/39778',
        date: '2026-07-30',
        check: ({ model }) => ({
          status: 404,
          message: `Not found the model ${model} or Permission denied`,
          errorType: 'resource_not_found_error',
        }),
      },
      'missing-reasoning': {
        models: THINKING,
        refuses: 'an answer with calls and without `reasoning_content`, while the model thinks',
        accepts: 'the answer with its `reasoning_content`, or `thinking: {"type":"disabled"}`',
        source: 'https://github.com/labring/FastGPT/issues/6357',
        date: '2026-01-31',
        check: (request) =>
          objectOf(request.body['thinking'])['type'] === 'disabled' ? undefined : needsReasoning(request),
      },
      'missing-thinking': {
        protocols: ['anthropic-messages'],
        models: THINKING,
        refuses: 'an answer with calls and without a thinking block, with `thinking: {"type":"enabled"}`',
        accepts: 'the answer with its block',
        source: 'https://github.com/farion1231/cc-switch/pull/3377',
        date: '2026-05-30',
        check: requireThinking(withoutReasoning),
      },
      'empty-answer': {
        refuses: 'an answer without text and without calls',
        accepts: 'an answer with a text',
        source: 'https://github.com/AstrBotDevs/AstrBot/issues/7200',
        date: '2026-03-30',
        check: refuseEmptyAnswer((index) => ({
          message: `Invalid request: the message at position ${index} with role 'assistant' must not be empty`,
        })),
      },
      'empty-text': {
        refuses: 'a part with an empty text in an answer, and a result whose parts have no text',
        accepts: 'an answer with calls whose `content` is an empty text, or none',
        source: 'https://github.com/MoonshotAI/kimi-cli/pull/2035',
        date: '2026-04-23',
        check: refuseMessage(
          ({ role, content }) => {
            const parts = objectsOf(content);
            if (role === 'tool') return parts.length > 0 && !parts.some(({ type }) => type === 'text');
            return role === 'assistant' && parts.some(({ text }) => text === '');
          },
          () => ({ message: 'Invalid request: text content is empty' }),
        ),
      },
      'root-type': {
        refuses: 'a function whose schema lacks `type: object`',
        accepts: '`{"type":"object","properties":{}}`',
        source: 'https://github.com/14790897/MiqroForge-Desktop/issues/1165',
        date: '2026-09-21',
        check: (request) =>
          functionsOf(request).some(({ schema }) => isJsonObject(schema) && schema['type'] !== 'object')
            ? { message: 'Invalid request: tools.function.parameters.type is required and must be "object"' }
            : undefined,
      },
      'schema-dialect': {
        refuses:
          '`type` or `default` beside `anyOf`, a list as `items`, `required: null` or of an unknown property, an `enum` that is empty or of another type, a schema that is not an object or deeper than 10 properties, a property without a type',
        accepts: 'the type in each of the alternatives',
        source: 'https://github.com/MoonshotAI/walle/blob/main/keyword_validators.go',
        date: '2026-06-29',
        check: refuseDialect,
      },
      reference: {
        refuses: 'a `$ref` outside of `$defs`, and one beside a keyword that the definition has, too',
        accepts: '`{"$ref":"#/$defs/a"}`',
        source: 'https://github.com/MoonshotAI/kimi-cli/issues/1903',
        date: '2026-04-15',
        check: refuseReferences,
      },
      block: {
        protocols: ['anthropic-messages'],
        refuses: 'a `tool_reference` in a result',
        accepts: 'a text',
        source: 'https://github.com/MoonshotAI/kimi-cli/issues/2223',
        date: '2026-05-11',
        check: (request) =>
          findInBlocks(request, ({ type }) => (type === 'tool_reference' ? true : undefined))
            ? {
                message: /^kimi-k2/.test(request.model)
                  ? 'failed to convert tool result content: unsupported content type in ContentBlockParamUnion: tool_reference'
                  : 'Invalid request Error',
              }
            : undefined,
      },
      'tool-name': {
        refuses:
          'a function whose name does not begin with a letter, or has other characters than letters, digits, `_` and `-`',
        accepts: '`read_file`',
        source: 'https://github.com/MoonshotAI/kimi-cli/issues/1773',
        date: '2026-04-07',
        check: refuseToolName(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, () => ({
          message:
            'function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
        })),
      },
      temperature: {
        models: /^kimi-(?:k2\.[5-9]|k3|for-coding)/,
        refuses: 'a `temperature` other than 1 with kimi-k2.5 and later, or 0.6 without thinking',
        accepts: '1',
        source: 'https://github.com/Warma10032/VideoAdGuard/issues/34',
        date: '2026-04-21',
        check: ({ body: { temperature, thinking } }) => {
          const only = objectOf(thinking)['type'] === 'disabled' ? 0.6 : 1;
          return typeof temperature !== 'number' || temperature === only
            ? undefined
            : { message: `invalid temperature: only ${only} is allowed for this model` };
        },
      },
      'choice-while-thinking': {
        models: /^kimi-k2\.[5-9]/,
        refuses: 'a `tool_choice` of `required` or of a tool while the model thinks',
        accepts: '`auto`, or `thinking: {"type":"disabled"}`',
        source: 'https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152',
        date: '2026-08-31',
        check: ({ body: { tool_choice: choice, thinking } }) => {
          if (objectOf(thinking)['type'] === 'disabled' || (choice !== 'required' && !isJsonObject(choice)))
            return undefined;
          const name = choice === 'required' ? choice : 'specified';
          return { message: `tool_choice '${name}' is incompatible with thinking enabled` };
        },
      },
      'only-thinking': {
        protocols: ['openai-chat', 'anthropic-messages'],
        models: /^kimi-k2\.7-code/,
        refuses: 'thinking turned off, with kimi-k2.7-code',
        accepts: 'no `thinking`; `{"type":"disabled"}` with kimi-k2.6',
        source: 'https://github.com/MoonshotAI/Kimi-K2/issues/141',
        date: '2026-06-22',
        check: refuseIf(({ thinking }) => isSet(thinking) && objectOf(thinking)['type'] !== 'enabled', {
          message: 'invalid thinking: only type=enabled is allowed for this model',
        }),
      },
    }),
    ...MOONSHOT_VALUE_RULES,
    ...rulesOf('moonshot', {
      'thinking-and-effort': {
        models: THINKING,
        refuses: '`thinking` with `reasoning_effort`',
        accepts: 'one of them',
        source: 'https://github.com/HKUDS/nanobot/issues/3939',
        date: '2026-05-20',
        check: refuseIf(({ thinking, reasoning_effort: effort }) => isSet(thinking) && isSet(effort), {
          message: "cannot specify both 'thinking' and 'reasoning_effort'",
        }),
      },
      'developer-role': {
        models: /^(?:k3|kimi-for-coding)/,
        refuses: 'messages of the role `developer`, with the models of the coding plan',
        accepts: '`system`',
        source: 'https://github.com/NOirBRight/CodexHub/issues/169',
        date: '2026-07-17',
        check: refuseRole('developer', () => ({ message: 'Invalid request Error' })),
      },
      document: {
        protocols: ['anthropic-messages'],
        refuses: 'a block of the type `document` in a message',
        accepts: 'a text',
        source: 'https://github.com/MoonshotAI/Kimi-K2.5/issues/27',
        date: '2026-03-12',
        check: (request) => {
          const found = findInBlocks(request, ({ type }) => type === 'document' || undefined);
          return (
            found && {
              message: `${found.path}: Input tag 'document' found using 'type' does not match any of the expected tags: ${BLOCKS}`,
            }
          );
        },
      },
      'result-content': {
        protocols: ['anthropic-messages'],
        models: /^(?:(?:kimi-)?k3|kimi-for-coding)/,
        refuses: 'a result without `content`',
        accepts: 'a result whose `content` is an empty list',
        source: 'https://github.com/EYHN/kwwk/pull/142',
        date: '2026-09-16',
        check: (request) =>
          findInBlocks(request, ({ type, content }) => (type === 'tool_result' && content === undefined) || undefined)
            ? { message: 'Invalid request Error' }
            : undefined,
      },
      'too-many-tools': {
        refuses: 'more than 128 tools',
        accepts: '128 tools',
        source: 'https://github.com/MoonshotAI/Kimi-K2/issues/90',
        date: '2025-11-10',
        check: limitTools(128, () => ({ message: 'a max of 128 tools can be supported' })),
      },
    }),
  ],
  // Over Messages, a schema has the type of its definition, and thinking has rules of its own.
  turned: {
    protocols: ['anthropic-messages'],
    except: [
      'missing-reasoning',
      'empty-text',
      'root-type',
      'thinking-and-effort',
      'choice-while-thinking',
      'shape',
      'range',
      'log-probabilities',
    ],
  },
  words: [[/^An assistant message with 'tool_calls'/, "an assistant message with 'tool_calls'"]],
  encodeError: ({ message, errorType = 'invalid_request_error' }) => ({ error: { message, type: errorType } }),
};
