import { CONFIG_KEYS } from '../../app/config-keys.data.ts';
import { ANY_NAME, indexKeys } from '../../config/describe/keys.ts';
import { ASSUMPTIONS } from '../../policy/decision-input.ts';
import { PROVIDERS } from '../../providers/target/presets.ts';
import { AGENT_NAMES } from '../../stories/agents/agent-setup.ts';
import { TOOL_NAMES } from '../../tools/tools.ts';
import type { Subcommand } from '../subcommands/subcommand.ts';
import { commandForms } from './command-forms.ts';
import type { OptionRow } from './options.ts';

/** The shells that `ybs completion` knows. */
export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The offers of a shell for one word: names, perhaps with descriptions, and files, directories or stored sessions. */
export interface Offer {
  readonly words: readonly (readonly [word: string, description: string])[];
  readonly paths: 'none' | 'files' | 'directories' | 'sessions';
}

/** The offer for a word that follows `before`, the words of the command line that are neither options nor their values. */
export interface OfferAfter extends Offer {
  /** Fixed words, each followed by a space. */
  readonly before: string;
  /** One or more other words stand between them and the word. */
  readonly more: boolean;
}

const NOTHING: Offer = { words: [], paths: 'none' };

const named = (words: Iterable<string>): Offer => ({ words: Array.from(words, (word) => [word, '']), paths: 'none' });

/** The keys of the configuration and their sections, without those that the user names. */
function configNames(): readonly string[] {
  const { byName, sections } = indexKeys(CONFIG_KEYS, TOOL_NAMES);
  const keys = [...byName.keys()].filter((name) => !name.endsWith(`.${ANY_NAME}`));
  return [...new Set([...sections, ...keys])].toSorted();
}

/** Offers by the placeholder of a value or an argument. */
const BY_PLACEHOLDER: ReadonlyMap<string, () => Offer> = new Map([
  ['file', () => ({ words: [], paths: 'files' })],
  ['path', () => ({ words: [], paths: 'files' })],
  ['story…', () => ({ words: [], paths: 'files' })],
  ['directory', () => ({ words: [], paths: 'directories' })],
  ['session', () => ({ words: [], paths: 'sessions' })],
  ['shell', () => named(COMPLETION_SHELLS)],
  ['key', () => named(configNames())],
]);

/** Offers by the name of an option whose placeholder says less. */
const BY_OPTION: ReadonlyMap<string, () => Offer> = new Map([
  ['provider', () => named(PROVIDERS.keys())],
  ['agent', () => named(AGENT_NAMES)],
  ['assume', () => named(ASSUMPTIONS)],
  ['token', () => named(['none'])],
  ['resume', () => ({ words: [], paths: 'sessions' })],
]);

export function offerFor({ name, value = '', choices }: OptionRow): Offer {
  if (choices !== undefined) return named(choices);
  return (BY_OPTION.get(name) ?? BY_PLACEHOLDER.get(value))?.() ?? NOTHING;
}

/**
 * The offers for every place of a word in the forms of the command line. The first one that fits counts; after other
 * words, which are a prompt, files are offered.
 */
export function offersByPlace(subcommands: readonly Pick<Subcommand, 'form' | 'description'>[]): readonly OfferAfter[] {
  const places = new Map<string, OfferAfter>();
  const add = (before: readonly string[], more: boolean, offer: Offer): void => {
    const key = before.map((word) => `${word} `).join('');
    const { words, paths } = places.get(`${key}${more}`) ?? NOTHING;
    // Of several forms with the same word, the first one describes it.
    const isNew = ([word]: Offer['words'][number]): boolean => !words.some(([known]) => known === word);
    const all = [...words, ...offer.words.filter(isNew)].toSorted(([left], [right]) => (left < right ? -1 : 1));
    places.set(`${key}${more}`, { before: key, more, words: all, paths: offer.paths === 'none' ? paths : offer.paths });
  };
  for (const { form, description } of commandForms(subcommands)) {
    const parts = form.split(' ');
    const fixed = parts.filter((part) => !/^[<[]/u.test(part));
    const args = parts.slice(fixed.length).map((part) => part.slice(1, -1));
    const [first = '', second = first.endsWith('…') ? first : ''] = args;
    for (const [index, word] of fixed.entries()) {
      add(fixed.slice(0, index), false, { words: [[word, description]], paths: 'none' });
    }
    add(fixed, false, BY_PLACEHOLDER.get(first)?.() ?? NOTHING);
    add(fixed, true, BY_PLACEHOLDER.get(second)?.() ?? NOTHING);
  }
  return [...places.values()].toSorted(
    (left, right) => right.before.length - left.before.length || Number(left.more) - Number(right.more),
  );
}
