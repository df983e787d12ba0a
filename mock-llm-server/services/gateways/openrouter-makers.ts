import type { JsonObject } from '../../conversation/conversation.ts';
import { deepseek } from '../open-models/deepseek.ts';
import { mistral } from '../open-models/mistral.ts';
import { moonshot } from '../open-models/moonshot.ts';
import { relayRules, rulesNamed, UNCHANGED } from '../relay/relay.ts';
import type { Rule, Service, Violation } from '../service.ts';

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

/** The rules of these makers for the requests that OpenRouter hands on to them. */
export const MAKER_RULES: readonly Rule[] = MAKERS.flatMap(([name, maker, rules, models, source, date]) =>
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
);
