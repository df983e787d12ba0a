import * as z from 'zod';
import type { ConfigKey, ConfigKeys } from './keys.ts';
import type { ConfigLayer } from './read-layer.ts';
import type { Config } from './schema.ts';

/** The configuration of a session. */
export interface LoadedConfig {
  readonly config: Config;
  /** Settings without effect, one line each, for the user. */
  readonly warnings: readonly string[];
}

/** Keys whose values belong to one provider and are meaningless to another. */
const PROVIDER_KEYS = ['llm.model', 'llm.endpoint', 'llm.api_key_variable'];

const listSchema = z.array(z.string());

/**
 * Merges layers in order of increasing precedence. A value replaces an earlier one, even if both are lists. A layer that
 * changes the provider drops model, endpoint and key variable of the earlier layers. A layer that is not trusted may
 * only make the changes that `PROJECT_RULES` describes.
 */
export function mergeLayers(keys: ConfigKeys, layers: readonly ConfigLayer[]): LoadedConfig {
  const settings = new Map<string, unknown>([...keys.byName.values()].map((key) => [key.name, key.default]));
  const warnings = layers.flatMap((layer) => {
    const ignored = layer.trusted ? applyTrusted(layer, settings) : applyProject(layer, settings, keys);
    return [...layer.warnings, ...ignored];
  });
  const entries = [...settings].map(([name, value]) => [name.split('.'), value] as const);
  return { config: keys.schema.parse(nest(entries)), warnings };
}

function applyTrusted({ values }: ConfigLayer, settings: Map<string, unknown>): readonly string[] {
  const provider = values.get('llm.provider');
  if (provider !== undefined && provider !== settings.get('llm.provider')) {
    for (const name of PROVIDER_KEYS) settings.set(name, undefined);
  }
  for (const [name, value] of values) settings.set(name, value);
  return [];
}

function applyProject(
  { source, values }: ConfigLayer,
  settings: Map<string, unknown>,
  keys: ConfigKeys,
): readonly string[] {
  return [...keys.byName.values()].flatMap((key) => {
    if (!values.has(key.name)) return [];
    const result = restrict(key, settings.get(key.name), values.get(key.name));
    if (result.type === 'ignored') return [`${source}: ${key.name} is ignored: ${result.reason}.`];
    settings.set(key.name, result.value);
    return [];
  });
}

type Restriction =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'ignored'; readonly reason: string };

/** The new value of a key that a project file sets to `wanted`. */
function restrict(key: ConfigKey, current: unknown, wanted: unknown): Restriction {
  switch (key.project) {
    case 'ignored':
      return ignored('may not set it. Set it in your own configuration instead');
    case 'applied':
      return { type: 'value', value: wanted };
    case 'lower':
      return Number(wanted) > Number(current)
        ? ignored(`may only lower it, and it is ${current}`)
        : { type: 'value', value: wanted };
    case 'add':
      return { type: 'value', value: [...new Set([...listSchema.parse(current), ...listSchema.parse(wanted)])] };
    case 'disable':
      return wanted === true && current === false ? ignored('may only turn it off') : { type: 'value', value: wanted };
  }
}

function ignored(rule: string): Restriction {
  return { type: 'ignored', reason: `a project file ${rule}` };
}

/** Builds an object from paths and values; the paths come from the schema. */
function nest(entries: readonly (readonly [path: readonly string[], value: unknown])[]): object {
  const names = [...new Set(entries.flatMap(([path]) => path.slice(0, 1)))];
  return Object.fromEntries(
    names.map((name) => {
      const inside = entries.filter(([path]) => path[0] === name);
      const leaf = inside.find(([path]) => path.length === 1);
      return [name, leaf === undefined ? nest(inside.map(([path, value]) => [path.slice(1), value])) : leaf[1]];
    }),
  );
}
