import { dropStart, type ShellWord } from '../parse/shell-word.ts';

/**
 * The options of a program that runs another program, from its manual page. `short` uses the notation of getopt (`n:`
 * takes a value, `i::` takes one only in the same word); `long` lists names, with `=` after those that take a value;
 * any beginning of a name stands for it.
 */
export interface OptionGrammar {
  readonly short: string;
  readonly long: string;
}

/** The options of a command, in order. `rest` starts at the first word that is not an option. */
export interface ParsedOptions {
  readonly options: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly rest: readonly ShellWord[];
  /** True if an option is computed or not in the grammar, so that the start of the command is a guess. */
  readonly guessed: boolean;
}

/** Parses the options at the start of `words`, which are the words after the program's name. */
export function parseOptions(words: readonly ShellWord[], grammar: OptionGrammar): ParsedOptions {
  const options: { name: string; value?: ShellWord }[] = [];
  let guessed = false;
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.text === '-' || !/^[-+]/.test(word.start)) break;
    if (word.text === '--') return { options, rest: words.slice(index + 1), guessed };
    const read = word.start.startsWith('--')
      ? parseLongOption(word, grammar.long)
      : parseShortOptions(word, grammar.short);
    guessed ||= read.guessed;
    const next = words[index + 1];
    for (const name of read.names) options.push({ name });
    if (read.needsValue !== undefined && next !== undefined) {
      options.push({ name: read.needsValue, value: next });
      guessed ||= !next.static;
      index++;
    } else if (read.value !== undefined) {
      options.push(read.value);
    }
  }
  return { options, rest: words.slice(index), guessed };
}

/** The options anywhere between the operands, as GNU programs accept them, their names, and the operands. */
export function parseMixedOptions(
  words: readonly ShellWord[],
  grammar: OptionGrammar,
): Pick<ParsedOptions, 'options'> & { readonly names: ReadonlySet<string>; readonly operands: readonly ShellWord[] } {
  const all: ParsedOptions['options'][number][] = [];
  const operands: ShellWord[] = [];
  for (let left = words; left.length > 0; ) {
    const { options, rest } = parseOptions(left, grammar);
    all.push(...options);
    const endsOptions = left[left.length - rest.length - 1]?.text === '--';
    operands.push(...rest.slice(0, endsOptions ? rest.length : 1));
    left = endsOptions ? [] : rest.slice(1);
  }
  return { options: all, names: new Set(all.map(({ name }) => name)), operands };
}

interface ParsedWord {
  readonly names: readonly string[];
  /** The option that takes the next word as its value. */
  readonly needsValue?: string;
  readonly value?: { readonly name: string; readonly value: ShellWord };
  readonly guessed: boolean;
}

function parseLongOption(word: ShellWord, long: string): ParsedWord {
  const [name = '', ...values] = word.text.slice(2).split('=');
  const known = long.split(' ').find((candidate) => candidate !== '' && candidate.startsWith(name));
  const guessed = known === undefined || !word.static;
  const full = known?.replace(/=$/, '') ?? name;
  if (values.length > 0) return { names: [], value: { name: full, value: dropStart(word, name.length + 3) }, guessed };
  return known?.endsWith('=') ? { names: [], needsValue: full, guessed } : { names: [full], guessed };
}

function parseShortOptions(word: ShellWord, short: string): ParsedWord {
  const names: string[] = [];
  const letters = word.text.slice(1);
  for (let index = 0; index < letters.length; index++) {
    const name = letters.charAt(index);
    const at = short.indexOf(name);
    if (at < 0 || name === ':') return { names, guessed: true };
    if (short[at + 1] !== ':') {
      names.push(name);
      continue;
    }
    if (index + 1 < letters.length) {
      return { names, value: { name, value: dropStart(word, index + 2) }, guessed: !word.static };
    }
    return short[at + 2] === ':'
      ? { names: [...names, name], guessed: false }
      : { names, needsValue: name, guessed: false };
  }
  return { names, guessed: !word.static };
}
