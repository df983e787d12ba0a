import { KNOWN_MODELS, KNOWN_MODELS_DATE, KNOWN_MODELS_SOURCE, type KnownRow } from './known-models.ts';

/** The price of a model in US dollars per million tokens. `cached`: input from the cache of the provider. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
}

/** Entry of the table for a model. */
export interface KnownModel {
  /** The context window, in tokens. */
  readonly window: number;
  /** The longest answer, in tokens. */
  readonly answer: number;
  /** Absent for a model that costs nothing. */
  readonly price?: Price;
  readonly abilities: readonly ('tools' | 'pictures' | 'reasoning')[];
}

/** The date and the source of the table. */
export const TABLE = { date: KNOWN_MODELS_DATE, source: KNOWN_MODELS_SOURCE } as const;

/** The age at which the table says that it is old, in milliseconds. */
const OLD_MS = 180 * 24 * 60 * 60 * 1000;

const ABILITIES = { t: 'tools', v: 'pictures', r: 'reasoning' } as const;

let byName: ReadonlyMap<string, KnownRow> | undefined;

/**
 * The model of this name in the table: also with the name of its maker in front, as gateways have it, and with a date or
 * a variant behind it.
 */
export function knownModel(model: string): KnownModel | undefined {
  byName ??= new Map(KNOWN_MODELS.map((row) => [row[0], row]));
  const name = model.toLowerCase().replace(/^.*\//, '');
  const plain = name.replace(/[:@].*$/, '').replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  // Copilot and OpenRouter write claude-sonnet-4.5.
  const row = byName.get(name) ?? byName.get(plain) ?? byName.get(plain.replaceAll('.', '-'));
  if (row === undefined) return undefined;
  const [, window, answer, input, output, cached, letters] = row;
  const abilities = (['t', 'v', 'r'] as const).filter((letter) => letters.includes(letter));
  return {
    window,
    answer,
    ...(input + output === 0 ? {} : { price: { input, output, cached } }),
    abilities: abilities.map((letter) => ABILITIES[letter]),
  };
}

/** The origin of a number in the table, for people; an old table says that it is old. */
export function tableText(now: number): string {
  const isOld = now - Date.parse(TABLE.date) > OLD_MS;
  return `known models of ${TABLE.date}${isOld ? ', which is old: update ybs' : ''}`;
}
