import { MESSAGES_SHAPE } from '../../../wire/anthropic/shape.ts';
import { anthropicViolation } from '../../../wire/anthropic/words.ts';
import { findFault } from '../../../wire/forms/find-faults.ts';
import {
  limitBudget,
  refuseBothSamplings,
  refuseForcedThought,
  refuseTemperatureWithThinking,
} from '../../checks/anthropic/requests.ts';
import { isSet, refuseIf } from '../../checks/fields.ts';
import { limitAnswer } from '../../checks/model-limits.ts';
import { refuseChangedParameters } from '../../checks/parameters.ts';
import { listOf, objectOf, objectsOf, textOf } from '../../raw.ts';
import type { Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

const MESSAGES = ['anthropic-messages'] as const;
/** The models from Claude 4.6 on: `claude-opus-4-6`, `claude-sonnet-5`. */
export const SINCE_4_6 = /^(?:[a-z]+\.)*claude-[a-z]+-(?:4[-.](?:[6-9]|\d\d(?!\d))|[5-9](?:-|$))/;
/** The models from Claude 4.7 on, which choose their own sampling and thinking. */
const SINCE_4_7 = /^(?:[a-z]+\.)*claude-[a-z]+-(?:4[-.](?:[7-9]|\d\d(?!\d))|[5-9](?:-|$))/;
/** The models before Claude 4.6, and Haiku 4.5. */
const BEFORE_4_6 = /^(?:[a-z]+\.)*claude-(?:\d|[a-z]+-4(?:[-.][0-5]|-20\d+|@|$))/;
/** The models that take either a temperature or `top_p`. */
const ONE_SAMPLING = /^(?:[a-z]+\.)*claude-(?:opus-4[-.][1-6]|sonnet-4[-.][56]|haiku-4[-.]5)/;

/** The rule of Anthropic for the types, values and ranges of its schema. */
export const ANTHROPIC_SHAPE_RULE: Rule = {
  id: 'anthropic/shape',
  protocols: MESSAGES,
  only: true,
  refuses:
    'a value that its schema excludes: `temperature: 1.5`, `temperature: null`, `top_k: "4"`, `service_tier: flex`, another field of `metadata` …',
  accepts: 'the values of its schema, and `max_tokens: 0`',
  source:
    'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/anthropic-messages-validation-parity.test.mjs',
  date: '2026-08-31',
  check: ({ body }) => {
    const fault = findFault(body, MESSAGES_SHAPE, false);
    return fault === undefined ? undefined : anthropicViolation(fault);
  },
};

export const ANTHROPIC_PARAMETER_RULES: readonly Rule[] = rulesOver('anthropic', MESSAGES, {
  'model-prefix': {
    only: true,
    refuses: 'a model name with the prefix of a provider or with a dot: `anthropic/claude-opus-4-5`, `claude-opus-4.5`',
    accepts: '`claude-opus-4-5`',
    source: 'https://github.com/openclaw/openclaw/issues/13806',
    date: '2026-02-11',
    check: ({ body }) => {
      const name = textOf(body['model']);
      const isDotted = /^claude-(?:[a-z]+-|3)[\d.]*\.\d/.test(name);
      if (!isDotted && !name.includes('/')) return undefined;
      const hint = isDotted ? ` was not found. Did you mean ${name.replaceAll('.', '-')}?` : '';
      return { status: 404, errorType: 'not_found_error', message: `model: ${name}${hint}` };
    },
  },
  'retired-model': {
    models: /^claude-(?:opus-4-(?:0|20250514)$|3-sonnet-2024)/,
    refuses: 'a model that is no longer served: claude-opus-4-20250514, claude-3-sonnet-20240229',
    accepts: '`claude-opus-4-5`',
    source: 'https://github.com/Shopify/shop-chat-agent/pull/69',
    date: '2026-07-22',
    check: ({ model }) => ({ status: 404, errorType: 'not_found_error', message: `model: ${model}` }),
  },
  'computer-tool': {
    refuses:
      'a computer use or text editor tool of another generation: `computer_20241022` beside Claude 3.5 Sonnet of October 2024, `text_editor_20250429` with Claude 4.6',
    accepts: '`computer_20250124` with Claude 4',
    source: 'https://github.com/trycua/cua/issues/343',
    date: '2025-08-15',
    check: ({ body, model }) => {
      const foreign = /claude-3-5-sonnet-(?:20241022|latest|v2)/.test(model) ? /^computer_2025/ : /^computer_2024/;
      const isOlder = SINCE_4_6.test(model) ? /^text_editor_(?:2024|20250[14])/ : foreign;
      const type = objectsOf(body['tools'])
        .map((tool) => textOf(tool['type']))
        .find((name) => foreign.test(name) || isOlder.test(name));
      if (type === undefined) return undefined;
      const hint = type.startsWith('text') ? ' Did you mean one of bash_20250124, text_editor_20250728?' : '';
      return { message: `'${model}' does not support tool types: ${type}.${hint}` };
    },
  },
  'forced-thinking': {
    refuses: 'a forced call with `thinking: {"type":"enabled"}`',
    accepts: '`tool_choice: {"type":"auto"}`; a forced call with adaptive thinking',
    source: 'https://github.com/mastra-ai/mastra/issues/7507',
    date: '2025-09-05',
    check: refuseForcedThought({ message: 'Thinking may not be enabled when tool_choice forces tool use.' }),
  },
  container: {
    only: true,
    refuses: 'the id of a container without the code execution tool',
    accepts: 'neither',
    source:
      'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/anthropic-messages-validation-parity.test.mjs',
    date: '2026-08-31',
    check: refuseIf(
      ({ container, tools }) =>
        typeof container === 'string' &&
        !objectsOf(tools).some(({ type }) => textOf(type).startsWith('code_execution')),
      { message: 'container: Container identifier can only be provided when using the code execution tool' },
    ),
  },
  geography: {
    only: true,
    refuses: 'an `inference_geo` other than `global` and `us`',
    accepts: '`us`',
    source:
      'https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/main/test/anthropic-messages-validation-parity.test.mjs',
    date: '2026-08-31',
    check: refuseIf(({ inference_geo: place }) => isSet(place) && place !== 'global' && place !== 'us', {
      message: "inference_geo: must be one of ['global', 'us']",
    }),
  },
  budget: {
    refuses: 'a `budget_tokens` below 1,024, or not below `max_tokens`',
    accepts: 'a `budget_tokens` of 1,024 with `max_tokens: 2048`',
    source: 'https://github.com/liuw1535/antigravity2api-nodejs/issues/149',
    date: '2026-02-10',
    check: limitBudget,
  },
  effort: {
    models: /^(?:[a-z]+\.)*claude-(?:\d|(?:sonnet|haiku)-4(?:[-.][0-5]|-20\d+|@|$)|opus-4(?:[-.][01]|-20\d+|@|$))/,
    refuses: '`output_config.effort` before Claude Opus 4.5 and Sonnet 4.6, and with Haiku 4.5',
    accepts: 'the same with Claude Opus 4.5',
    source: 'https://github.com/anthropics/claude-code/issues/30795',
    date: '2026-03-04',
    check: refuseIf(({ output_config: config }) => isSet(objectOf(config)['effort']), {
      message: 'This model does not support the effort parameter.',
    }),
  },
  'effort-without-thinking': {
    models: /^(?:[a-z]+\.)*claude-[a-z]+-[5-9](?:-|$)/,
    refuses: 'an effort above `high` while thinking is disabled, with Claude 5',
    accepts: '`high`; `xhigh` with adaptive thinking',
    source: 'https://github.com/logancyang/obsidian-copilot/issues/2843',
    date: '2026-08-14',
    check: ({ body: { thinking, output_config: config } }) => {
      const { effort } = objectOf(config);
      if (objectOf(thinking)['type'] !== 'disabled' || !/^(?:xhigh|max)$/.test(textOf(effort))) return undefined;
      return {
        message: `output_config.effort '${textOf(effort)}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`,
      };
    },
  },
  adaptive: {
    models: BEFORE_4_6,
    refuses: '`thinking.type: adaptive` before Claude 4.6',
    accepts: '`thinking.type: enabled` with a budget',
    source: 'https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking',
    date: '2026-11-28',
    check: refuseIf(({ thinking }) => objectOf(thinking)['type'] === 'adaptive', {
      message: 'adaptive thinking is not supported on this model',
    }),
  },
  'stop-sequence': {
    only: true,
    refuses: 'a stop sequence of white space alone',
    accepts: '`\\n\\nHuman:`',
    source: 'https://github.com/BerriAI/litellm/issues/3286',
    date: '2024-04-25',
    check: refuseIf(
      ({ stop_sequences: list }) => listOf(list).some((text) => typeof text === 'string' && text.trim() === ''),
      { message: 'stop_sequences: each stop sequence must contain non-whitespace' },
    ),
  },
  'both-samplings': {
    models: ONE_SAMPLING,
    refuses: '`temperature` with `top_p`, with Claude 4.1 to 4.6',
    accepts: 'one of them',
    source: 'https://github.com/skydiscover-ai/skydiscover/issues/15',
    date: '2026-03-10',
    check: refuseBothSamplings,
  },
  'temperature-with-thinking': {
    refuses: 'a `temperature` other than 1 while the model thinks',
    accepts: '1',
    source: 'https://github.com/mnfst/modelparams.dev/issues/214',
    date: '2026-08-09',
    check: refuseTemperatureWithThinking,
  },
  temperature: {
    models: SINCE_4_7,
    refuses: 'a `temperature` or `top_p` other than 1, and any `top_k`, with Claude 4.7 and later',
    accepts: 'none of them',
    source: 'https://github.com/UKGovernmentBEIS/inspect_ai/issues/3721',
    date: '2026-04-20',
    check: refuseChangedParameters({ temperature: 1, top_p: 1, top_k: null }, (name) => ({
      message: `\`${name}\` is deprecated for this model.`,
    })),
  },
  'thinking-budget': {
    models: SINCE_4_7,
    refuses: '`thinking.type: enabled` with Claude 4.7 and later',
    accepts: '`thinking.type: adaptive`',
    source: 'https://github.com/OpenHands/software-agent-sdk/pull/3427',
    date: '2026-05-29',
    check: refuseIf(({ thinking }) => objectOf(thinking)['type'] === 'enabled', {
      message:
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    }),
  },
  'max-tokens': {
    refuses:
      '`max_tokens` above the limit of the model: 4096 with Claude 3, 8192 with 3.5, 32000 with Opus 4 and 4.1, 64000 with Sonnet 4 and the models of 4.5, 128000 with Opus 4.6 to 4.8, Sonnet 4.6 and Sonnet 5',
    accepts: 'its limit',
    source: 'https://github.com/Effect-TS/effect/pull/7129',
    date: '2026-08-07',
    check: limitAnswer('anthropic', ({ wanted, max, model }) => ({
      message: `max_tokens: ${wanted} > ${max}, which is the maximum allowed number of output tokens for ${model}`,
    })),
  },
});
