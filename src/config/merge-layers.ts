import * as z from 'zod';
import { CONFIG_KEYS, type ConfigKey } from './config-keys.ts';
import type { ConfigLayer } from './read-layer.ts';
import { type Config, configSchema } from './schema.ts';

/** The configuration of a session. */
export interface LoadedConfig {
  readonly config: Config;
  /** Where each value comes from: `default`, the path of a file, `command line`; several where a list was added to. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** What has no effect, for people, one line each. */
  readonly warnings: readonly string[];
}

interface Setting {
  readonly value: unknown;
  readonly origins: readonly string[];
}

/** What belongs to one provider and means nothing to another. */
const OF_ONE_PROVIDER = ['llm.model', 'llm.endpoint', 'llm.api_key_variable'];

const listSchema = z.array(z.string());

/**
 * Lays the layers over each other, the later ones above. A value replaces the one below it, lists too. A layer that
 * changes the provider drops model, endpoint and key variable of the layers below. Of a layer that is not trusted,
 * only what makes the session stricter has an effect.
 */
export function mergeLayers(layers: readonly ConfigLayer[]): LoadedConfig {
  const settings = new Map<string, Setting>(
    [...CONFIG_KEYS.values()].map((key) => [key.name, { value: key.default, origins: ['default'] }]),
  );
  const warnings = layers.flatMap((layer) => [
    ...layer.warnings,
    ...(layer.trusted ? applyTrusted(layer, settings) : applyProject(layer, settings)),
  ]);
  return {
    config: configSchema.parse(nested([...settings].map(([name, { value }]) => [name.split('.'), value]))),
    origins: new Map([...settings].map(([name, { origins }]) => [name, origins])),
    warnings,
  };
}

function applyTrusted({ source, values }: ConfigLayer, settings: Map<string, Setting>): readonly string[] {
  const provider = values.get('llm.provider');
  if (provider !== undefined && provider !== settings.get('llm.provider')?.value) {
    for (const name of OF_ONE_PROVIDER) settings.set(name, { value: undefined, origins: ['default'] });
  }
  for (const [name, value] of values) settings.set(name, { value, origins: [source] });
  return [];
}

function applyProject({ source, values }: ConfigLayer, settings: Map<string, Setting>): readonly string[] {
  return [...CONFIG_KEYS.values()].flatMap((key) => {
    const current = settings.get(key.name);
    if (!values.has(key.name) || current === undefined) return [];
    const result = stricter(key, current, values.get(key.name), source);
    if (typeof result === 'string') return [`${source}: ${key.name} is ignored: ${result}.`];
    settings.set(key.name, result);
    return [];
  });
}

/** The setting after a project's file asked for `wanted`, or why that has no effect. */
function stricter(key: ConfigKey, current: Setting, wanted: unknown, source: string): Setting | string {
  switch (key.project) {
    case 'ignored':
      return "a project's own file may not set it. Set it in your configuration, if you want it";
    case 'applied':
      return { value: wanted, origins: [source] };
    case 'lower':
      if (Number(wanted) > Number(current.value))
        return `a project's own file may only lower it, and it is ${current.value}`;
      return wanted === current.value ? current : { value: wanted, origins: [source] };
    case 'add': {
      const before = listSchema.parse(current.value);
      const added = listSchema.parse(wanted).filter((item) => !before.includes(item));
      return added.length === 0 ? current : { value: [...before, ...added], origins: [...current.origins, source] };
    }
    case 'disable':
      if (wanted === current.value) return current;
      return wanted === false ? { value: false, origins: [source] } : "a project's own file may only turn it off";
  }
}

/** An object from paths and values; the paths come from the schema. */
function nested(entries: readonly (readonly [path: readonly string[], value: unknown])[]): object {
  const names = [...new Set(entries.flatMap(([path]) => path.slice(0, 1)))];
  return Object.fromEntries(
    names.map((name) => {
      const inside = entries.filter(([path]) => path[0] === name);
      const leaf = inside.find(([path]) => path.length === 1);
      return [name, leaf === undefined ? nested(inside.map(([path, value]) => [path.slice(1), value])) : leaf[1]];
    }),
  );
}
