import { nearNames } from '../../scenario/suggest.ts';
import { movedParameter } from '../../wire/openai/shared.ts';
import { isSet, refuseField } from '../checks/fields.ts';
import {
  CHAT_PARAMETERS,
  FOREIGN_IN_CHAT,
  FOREIGN_IN_RESPONSES,
  RESPONSES_PARAMETERS,
  refuseParameters,
} from '../checks/foreign-fields.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, Rule, Service, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';
import { OPENAI_HISTORY_RULES } from './openai-history.ts';
import {
  isReasoning,
  MAX_COMPLETION_TOKENS,
  MAY_REASON,
  OPENAI_PARAMETER_RULES,
  unsupportedParameter,
} from './openai-parameters.ts';
import { OPENAI_PART_RULES } from './openai-parts.ts';
import { OPENAI_PICTURE_RULES } from './openai-pictures.ts';
import { OPENAI_SHAPE_RULE } from './openai-shape.ts';
import { OPENAI_TOOL_RULES } from './openai-tools.ts';

const BOTH = ['openai-chat', 'openai-responses'] as const;

/** Names at most this far from an unknown one are suggested. */
const MAX_DISTANCE = 2;

function unknown(param: string, names: readonly string[] = []): Violation {
  const near = nearNames(param, names, MAX_DISTANCE).map((name) => `'${name}'`);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  return { message: `Unknown parameter: '${param}'.${hint}`, param, code: 'unknown_parameter' };
}

/** Parameters of Chat Completions with their place in Responses. */
const MOVED: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_output_tokens',
  messages: 'input',
  reasoning_effort: 'reasoning.effort',
  response_format: 'text.format',
};

/** Refuses parameters that the API does not have. A server that only resembles the service may have others. */
const refuseUnknownArguments: Check = ({ protocol, body, isNamed }) => {
  if (!isNamed) return undefined;
  const known = protocol === 'openai-chat' ? CHAT_PARAMETERS : RESPONSES_PARAMETERS;
  const first = Object.keys(body).find((name) => !known.has(name));
  if (first === undefined) return undefined;
  return unknown(
    first,
    [...known].filter((name) => body[name] === undefined),
  );
};

/** The rules that the API checks first: the names of parameters, and the forms of their values. */
const SCHEMA_RULES: readonly Rule[] = [
  ...rulesOf('openai', {
    'moved-parameter': {
      protocols: ['openai-responses'],
      only: true,
      refuses: '`max_completion_tokens`, `messages`, `reasoning_effort` or `response_format` in Responses',
      accepts: '`max_output_tokens`, `input`, `reasoning.effort` and `text.format`',
      source: 'https://github.com/lobehub/lobehub/issues/8116',
      date: '2025-06-08',
      check: refuseParameters(Object.keys(MOVED), (name) => movedParameter(name, MOVED[name] ?? '')),
    },
    'unknown-parameter': {
      protocols: BOTH,
      only: true,
      refuses:
        'parameters of other services: `top_k`, `thinking`, `enable_thinking` …, `reasoning` in Chat Completions, and `max_tokens` in Responses',
      accepts: '`reasoning_effort`, and in Responses `reasoning` and `max_output_tokens`',
      source: 'https://github.com/teabranch/open-responses-server/issues/41',
      date: '2025-06-29',
      check: (request) => {
        const foreign = request.protocol === 'openai-chat' ? FOREIGN_IN_CHAT : FOREIGN_IN_RESPONSES;
        return refuseParameters(foreign, (name) => unknown(name))(request);
      },
    },
    'unknown-argument': {
      protocols: BOTH,
      only: true,
      refuses: 'a parameter that the API does not have, if the service is named',
      accepts: 'the parameters of the API',
      source: 'https://github.com/open-webui/open-webui/issues/13617',
      date: '2025-05-07',
      check: refuseUnknownArguments,
    },
  }),
  OPENAI_SHAPE_RULE,
];

