/** The words with which a program may run in a view of the workspace without a question. */
export interface ViewedProgram {
  /** The first words: `ls`, `config get`. Absent: all words. */
  readonly starts?: readonly string[];
  /** The form of the first word, with letters in any order: `-tvf`. */
  readonly opening?: RegExp;
  /** The only word. */
  readonly alone?: RegExp;
  /** The script in its words writes a file or runs a program. */
  readonly script?: RegExp;
  /** `refuses` holds for the words before the first operand only. */
  readonly leading?: true;
  /** The maximum number of operands: a further one is a file to write. */
  readonly most?: number;
  /** A word with which it writes files or uses a network, so that it would only fail in the view. */
  readonly refuses?: RegExp;
  /** It needs one of these words, because it writes without. */
  readonly needs?: RegExp;
  /** Its words are text (`all`), or the first one is (`first`): `.key` in `jq .key` is not a file. */
  readonly text?: 'all' | 'first';
}

export const ANY: ViewedProgram = {};
export const TEXT: ViewedProgram = { text: 'all' };
export const PATTERN: ViewedProgram = { text: 'first' };
/** Only the version or the options. */
export const VERSION: ViewedProgram = { alone: /^(?:-v|-V|version|-h|help|-help|-version|-vV|-\?)$/ };
/** All words but those of a file to write. */
export const WITHOUT_OUTPUT: ViewedProgram = { refuses: /^(?:-o|--output)/ };

/** The same row for several programs. */
export function each(names: string, row: ViewedProgram): Readonly<Record<string, ViewedProgram>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, row]));
}

/** A row of first words. */
export function starts(words: string): ViewedProgram {
  return { starts: words.split(', ') };
}
