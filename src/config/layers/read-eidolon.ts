import * as z from 'zod';
import { ConfigError } from '../config-error.ts';
import type { Profile } from '../schema/profile-schema.ts';
import { describeIssue } from './describe-issue.ts';
import { parseJson } from './json-text.ts';
import type { ConfigLayer } from './read-layer.ts';

/** The configuration of Eidolon, as a layer of ours. */
export interface EidolonConfig {
  readonly layer: ConfigLayer;
  /** The keys in the file, by the names that the profiles have in `api_key_variable`. */
  readonly keys: Readonly<Record<string, string>>;
}

const text = z.string().trim().min(1).nullish();
const connectionSchema = z.object({ provider: text, apiKind: text, model: text, apiKey: text, baseUrl: text });
const fileSchema = z.object({
  models: z.object({ active: text, profiles: z.array(connectionSchema.extend({ name: text })).nullish() }).nullish(),
  // The form before there were profiles.
  model: connectionSchema.nullish(),
});

type Connection = z.output<typeof connectionSchema>;

/**
 * Reads `~/.eidolon/config.json`: `models.profiles` and `models.active`, or the single `model` of an older file. Other
 * keys are ignored. This is the only file whose keys are used. Throws `ConfigError`, whose message repeats no value.
 */
export async function readEidolon(source: string, content: string): Promise<EidolonConfig> {
  const parsed = fileSchema.safeParse(await parseJson(source, content));
  if (!parsed.success) {
    const problem = describeIssue('', parsed.error);
    throw new ConfigError(source, `${problem}. Correct it, or create a configuration file of ybs, which replaces it.`);
  }
  const { models, model } = parsed.data;
  const connections: readonly (Connection & { readonly name?: string | null | undefined })[] =
    models?.profiles ?? (model ? [{ ...model, name: 'default' }] : []);
  const keys: Record<string, string> = {};
  const profiles = connections.map(({ name, provider, apiKind, model: modelName, apiKey, baseUrl }, index): Profile => {
    const profile = name ?? `profile ${index + 1}`;
    const variable = `~/.eidolon/config.json#${profile}`;
    if (apiKey) keys[variable] = apiKey;
    return {
      name: profile,
      provider: provider ?? undefined,
      apiKind: apiKind ?? 'openai',
      model: modelName ?? undefined,
      endpoint: baseUrl ?? undefined,
      api_key_variable: apiKey ? variable : undefined,
    };
  });
  const values = new Map<string, unknown>([['models.profiles', profiles]]);
  if (models?.active) values.set('models.active', models.active);
  return { layer: { source, trusted: true, values, warnings: [] }, keys };
}
