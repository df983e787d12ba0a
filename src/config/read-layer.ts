import { suggest } from '../text/suggest.ts';
import { ConfigError } from './config-error.ts';
import { CONFIG_KEYS, CONFIG_SECTIONS } from './config-keys.ts';
import { findJsonError } from './find-json-error.ts';

/** What one source sets, by the names of the keys. */
export interface ConfigLayer {
  /** Absolute path, or `command line`. */
  readonly source: string;
  /** Whether its author is the user; a file that comes with the code is not. */
  readonly trusted: boolean;
  readonly values: ReadonlyMap<string, unknown>;
  /** What it holds that has no effect, for people. */
  readonly warnings: readonly string[];
}

const LONGEST_VALUE = 60;

/** Reads the text of a configuration file. Throws `ConfigError` for broken JSON and for values of a wrong type. */
export function readLayer(source: string, trusted: boolean, text: string): ConfigLayer {
  const error = findJsonError(text);
  if (error !== undefined) {
    const place = `line ${error.line}, column ${error.column}`;
    throw new ConfigError(
      source,
      `this is not valid JSON at ${place}: ${error.reason}. Correct it or remove the file.`,
    );
  }
  const values = new Map<string, unknown>();
  const warnings: string[] = [];
  visit(source, trusted, JSON.parse(text), [], values, warnings);
  return { source, trusted, values, warnings };
}

/** Checks values that are given by name, such as those of the command line. Throws `ConfigError`. */
export function layerOf(source: string, given: Readonly<Record<string, unknown>>): ConfigLayer {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) checkValue(source, name, value);
  return { source, trusted: true, values: new Map(entries), warnings: [] };
}

/** Only names that the schema knows are ever used as names, so that no file can reach a prototype. */
function visit(
  source: string,
  trusted: boolean,
  value: unknown,
  path: readonly string[],
  values: Map<string, unknown>,
  warnings: string[],
): void {
  const name = path.join('.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = name === '' ? 'the file' : name;
    throw new ConfigError(source, `${what} must be an object in braces, but is ${shown(value)}.`);
  }
  for (const [part, inner] of Object.entries(value)) {
    const full = [...path, part].join('.');
    const known = !part.includes('.');
    if (known && CONFIG_SECTIONS.has(full)) visit(source, trusted, inner, [...path, part], values, warnings);
    else if (known && CONFIG_KEYS.has(full)) values.set(full, checkValue(source, full, inner));
    else if (full === 'llm.api_key') refuseKey(source, trusted, inner, warnings);
    else warnings.push(unknownKey(source, full));
  }
}

function checkValue(source: string, name: string, value: unknown): unknown {
  const key = CONFIG_KEYS.get(name);
  if (key === undefined) throw new Error(`${name} is no key of the configuration`);
  const parsed = key.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(source, `${name} must be ${key.type}, but is ${shown(value)}.`);
}

function refuseKey(source: string, trusted: boolean, value: unknown, warnings: string[]): void {
  if (value === null) return;
  const advice =
    'Keys are not read from files. Remove it, put the key in an environment variable, and name that in llm.api_key_variable.';
  if (trusted) throw new ConfigError(source, `llm.api_key is not allowed. ${advice}`);
  warnings.push(`${source}: llm.api_key is ignored. ${advice}`);
}

function unknownKey(source: string, name: string): string {
  const [nearest] = suggest(name, [...CONFIG_KEYS.keys()]);
  if (nearest === name)
    return `${source}: ${JSON.stringify(name)} has no effect; write its parts as objects inside each other.`;
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `${source}: there is no key ${JSON.stringify(name)}, so it has no effect.${hint}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
