import { UsageError } from '../../agent/errors.ts';
import { escapeLine } from '../../text/escape.ts';
import { HIDDEN, hidePassword } from '../../text/for-people/hide-password.ts';
import type { LoadedConfig } from '../layers/merge-layers.ts';
import { suggestKey } from './keys.ts';

/** One value of the configuration with its origin. */
export interface ConfigValue {
  /** Name of the key: `llm.max_tokens`. */
  readonly name: string;
  /** `undefined` if it is not set. Values that may be secret are hidden. */
  readonly value: unknown;
  /** The file, `environment variable NAME`, `command line` or `default`. */
  readonly origin: string;
}

/**
 * The values of the configuration: all of them, or those of the key or section of this name. Throws `UsageError` if
 * there is no such key.
 */
export function configValues(
  { config, origins }: Pick<LoadedConfig, 'config' | 'origins'>,
  name = '',
): readonly ConfigValue[] {
  const values = [...origins].map(([key, origin]) => ({
    name: key,
    value: withoutSecrets(key, valueAt(config, key.split('.'))),
    origin,
  }));
  if (name === '') return values;
  const chosen = values.filter((row) => row.name === name || row.name.startsWith(`${name}.`));
  if (chosen.length > 0) return chosen;
  const nearest = suggestKey(name, origins.keys());
  const hint = nearest === undefined ? 'See docs/configuration.md.' : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no key ${JSON.stringify(name)}. ${hint}`);
}

/** The values as text, one line each: name, value as JSON, origin. Safe to print. */
export function describeValues(values: readonly ConfigValue[]): string {
  const rows = values.map(({ name, value, origin }) => {
    return [name, value === undefined ? 'not set' : JSON.stringify(value), `(${origin})`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, ...rest]) => escapeLine([name.padEnd(width), ...rest].join('  '))).join('\n');
}

/** Hides header values and passwords in addresses, wherever they are in the value of a key. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === 'string') return hidePassword(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets('', item));
  const isHeaders = name === 'headers' || name.endsWith('.headers');
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isHeaders ? HIDDEN : withoutSecrets(key, inner)]),
  );
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return valueAt(Object.entries(value).find(([key]) => key === name)?.[1], rest);
}
