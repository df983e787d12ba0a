import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { findInBlocks, requireThinking } from '../checks/anthropic-blocks.ts';
import { refuseEmptyAnswer, requireReasoning } from '../checks/chat-messages.ts';
import { isSet, limitNumbers, refuseIf } from '../checks/fields.ts';
import { findSchema, functionsOf, refuseToolName } from '../checks/tools.ts';
import { objectOf } from '../raw.ts';
import type { Check, Service } from '../service.ts';
import { MOONSHOT_FORM } from './answer-forms.ts';

const CHAT = ['openai-chat'] as const;
const THINKING = /^kimi-(?:k2\.[5-9]|k[3-9]|k2-thinking|thinking|for-coding)/;

const withoutReasoning = (index: number) => ({
  message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
});
const needsReasoning = requireReasoning(withoutReasoning, false);

/** Refuses schemas that are no objects, that have a type beside `anyOf`, or a list as `items`. */
const refuseDialect: Check = (request) => {
  const format = objectOf(objectOf(request.body['response_format'])['json_schema'])['schema'];
  const schemas = [
    ...functionsOf(request).map(({ schema }) => ['tools.function.parameters', schema] as const),
    ['response_format.json_schema', format] as const,
  ];
  for (const [place, schema] of schemas) {
    if (!isJsonObject(schema)) continue;
    const found = findSchema(schema, (node) => reasonOf(node) !== undefined);
    if (found === undefined) continue;
    const [reason, inside = []] = reasonOf(found.node) ?? [];
    const path = [...found.context, ...inside].join('.') || 'root';
    const details = `<At path '${path}': ${reason}>`;
    return {
      message: `Invalid request: ${place} is not a valid moonshot flavored json schema, details: ${details}`,
    };
  }
  return undefined;
};

/** The fault of a schema, and the place in it that the error names. */
function reasonOf(
  node: Readonly<Record<string, unknown>>,
): readonly [reason: string, inside?: readonly string[]] | undefined {
  const { anyOf, type, items, properties, required, default: preset } = node;
  if (isSet(anyOf) && preset !== undefined) return ["keyword 'default' is not allowed at the same level as anyOf"];
  if (isSet(anyOf) && isSet(type))
    return ['when using anyOf, type should be defined in anyOf items instead of the parent schema'];
  if (Array.isArray(items)) return ['items must be an object'];
  if (required !== undefined && !Array.isArray(required)) return ['required must be an array', ['required']];
  const wrong = Object.entries(objectOf(properties)).find(([, value]) => !isJsonObject(value));
  if (wrong !== undefined) return [`property schema for '${wrong[0]}' must be an object`, ['properties']];
  const untyped = Object.entries(objectOf(properties)).find(([, value]) => isUntyped(objectOf(value)));
  return untyped === undefined ? undefined : [`type is not defined for property '${untyped[0]}'`];
}

/** Refuses references that the dialect does not have. */
const refuseReferences: Check = (request) => {
  for (const { schema } of functionsOf(request)) {
    const root = objectOf(schema);
    const found = findSchema(schema, (node) => faultOfReference(root, node) !== undefined);
    if (found === undefined) continue;
    const details = `<At path '${found.context.join('.')}${faultOfReference(root, found.node)}>`;
    return {
      message: `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: ${details}`,
    };
  }
  return undefined;
};

function faultOfReference(root: JsonObject, { $ref: reference, ...rest }: JsonObject): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(reference)?.[1];
  if (name === undefined) return ".$ref': references must start with #/$defs/";
  const definition = objectOf(objectOf(root['$defs'] ?? root['definitions'])[name]);
  const both = Object.keys(rest).find((key) => definition[key] !== undefined);
  return both === undefined ? undefined : `': conflicting keywords found after $ref expansion: ${both}`;
}

/** A schema that says nothing of its values. */
function isUntyped(node: Readonly<Record<string, unknown>>): boolean {
  return !['type', 'anyOf', '$ref', 'enum', 'const', 'oneOf', 'allOf'].some((key) => isSet(node[key]));
}

