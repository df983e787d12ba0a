import { UsageError } from '../../agent/errors.ts';
import type { SessionOptions } from '../../app/settings.ts';
import type { LoadedConfig } from '../../config/layers/merge-layers.ts';

/** A version of the settings to evaluate. Without a file it is the unchanged configuration. */
export interface EvaluationVariant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string | undefined;
  /** Names of the keys that the file sets: `prompt.append`. */
  readonly keys: ReadonlySet<string>;
}

/** A variant of the command line, whose file is not read yet. */
export type NamedVariant = Pick<EvaluationVariant, 'name' | 'file'>;

/** The only variant of an evaluation that names none. */
const AS_CONFIGURED: NamedVariant = { name: 'default', file: undefined };

/** Reads the values of `--variant`: `NAME=FILE`. Throws `UsageError`. */
export function readVariants(
  values: readonly string[],
  resolvePath: (path: string) => string,
): readonly NamedVariant[] {
  const names = new Set<string>();
  const variants = values.map((value) => {
    const [, name = '', file = ''] = /^([\w.-]{1,40})=(.+)$/s.exec(value) ?? [];
    if (name === '') {
      throw new UsageError(
        `--variant ${JSON.stringify(value)} is not NAME=FILE. Write --variant short=short.json; a name has up to 40 of the characters a-z A-Z 0-9 _ . -`,
      );
    }
    if (names.has(name)) throw new UsageError(`Two variants have the name ${name}. Give each its own name.`);
    names.add(name);
    return { name, file: resolvePath(file) };
  });
  return variants.length === 0 ? [AS_CONFIGURED] : variants;
}

export interface VariantPorts {
  readonly readConfig: (options: SessionOptions) => Promise<Pick<LoadedConfig, 'origins' | 'warnings'>>;
  /** Names of the keys that a configuration file sets. */
  readonly readKeys: (file: string) => Promise<readonly string[]>;
}

/**
 * Reads the file of a variant and checks that every setting in the file of a variant takes effect, because a variant whose settings are ignored would be
 * compared as if they did nothing. Throws `UsageError`.
 */
export async function readVariant(
  { name, file }: NamedVariant,
  options: SessionOptions,
  { readConfig, readKeys }: VariantPorts,
): Promise<EvaluationVariant> {
  if (file === undefined) return { name, file, keys: new Set() };
  const { origins, warnings } = await readConfig({ ...options, variant: file });
  const ignored = warnings.find((warning) => warning.startsWith(file));
  if (ignored !== undefined) throw new UsageError(`The variant ${name} cannot be used: ${ignored}`);
  const keys = new Set(await readKeys(file));
  for (const key of keys) {
    const origin: string = origins.get(key) ?? file;
    if (origin.startsWith(file)) continue;
    throw new UsageError(
      `The variant ${name} sets ${key}, but ${origin} takes precedence. Remove one of the two, so that the variant has an effect.`,
    );
  }
  return { name, file, keys };
}
