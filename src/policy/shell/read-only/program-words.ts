/** The words after a program with which it only reads. Anything that a row does not name is not known to only read. */
export interface ReadOnlyProgram {
  /** Options of one letter: `n:` takes a value, `u::` takes one only in the same word, `#` stands for `-5`. */
  readonly short?: string;
  /** Options with a whole name: `name=` takes a value, `name=?` takes one only after `=`. Nothing is abbreviated. */
  readonly long?: string;
  /**
   * The operands. `pattern`: text first, then paths. `revisions`: names in the history of git, or paths. Without it, there
   * are none.
   */
  readonly operands?: 'text' | 'paths' | 'pattern' | 'revisions';
  /** Every word is text. */
  readonly literal?: true;
  /** The form of every operand. */
  readonly operandsAre?: RegExp;
  /** The maximum number of operands. */
  readonly most?: number;
  /** Options that give the pattern, so that every operand is a path. */
  readonly patternOptions?: string;
  /** The program only reads with one of these options. */
  readonly needs?: string;
  /** Operands are only read with one of these options. */
  readonly operandsNeed?: string;
  /** Values that make an option or a text operand do more. */
  readonly refuses?: RegExp;
  /** Options with which it reads all files of the directories that it names; `always`: without any. */
  readonly recursive?: string;
  /** It would read all files of the directories that it names, and follow their links. */
  readonly onlyFiles?: true;
}

/** The paths that a program reads. `trees`: with all files in them. `files`: none of them may be a directory. */
export interface ReadPaths {
  readonly kind: 'names' | 'trees' | 'files';
  readonly paths: readonly string[];
}

/** The paths that a program with these words reads; `undefined` if it is not known to only read. */
export function readPaths(program: ReadOnlyProgram, words: readonly string[]): ReadPaths | undefined {
  if (program.literal === true) return namedPaths([]);
  const known = knownWords(program, words);
  if (known === undefined) return undefined;
  const { operands, has } = known;
  const paths = pathsOf(program.operands, operands, has(program.patternOptions));
  if (paths === undefined) return undefined;
  if (program.onlyFiles === true) return { kind: 'files', paths };
  if (program.recursive !== 'always' && !has(program.recursive)) return namedPaths(paths);
  return { kind: 'trees', paths: paths.length === 0 ? ['.'] : paths };
}

/** The operands of a program, and a check for an option of a list, if the row names every word. */
export function knownWords(
  program: ReadOnlyProgram,
  words: readonly string[],
): { readonly operands: readonly string[]; has(list: string | undefined): boolean } | undefined {
  const parsed = parseWords(program, words);
  if (parsed === undefined) return undefined;
  const { names, values, operands } = parsed;
  const has = (list: string | undefined): boolean => (list ?? '').split(' ').some((name) => names.has(name));
  if (program.needs !== undefined && !has(program.needs)) return undefined;
  if (operands.length > 0 && program.operandsNeed !== undefined && !has(program.operandsNeed)) return undefined;
  if (operands.length > (program.most ?? operands.length)) return undefined;
  const { refuses, operandsAre } = program;
  if (operandsAre !== undefined && !operands.every((operand) => operandsAre.test(operand))) return undefined;
  if (refuses !== undefined && [...values, ...operands].some((value) => refuses.test(value))) return undefined;
  return { operands, has };
}

/** Paths of which only those themselves are read. */
export function namedPaths(paths: readonly string[]): ReadPaths {
  return { kind: 'names', paths };
}

function pathsOf(
  kind: ReadOnlyProgram['operands'],
  operands: readonly string[],
  hasPattern: boolean,
): readonly string[] | undefined {
  switch (kind) {
    case 'text':
      return [];
    case 'paths':
      return operands;
    case 'pattern':
      return hasPattern ? operands : operands.slice(1);
    case 'revisions':
      return operands.flatMap(pathsInRevision);
    default:
      return operands.length === 0 ? [] : undefined;
  }
}

/** The paths that a word of git may name: `src/a.ts`, and what follows each colon in `HEAD@{0 : 0}:src/a.ts`. */
export function pathsInRevision(word: string): readonly string[] {
  const parts = word.split(':');
  return parts.map((_, index) => parts.slice(index).join(':'));
}

interface ParsedWords {
  readonly names: ReadonlySet<string>;
  readonly values: readonly string[];
  readonly operands: readonly string[];
}

/** Reads options anywhere before `--`, as GNU programs do. `undefined` if one is not in the row. */
function parseWords({ short = '', long }: ReadOnlyProgram, words: readonly string[]): ParsedWords | undefined {
  const names = new Set<string>();
  const values: string[] = [];
  const operands: string[] = [];
  const longNames = long?.split(' ') ?? [];
  for (let [index, word] = [0, words[0]]; word !== undefined; word = words[++index]) {
    if (word === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    if (short.includes('#') && /^-\d+$/.test(word)) continue;
    const option = word.startsWith('--') ? parseLong(word, longNames) : parseShort(word, short);
    if (option === undefined) return undefined;
    for (const name of option.names) names.add(name);
    if (option.value !== undefined) values.push(option.value);
    if (option.takesNext !== true) continue;
    const next = words[++index];
    // A program that needs no value here, whatever the row says, reads such a word as an option. Orders need one.
    const isOrder = word === '--sort' && /^-[a-z:]+$/.test(next ?? '');
    if (next === undefined || (!isOrder && /^-(?!\d+$)/.test(next))) return undefined;
    values.push(next);
  }
  return { names, values, operands };
}

interface ParsedOption {
  readonly names: readonly string[];
  readonly value?: string;
  readonly takesNext?: boolean;
}

function parseLong(word: string, longNames: readonly string[]): ParsedOption | undefined {
  const [name = ''] = word.slice(2).split('=');
  const takesValue = longNames.includes(`${name}=`);
  if (word.includes('=')) {
    const value = word.slice(name.length + 3);
    return takesValue || longNames.includes(`${name}=?`) ? { names: [name], value } : undefined;
  }
  if (takesValue) return { names: [name], takesNext: true };
  return longNames.includes(name) || longNames.includes(`${name}=?`) ? { names: [name] } : undefined;
}

function parseShort(word: string, short: string): ParsedOption | undefined {
  const names: string[] = [];
  for (let [index, letter] = [1, word.charAt(1)]; letter !== ''; letter = word.charAt(++index)) {
    const at = letter === ':' || letter === '#' ? -1 : short.indexOf(letter);
    if (at < 0) return undefined;
    names.push(letter);
    const rest = word.slice(index + 1);
    if (short.startsWith('::', at + 1)) return { names, value: rest };
    if (short.startsWith(':', at + 1)) return rest === '' ? { names, takesNext: true } : { names, value: rest };
  }
  return { names };
}