/** Moonshot's own API. */
export const moonshot: Service = {
  name: 'moonshot',
  title: 'Moonshot',
  answers: MOONSHOT_FORM,
  owns: /^(?:kimi-|moonshot-)/,
  rules: [
    {
      id: 'moonshot/retired-model',
      protocols: CHAT,
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
    {
      id: 'moonshot/missing-reasoning',
      protocols: CHAT,
      models: THINKING,
      refuses: 'an answer with calls and without `reasoning_content`, while the model thinks',
      accepts: 'the answer with its `reasoning_content`, or `thinking: {"type":"disabled"}`',
      source: 'https://github.com/labring/FastGPT/issues/6357',
      date: '2026-01-31',
      check: (request) =>
        objectOf(request.body['thinking'])['type'] === 'disabled' ? undefined : needsReasoning(request),
    },
    {
      id: 'moonshot/missing-thinking',
      protocols: ['anthropic-messages'],
      models: THINKING,
      refuses: 'an answer with calls and without a thinking block, with `thinking: {"type":"enabled"}`',
      accepts: 'the answer with its block',
      source: 'https://github.com/farion1231/cc-switch/pull/3377',
      date: '2026-05-30',
      check: requireThinking(withoutReasoning),
    },
    {
      id: 'moonshot/empty-answer',
      protocols: CHAT,
      refuses: 'an answer without text and without calls',
      accepts: 'an answer with a text',
      source: 'https://github.com/AstrBotDevs/AstrBot/issues/7200',
      date: '2026-03-30',
      check: refuseEmptyAnswer((index) => ({
        message: `Invalid request: the message at position ${index} with role 'assistant' must not be empty`,
      })),
    },
    {
      id: 'moonshot/root-type',
      protocols: CHAT,
      refuses: 'a function whose schema lacks `type: object`',
      accepts: '`{"type":"object","properties":{}}`',
      source: 'https://github.com/14790897/MiqroForge-Desktop/issues/1165',
      date: '2026-09-21',
      check: (request) =>
        functionsOf(request).some(({ schema }) => isJsonObject(schema) && schema['type'] !== 'object')
          ? { message: 'Invalid request: tools.function.parameters.type is required and must be "object"' }
          : undefined,
    },
    {
      id: 'moonshot/schema-dialect',
      protocols: CHAT,
      refuses:
        '`type` or `default` beside `anyOf`, a list as `items`, `required: null`, a schema that is not an object, a property without a type',
      accepts: 'the type in each of the alternatives',
      source: 'https://github.com/vercel/ai/pull/18921',
      date: '2026-08-14',
      check: refuseDialect,
    },
    {
      id: 'moonshot/reference',
      protocols: CHAT,
      refuses: 'a `$ref` outside of `$defs`, and one beside a keyword that the definition has, too',
      accepts: '`{"$ref":"#/$defs/a"}`',
      source: 'https://github.com/MoonshotAI/kimi-cli/issues/1903',
      date: '2026-04-15',
      check: refuseReferences,
    },
    {
      id: 'moonshot/block',
      protocols: ['anthropic-messages'],
      refuses: 'a `tool_reference` in a result',
      accepts: 'a text',
      source: 'https://github.com/MoonshotAI/kimi-cli/issues/2223',
      date: '2026-05-11',
      check: (request) =>
        findInBlocks(request, ({ type }) => (type === 'tool_reference' ? true : undefined))
          ? { message: 'Invalid request Error' }
          : undefined,
    },
    {
      id: 'moonshot/tool-name',
      protocols: CHAT,
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
    {
      id: 'moonshot/temperature',
      protocols: CHAT,
      models: /^kimi-(?:k2\.[5-9]|for-coding)/,
      refuses: 'a `temperature` other than 1 with kimi-k2.5, or 0.6 without thinking',
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
    {
      id: 'moonshot/choice-while-thinking',
      protocols: CHAT,
      models: /^kimi-k2\.[6-9]/,
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
    {
      id: 'moonshot/only-thinking',
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
    {
      id: 'moonshot/range',
      protocols: CHAT,
      refuses: 'a `temperature` outside of 0 to 1, a `top_p` outside of 0 to 1, `n` above 5',
      accepts: 'a number in its range',
      source: 'https://platform.moonshot.ai/docs/api/chat',
      date: '2026-11-28',
      check: limitNumbers(
        { temperature: { min: 0, max: 1 }, top_p: { min: 0, max: 1 }, n: { min: 1, max: 5 }, max_tokens: { min: 1 } },
        (field) => ({ message: `Invalid request: invalid ${field}` }),
      ),
    },
    {
      id: 'moonshot/thinking-and-effort',
      protocols: CHAT,
      models: THINKING,
      refuses: '`thinking` with `reasoning_effort`',
      accepts: 'one of them',
      source: 'https://github.com/HKUDS/nanobot/issues/3939',
      date: '2026-05-20',
      check: refuseIf(({ thinking, reasoning_effort: effort }) => isSet(thinking) && isSet(effort), {
        message: "cannot specify both 'thinking' and 'reasoning_effort'",
      }),
    },
  ],
  words: [[/^An assistant message with 'tool_calls'/, "an assistant message with 'tool_calls'"]],
  encodeError: ({ message, errorType = 'invalid_request_error' }) => ({ error: { message, type: errorType } }),
};
