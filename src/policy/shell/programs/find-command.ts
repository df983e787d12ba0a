import type { ShellWord } from '../parse/shell-word.ts';

/** The words after `find`: where it searches, and what it does with what it finds. */
export interface FindCommand {
  /** The paths where the search starts; none means the current directory. */
  readonly starts: readonly ShellWord[];
  readonly actions: readonly FindAction[];
  /** True if a computed word may be a test or an action. */
  readonly isComputed: boolean;
}

/**
 * An action of `find`. `everything`: no test before it selects files, as in `find . -type f -delete`. A negated test,
 * such as `! -name x`, selects nearly everything.
 */
export type FindAction =
  | { readonly type: 'delete'; readonly everything: boolean }
  | { readonly type: 'run'; readonly words: readonly ShellWord[]; readonly everything: boolean };

/** The actions that run a command, which ends at `;` or at `{} +`. */
export const FIND_RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);

export const FIND_NAME_TESTS: ReadonlySet<string> = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-iwholename',
  '-regex',
  '-iregex',
  '-lname',
  '-ilname',
]);

/** The tests of the time of a file. Negated, they select as well: `! -newer x` finds what is older. */
export const FIND_TIME_TESTS: ReadonlySet<string> = new Set([
  '-newer',
  '-anewer',
  '-cnewer',
  '-newermt',
  '-mtime',
  '-ctime',
  '-atime',
  '-mmin',
  '-cmin',
  '-amin',
]);

/** The other tests with a value that select files. */
export const FIND_VALUE_TESTS: ReadonlySet<string> = new Set([
  '-size',
  '-user',
  '-group',
  '-uid',
  '-gid',
  '-perm',
  '-links',
  '-inum',
  '-samefile',
]);

/** The tests without a value that select files. */
export const FIND_PLAIN_TESTS: ReadonlySet<string> = new Set(['-empty', '-nouser', '-nogroup']);

/** Options with a value that do not select single files. */
export const FIND_OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set([
  '-type',
  '-xtype',
  '-maxdepth',
  '-mindepth',
  '-printf',
  '-fprint',
]);

/** Reads the words after `find`. Looks at each word once. */
export function readFindCommand(words: readonly ShellWord[]): FindCommand {
  const flags = words.findIndex((word) => !/^-(?:[EHLPX]+|O\d)$/.test(word.text));
  const paths = flags < 0 ? [] : words.slice(flags);
  const length = paths.findIndex((word) => /^[-(!]/.test(word.start));
  const expression = new FindExpression(length < 0 ? [] : paths.slice(length));
  return { starts: length < 0 ? paths : paths.slice(0, length), ...expression };
}

/**
 * Name patterns: each file that `find` removes or passes to a command matches one of them; `undefined` if it may do so
 * with files of any name. Pure.
 */
export function namesFound(words: readonly ShellWord[]): readonly string[] | undefined {
  const texts = words.map(({ text }) => text);
  const isNegated = (index: number): boolean => /^(?:!|-not)$/.test(texts[index - 1] ?? '');
  // Behind links lies what the names of directories do not lead to.
  const isOpen = (text: string, index: number): boolean =>
    /^-(?:[EHPX]*L[EHLPX]*|follow|files0-from)$/.test(text) || (text === '(' && isNegated(index));
  if (words.some((word) => !word.static) || texts.some(isOpen)) return undefined;
  const isAction = (text: string): boolean => text === '-delete' || FIND_RUNS.has(text);
  const names: string[] = [];
  let [hasName, acts] = [false, false];
  for (const [index, text] of [...texts.entries(), [texts.length, '-o'] as const]) {
    if (/^(?:-i?name)$/.test(text) && !acts && !isNegated(index)) {
      names.push(texts[index + 1] ?? '');
      hasName = true;
    }
    acts ||= isAction(text);
    if (!/^(?:-o|-or|,)$/.test(text)) continue;
    // Without an action of its own, a part between parentheses may select files for the one behind them.
    if (!hasName && (acts || texts.includes('('))) return undefined;
    [hasName, acts] = [false, false];
  }
  return names;
}

/** The tests between two parentheses. */
interface Group {
  readonly negated: boolean;
  /** True if a test since the last `-o` selects files. */
  selects: boolean;
  /** True if a test of each part before the last `-o` selects files. */
  eachSelects: boolean;
}

class FindExpression {
  readonly actions: FindAction[] = [];
  isComputed = false;

  constructor(words: readonly ShellWord[]) {
    const groups: Group[] = [];
    const open = (negated: boolean): Group => ({ negated, selects: false, eachSelects: true });
    let group = open(false);
    let negated = false;
    // A computed word may be a test.
    const selects = (): boolean => this.isComputed || group.selects || groups.some((outer) => outer.selects);
    for (let [index, word] = [0, words[0]]; word !== undefined; word = words[++index]) {
      const { text } = word;
      this.isComputed ||= !word.static;
      if (text === '!' || text === '-not') {
        negated = !negated;
        continue;
      }
      if (text === '(') {
        groups.push(group);
        group = open(negated);
      } else if (text === ')') {
        const isSelective = group.selects && group.eachSelects && !group.negated;
        group = groups.pop() ?? group;
        group.selects ||= isSelective;
      } else if (text === '-o' || text === '-or' || text === ',') {
        group.eachSelects &&= group.selects;
        group.selects = false;
      } else if (FIND_NAME_TESTS.has(text)) {
        index++;
        group.selects ||= !negated && !matchesEverything(words[index]);
      } else if (FIND_TIME_TESTS.has(text)) {
        index++;
        group.selects = true;
      } else if (FIND_VALUE_TESTS.has(text)) {
        index++;
        // `-size +0` selects every file with contents.
        group.selects ||= !negated && !words[index]?.text.startsWith('+0');
      } else if (FIND_PLAIN_TESTS.has(text)) {
        group.selects ||= !negated;
      } else if (FIND_OPTIONS_WITH_VALUE.has(text)) {
        index++;
      } else if (text === '-delete') {
        this.actions.push({ type: 'delete', everything: !selects() });
      } else if (FIND_RUNS.has(text)) {
        const command = wordsUntilEnd(words, index + 1);
        this.actions.push({ type: 'run', words: command, everything: !selects() });
        this.isComputed ||= hidesAction(command);
        index += command.length + 1;
      }
      negated = false;
    }
  }
}

/** True for a pattern such as `*`, `./*` or, as a regular expression, `.*`. */
function matchesEverything(pattern: ShellWord | undefined): boolean {
  return pattern?.text.includes('*') === true && /^[.*?/]+$/.test(pattern.text);
}

/** The words from `start` to the one that ends the command of `-exec`. */
function wordsUntilEnd(words: readonly ShellWord[], start: number): readonly ShellWord[] {
  for (let index = start; index < words.length; index++) {
    const text = words[index]?.text;
    if (text === ';' || (text === '+' && words[index - 1]?.text === '{}')) return words.slice(start, index);
  }
  return words.slice(start);
}

/** True if a computed word may be `;`, so that what follows is an action of `find` and not part of the command. */
function hidesAction(command: readonly ShellWord[]): boolean {
  const computed = command.findIndex((word) => !word.static);
  return computed >= 0 && command.slice(computed).some(({ text }) => text === '-delete' || FIND_RUNS.has(text));
}
