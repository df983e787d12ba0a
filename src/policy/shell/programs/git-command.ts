import { type ShellWord, staticWord, wordOf } from '../parse/shell-word.ts';
import type { OptionGrammar } from './options.ts';

/** The words after `git`, split at the subcommand. */
export interface GitWords {
  /** The values of `-C`, in order. */
  readonly directories: readonly ShellWord[];
  /** The values of `-c`: `name=value`. */
  readonly settings: readonly ShellWord[];
  readonly subcommand: ShellWord | undefined;
  /** The words after the subcommand. */
  readonly rest: readonly ShellWord[];
}

/** The options before the subcommand that take the next word as their value. */
export const GIT_OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
]);

/** The options of a subcommand whose value is a script for the shell, and the letters that may stand before one. */
export const GIT_SCRIPT_OPTIONS: Readonly<Record<string, OptionGrammar>> = {
  rebase: { short: 'fikmpqrvx:', long: 'exec=' },
  difftool: { short: 'dgyx:', long: 'extcmd=' },
  grep: { short: 'aEFGHhIilLnoPpqrvWwzO::', long: 'open-files-in-pager' },
  'filter-branch': {
    short: '',
    long: 'setup= tree-filter= index-filter= parent-filter= msg-filter= env-filter= commit-filter= tag-name-filter=',
  },
};

/** Reads the words after `git`. */
export function readGitCommand(words: readonly ShellWord[]): GitWords {
  const directories: ShellWord[] = [];
  const settings: ShellWord[] = [];
  let index = 0;
  for (let option = words[0]; option?.start.startsWith('-'); option = words[index]) {
    index++;
    if (!GIT_OPTIONS_WITH_VALUE.has(option.text)) continue;
    const value = words.slice(index, ++index);
    if (option.text === '-C') directories.push(...value);
    if (option.text === '-c') settings.push(...value);
  }
  return { directories, settings, subcommand: words[index], rest: words.slice(index + 1) };
}

/** The meaning of an operand that names files. */
export type Pathspec =
  | { readonly type: 'path'; readonly word: ShellWord }
  /** A path that starts at the root of the repository. */
  | { readonly type: 'from_root'; readonly word: ShellWord }
  /** It only leaves out files of the others. */
  | { readonly type: 'exclude' };

/** Reads an operand that names files, as gitglossary describes it under "pathspec". git matches quoted patterns, too. */
export function readPathspec(word: ShellWord): Pathspec {
  if (!word.static) return { type: 'path', word };
  const [whole, long = '', short = ''] = /^:(?:\(([^)]*)\)|([!^/]*):?)/.exec(word.text) ?? [''];
  if (/[!^]|\bexclude\b/.test(long + short)) return { type: 'exclude' };
  const text = word.text.slice(whole.length) || '.';
  return { type: /\/|\btop\b/.test(short + long) ? 'from_root' : 'path', word: unquotePattern(staticWord(text)) };
}

/** The word as a program reads it that expands patterns itself: `'*'` is a pattern, too. */
export function unquotePattern(word: ShellWord): ShellWord {
  return word.static && /[*?[]/.test(word.text) ? wordOf([{ kind: 'pattern', text: word.text }]) : word;
}
