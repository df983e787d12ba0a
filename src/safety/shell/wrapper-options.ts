import type { ShellWord } from './shell-word.ts';

/**
 * The options of a program that runs another one, as its manual page gives them: `short` in the notation of getopt
 * (`n:` takes a value, `i::` takes one only in the same word), `long` as names, with `=` where a value follows.
 */
export interface OptionGrammar {
  readonly short: string;
  readonly long: string;
}

/** Options as they were given, in order; `rest` starts with the first word that is no option. */
export interface ReadOptions {
  readonly options: readonly { readonly name: string; readonly value?: ShellWord }[];
  readonly rest: readonly ShellWord[];
  /** An option that the grammar does not know, or that is computed: where the command starts is a guess. */
  readonly guessed: boolean;
}

/** Reads the options at the start of `words`, which come after the program's name. */
export function readOptions(words: readonly ShellWord[], grammar: OptionGrammar): ReadOptions {
  const options: { name: string; value?: ShellWord }[] = [];
  let guessed = false;
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word.text === '-' || !/^[-+]/.test(word.start)) break;
    if (word.text === '--') return { options, rest: words.slice(index + 1), guessed };
    const read = word.start.startsWith('--') ? readLong(word, grammar.long) : readShort(word, grammar.short);
    guessed ||= read.guessed;
    const next = words[index + 1];
    for (const name of read.names) options.push({ name });
    if (read.awaits !== undefined && next !== undefined) {
      options.push({ name: read.awaits, value: next });
      guessed ||= !next.static;
      index++;
    } else if (read.value !== undefined) {
      options.push(read.value);
    }
  }
  return { options, rest: words.slice(index), guessed };
}

interface ReadWord {
  readonly names: readonly string[];
  /** The option whose value is the next word. */
  readonly awaits?: string;
  readonly value?: { readonly name: string; readonly value: ShellWord };
  readonly guessed: boolean;
}

function readLong(word: ShellWord, long: string): ReadWord {
  const [name = '', ...given] = word.text.slice(2).split('=');
  const known = long.split(' ').find((candidate) => candidate !== '' && candidate.startsWith(name));
  const guessed = known === undefined || !word.static;
  const full = known?.replace(/=$/, '') ?? name;
  if (given.length > 0) return { names: [], value: { name: full, value: tail(word, given.join('=')) }, guessed };
  return known?.endsWith('=') ? { names: [], awaits: full, guessed } : { names: [full], guessed };
}

function readShort(word: ShellWord, short: string): ReadWord {
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
    const value = letters.slice(index + 1);
    if (value !== '') return { names, value: { name, value: tail(word, value) }, guessed: !word.static };
    return short[at + 2] === ':'
      ? { names: [...names, name], guessed: false }
      : { names, awaits: name, guessed: false };
  }
  return { names, guessed: !word.static };
}

/** The end of a word as a word of its own. */
function tail(word: ShellWord, text: string): ShellWord {
  return { ...word, text, start: word.static ? text : '' };
}
