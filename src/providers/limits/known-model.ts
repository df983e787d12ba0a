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
  /** The model is not in the table: the numbers are those of its family, without a price. */
  readonly isGuess?: true;
}

export const TABLE = { date: KNOWN_MODELS_DATE, source: KNOWN_MODELS_SOURCE } as const;

/** The age at which the table says that it is old, in milliseconds. */
const OLD_MS = 180 * 24 * 60 * 60 * 1000;

const ABILITIES = { t: 'tools', v: 'pictures', r: 'reasoning' } as const;

let byName: ReadonlyMap<string, KnownRow> | undefined;

/**
 * The model of this name in the table: also with the name of its maker in front, as gateways have it, and with a date or
 * a variant behind it. A model that is newer than the table has the numbers of its family.
 */
export function knownModel(model: string): KnownModel | undefined {
  byName ??= new Map(KNOWN_MODELS.map((row) => [row[0], row]));
  const name = model.toLowerCase().replace(/^.*\//, '');
  const plain = name.replace(/[:@].*$/, '').replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  // Copilot and OpenRouter write claude-sonnet-4.5.
  const row = byName.get(name) ?? byName.get(plain) ?? byName.get(plain.replaceAll('.', '-'));
  if (row !== undefined) return modelOf(row);
  const family = familyOf(plain);
  if (family === undefined) return undefined;
  const { price, ...others } = modelOf(family);
  return { ...others, isGuess: true };
}

function modelOf([, window, answer, input, output, cached, letters]: KnownRow): KnownModel {
  const abilities = (['t', 'v', 'r'] as const).filter((letter) => letters.includes(letter));
  return {
    window,
    answer,
    ...(input + output === 0 ? {} : { price: { input, output, cached } }),
    abilities: abilities.map((letter) => ABILITIES[letter]),
  };
}

/** Services whose names are a family with a version, and whose windows grow. A number with a letter is a size. */
const VERSIONED = /^(?:claude|gpt|gemini|grok)-(?!oss)/;

const VERSION = /\d+(?:[.-]\d+)*/;

/**
 * The row that is nearest to a model of a family: of the newest version with the same variant, else the one with the
 * smallest window of the newest version.
 */
function familyOf(name: string): KnownRow | undefined {
  if (!VERSIONED.test(name) || !VERSION.test(name)) return undefined;
  const same = KNOWN_MODELS.filter(([other]) => other.replace(VERSION, '#') === name.replace(VERSION, '#'));
  const [newest] = newestOf(same);
  // An older model may have had a smaller window.
  if (newest !== undefined) return compareVersions(name, newest[0]) < 0 ? undefined : newest;
  const start = name.slice(0, name.search(VERSION));
  const relatives = newestOf(KNOWN_MODELS.filter(([other]) => other.slice(0, other.search(VERSION)) === start));
  const [smallest] = relatives.toSorted(([, one], [, other]) => one - other);
  return smallest === undefined || compareVersions(name, smallest[0]) < 0 ? undefined : smallest;
}

/** The rows with the highest version. */
function newestOf(rows: readonly KnownRow[]): readonly KnownRow[] {
  const [newest] = rows.toSorted(([one], [other]) => compareVersions(other, one));
  return newest === undefined ? [] : rows.filter(([name]) => compareVersions(name, newest[0]) === 0);
}

function compareVersions(one: string, other: string): number {
  const versionOf = (name: string): string => String(VERSION.exec(name)).replaceAll('.', '-');
  return versionOf(one).localeCompare(versionOf(other), 'en', { numeric: true });
}

/** The origin of a number in the table, for people; an old table says that it is old. */
export function tableText(now: number): string {
  const isOld = now - Date.parse(TABLE.date) > OLD_MS;
  return `known models of ${TABLE.date}${isOld ? ', which is old: update ybs' : ''}`;
}
