import type { JsonObject } from '../../conversation/conversation.ts';
import { refuseIncompleteSchema } from '../checks/gemini.ts';
import { deepseek } from '../open-models/deepseek.ts';
import { mistral } from '../open-models/mistral.ts';
import { moonshot } from '../open-models/moonshot.ts';
import { listOf, objectOf, textOf } from '../raw.ts';
import { geminiBehindChat } from '../relay/gemini.ts';
import { relayRules, rulesNamed, UNCHANGED } from '../relay/relay.ts';
import type { Rule, Service, Violation } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

/** The error of a provider, which OpenRouter hands on. */
export function ofProvider(name: string, body: JsonObject | string): Violation {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  return { message: 'Provider returned error', fields: { metadata: { raw, provider_name: name } } };
}

/** Makers that serve their own models here over Chat Completions, with the rules of theirs that reports name. */
const MAKERS: readonly (readonly [string, Service, rules: string, models: RegExp, source: string, date: string])[] = [
  [
    'Moonshot AI',
    moonshot,
    'schema-dialect reference tool-name',
    /^kimi-k(?:2\.[5-9]|3)/,
    'https://github.com/decolua/9router/issues/772',
    '2026-04-25',
  ],
  [
    'DeepSeek',
    deepseek,
    'strict-schema tool-name',
    /^deepseek-v[4-9]/,
    'https://github.com/can1357/oh-my-pi/issues/2270',
    '2026-06-10',
  ],
  [
    'Mistral',
    mistral,
    'tool-after-user user-after-tool',
    /^(?:mistral|ministral|devstral|codestral|magistral)/,
    'https://github.com/charmbracelet/crush/issues/279',
    '2025-07-22',
  ],
];

/** The providers of the models that their makers keep closed. */
const PROVIDERS: readonly (readonly [maker: RegExp, providers: RegExp])[] = [
  [/claude/, /anthropic|bedrock|vertex|google|azure/i],
  [/gpt/, /openai|azure/i],
  [/gemini/, /google|vertex/i],
  [/grok/, /xai|azure|oracle/i],
];

/** The rules of OpenRouter for the providers of a model, and those of makers to which it hands requests on. */
export const MAKER_RULES: readonly Rule[] = [
  ...rulesOf('openrouter', {
    providers: {
      models: /^(?:claude|gpt-\d|gemini-\d|grok)-/,
      refuses: 'a list `provider.only` without a provider of the models, for Claude, GPT, Gemini and Grok',
      accepts: '`{"only":["anthropic"]}` for Claude',
      source: 'https://github.com/michelbr84/GarraRUST/issues/1299',
      date: '2026-09-21',
      check: ({ body: { provider, models }, model }) => {
        const only = listOf(objectOf(provider)['only']);
        const isServed = [model, ...listOf(models)].some((name) => {
          const [, own] = PROVIDERS.find(([maker]) => maker.test(textOf(name))) ?? [];
          return own === undefined || only.some((one) => own.test(textOf(one)));
        });
        if (only.length === 0 || isServed) return undefined;
        return { status: 404, message: 'No allowed providers are available for the selected model.' };
      },
    },
  }),
  ...MAKERS.flatMap(([name, maker, rules, models, source, date]) =>
    relayRules(
      {
        protocol: 'openai-chat',
        rules: rulesNamed(maker.rules, maker.name, rules.split(' ')),
        ...UNCHANGED,
        describe: (violation) =>
          ofProvider(
            name,
            JSON.stringify(maker.encodeError?.({ type: 'error', status: 400, code: null, ...violation }, '')),
          ),
      },
      {
        id: `openrouter/${maker.name}`,
        models,
        refuses: `what ${maker.title} refuses of a request: ${rules.replaceAll(' ', ', ')}`,
        accepts: 'the same without it',
        source,
        date,
      },
    ),
  ),
  ...relayRules(
    geminiBehindChat([{ check: refuseIncompleteSchema }], ({ message }) =>
      ofProvider(
        'Google AI Studio',
        JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, undefined, 2),
      ),
    ),
    {
      id: 'openrouter/gemini-schema',
      models: /^gemini-/,
      refuses: 'an array without `items` in a function, and a required property that is not there, with Gemini',
      accepts: '`{"type":"array","items":{"type":"string"}}`',
      source: 'https://github.com/NousResearch/hermes-agent/issues/77617',
      date: '2026-08-03',
    },
  ),
];