const MODEL_RULES: readonly Rule[] = rulesOf('openai', {
  'max-tokens': {
    models: MAX_COMPLETION_TOKENS,
    refuses: '`max_tokens` with a model that reasons (o1 and later, gpt-5 and later)',
    accepts: '`max_completion_tokens`; `max_tokens` with gpt-4o and older models',
    source: 'https://github.com/langgenius/dify/issues/24307',
    date: '2025-08-21',
    check: refuseField('max_tokens', unsupportedParameter('max_tokens', 'max_completion_tokens')),
  },
  temperature: {
    protocols: BOTH,
    models: MAY_REASON,
    refuses:
      'a `temperature` other than 1 while the model reasons: with o1, o3, o4 and gpt-5, with gpt-5.1 to 5.4 at another effort than `none`, and with later ones without `none`',
    accepts: '1; any with gpt-4o, and with gpt-5.1 and later without reasoning',
    source: 'https://github.com/tmc/langchaingo/issues/1355',
    date: '2025-08-10',
    check: (request) => {
      const { protocol, model, body } = request;
      const { temperature } = body;
      if (typeof temperature !== 'number' || temperature === 1 || !isReasoning(request)) return undefined;
      if (protocol === 'openai-responses' || /^(?:o1|o3-mini)/.test(model))
        return unsupportedParameter('temperature', undefined, protocol);
      return {
        message: `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
        param: 'temperature',
        code: 'unsupported_value',
      };
    },
  },
  'tools-with-effort': {
    models: /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)/,
    refuses:
      'functions in Chat Completions with a `reasoning_effort` other than `none` from gpt-5.4 on, and without `none` from gpt-5.6 on',
    accepts: 'functions with `none`; Responses',
    source: 'https://github.com/BerriAI/litellm/pull/34569',
    date: '2026-07-24',
    check: ({ body: { reasoning_effort: effort, tools }, model }) => {
      const isEarlier = /^gpt-5\.[45]/.test(model);
      if (effort === 'none' || (isEarlier && !isSet(effort)) || listOf(tools).length === 0) return undefined;
      const instead = isEarlier
        ? 'Please use /v1/responses instead.'
        : "To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
      return {
        message: `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. ${instead}`,
        param: 'reasoning_effort',
      };
    },
  },
  'responses-only': {
    models:
      /^(?:codex-|gpt-5[.\d]*-(?:codex|pro)|o[13]-pro|o[34].*-deep-research|gpt-3\.5-turbo-instruct|text-|gpt-.*realtime)/,
    refuses:
      'a model that only Responses has: gpt-5-codex, gpt-5-pro, o3-pro …, or one of another API: gpt-4o-realtime-preview …',
    accepts: 'the same model over Responses',
    source: 'https://github.com/QuantumNous/new-api/issues/3097',
    date: '2026-03-03',
    check: ({ model }) => ({
      status: 404,
      message: /instruct|text-|realtime/.test(model)
        ? 'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?'
        : 'This model is only supported in v1/responses and not in v1/chat/completions.',
      param: 'model',
    }),
  },
  'o1-roles': {
    models: /^o1-(?:mini|preview)/,
    refuses: 'system and developer messages with o1-mini',
    accepts: 'messages of the user',
    source:
      'https://github.com/pydantic/pydantic-ai/blob/main/tests/models/cassettes/test_openai/test_openai_o1_mini_system_role[system].yaml',
    date: '2025-01-31',
    check: ({ body }) => {
      const index = objectsOf(body['messages']).findIndex(({ role }) => role === 'system' || role === 'developer');
      const role = objectsOf(body['messages'])[index]?.['role'];
      if (role === undefined) return undefined;
      const param = `messages[${index}].role`;
      return {
        message: `Unsupported value: '${param}' does not support '${textOf(role)}' with this model.`,
        param,
        code: 'unsupported_value',
      };
    },
  },
  'minimal-effort': {
    protocols: ['openai-responses'],
    refuses: '`reasoning.effort: minimal` with the tools `file_search` or `web_search`',
    accepts: '`reasoning.effort: low`',
    source: 'https://github.com/dimagi/open-chat-studio/issues/2583',
    date: '2025-12-15',
    check: ({ body }) => {
      if (objectOf(body['reasoning'])['effort'] !== 'minimal') return undefined;
      const types = objectsOf(body['tools']).map(({ type }) => textOf(type));
      const found = types.filter((type) => type === 'file_search' || type === 'web_search');
      if (found.length === 0) return undefined;
      return {
        message: `The following tools cannot be used with reasoning.effort 'minimal': ${found.join(', ')}.`,
        param: 'tools',
      };
    },
  },
});

/** OpenAI's own API. */
export const openai: Service = {
  name: 'openai',
  title: 'OpenAI',
  owns: /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:-|$))/,
  rules: [
    ...SCHEMA_RULES,
    ...OPENAI_HISTORY_RULES,
    ...OPENAI_PART_RULES,
    ...OPENAI_PICTURE_RULES,
    ...OPENAI_TOOL_RULES,
    ...MODEL_RULES,
    ...OPENAI_PARAMETER_RULES,
  ],
};
