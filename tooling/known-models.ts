/**
 * Writes src/providers/limits/known-models.ts from the list of models that the package litellm carries:
 *
 *     pip download --no-deps litellm && unzip -j litellm-*.whl 'litellm/model_prices_and_context_window_backup.json'
 *     node tooling/known-models.ts model_prices_and_context_window_backup.json 1.108.7 2026-11-28
 *
 * The arguments are the file, the version of the package and the date on which it was read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const PROVIDERS = ['openai', 'anthropic', 'gemini', 'deepseek', 'moonshot', 'xai', 'mistral', 'groq'];

/** Rows that the list does not have. */
const OTHERS = ["  ['apple-on-device', 4_096, 4_096, 0, 0, 0, 't'],"];

/** A release of the same model, which the search for a row leaves out of the name. */
const DATED = /-\d{4}-?\d{2}-?\d{2}$/;

const row = z.object({
  litellm_provider: z.enum(PROVIDERS),
  mode: z.enum(['chat', 'responses']),
  max_input_tokens: z.number().int(),
  max_output_tokens: z.number().int(),
  input_cost_per_token: z.number(),
  output_cost_per_token: z.number(),
  cache_read_input_token_cost: z.number().optional(),
  supports_function_calling: z.literal(true),
  supports_vision: z.boolean().nullish(),
  supports_reasoning: z.boolean().nullish(),
});

const [file = '', version = '', date = ''] = process.argv.slice(2);
const list = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
const rows = Object.entries(list).flatMap(([key, value]) => {
  const parsed = row.safeParse(value);
  const name = key.replace(/^[^/]*\//, '').replace(/^.*\//, '');
  return !parsed.success || DATED.test(name) || /audio|realtime|image|search|tts/.test(name)
    ? []
    : [{ name, ...parsed.data }];
});
const unique = [...new Map(rows.toReversed().map((each) => [each.name, each])).values()];
const lines = unique
  .toSorted((left, right) => (left.name < right.name ? -1 : 1))
  .map((each) => {
    // OpenAI states the part of these windows that a request may fill.
    const isPart = each.litellm_provider === 'openai' && each.max_input_tokens === 272_000;
    const window = isPart ? each.max_input_tokens + each.max_output_tokens : each.max_input_tokens;
    const input = perMillion(each.input_cost_per_token);
    const cached = perMillion(each.cache_read_input_token_cost ?? each.input_cost_per_token);
    const abilities = `t${each.supports_vision === true ? 'v' : ''}${each.supports_reasoning === true ? 'r' : ''}`;
    const prices = [input, perMillion(each.output_cost_per_token), cached].join(', ');
    return `  ['${each.name}', ${grouped(window)}, ${grouped(each.max_output_tokens)}, ${prices}, '${abilities}'],`;
  });
const text = `// Written by tooling/known-models.ts from the list of the package litellm (MIT), version ${version}.

/** The date of the rows. */
export const KNOWN_MODELS_DATE = '${date}';

/** The source of the rows. */
export const KNOWN_MODELS_SOURCE = 'litellm ${version}';

/**
 * Name, context window, longest answer, and the prices of input, output and cached input in US dollars per million
 * tokens. Abilities: \`t\` tools, \`v\` pictures, \`r\` reasoning.
 */
export type KnownRow = readonly [
  name: string,
  window: number,
  answer: number,
  input: number,
  output: number,
  cached: number,
  abilities: string,
];

/** The known models, by name. */
export const KNOWN_MODELS: readonly KnownRow[] = [
${[...OTHERS, ...lines].join('\n')}
];
`;
writeFileSync(path.join(import.meta.dirname, '../src/providers/limits/known-models.ts'), text);

function perMillion(price: number): number {
  return Number((price * 1_000_000).toFixed(6));
}

function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', '_');
}
