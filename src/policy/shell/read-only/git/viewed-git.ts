import { ownEntry } from '../../../../text/json/own-entry.ts';
import type { ShellWord } from '../../parse/shell-word.ts';
import { FOUND_BELOW } from '../../programs/unwrap-command.ts';
import { knownWords } from '../program-words.ts';
import { hashesIn, SHOWS_ANY_FILE } from './git-subcommands.ts';
import { VIEWED_GIT, type ViewedSubcommand } from './viewed-git-rows.ts';

/** Options before the subcommand that change nothing. */
const FIRST_WORDS: ReadonlySet<string> = new Set(['--no-pager', '--no-optional-locks', '-P', '--literal-pathspecs']);

/** Settings that only change how the output looks. */
const PLAIN_SETTING =
  /^(?:(?:color\.[\w.]+|core\.(?:quotepath|abbrev)|log\.(?:date|decorate|abbrevcommit|follow|mailmap)|diff\.(?:renames|renamelimit|noprefix|mnemonicprefix|algorithm|context|interhunkcontext|colormoved|indentheuristic)|(?:branch|tag)\.sort|status\.(?:short|branch|relativepaths|showuntrackedfiles)|column\.(?:ui|branch|tag|status)|grep\.(?:linenumber|column|patterntype|fullname)|advice\.\w+|i18n\.\w+)=[\w:-]*|(?:core\.pager|pager\.\w+)=(?:cat|false)?|(?:log\.showsignature|core\.fsmonitor)=false)$/i;

/** A word that no revision can be, so that `git grep` takes it for a path. */
const NO_REVISION = /^(?=[^:^~@]*$)(?:\.|\.\/.*|.*\/|.*[*?[].*)$/s;

/** The only word of a call that shows how the subcommand is used. */
const SHOWS_HELP = /^(?:-h|--help)$/;

/** Options whose value is text, so that it may be computed: `--since="$day"`. */
const TAKES_TEXT = /^--(?:author|committer|since|until|after|before|grep|max-count|skip)=/;

/** The meaning of the words of a git command that only reads. */
export interface GitUse {
  /** Hashes of which git shows the content: only those of commits may be shown. */
  readonly commits: readonly string[];
  /** Words that are paths only if there are such files; git takes others for revisions. */
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/**
 * The meaning of these words if git only reads with them, and shows the content of no file but those that the words name. The sandbox
 * hides secrets on the disk, but not in the objects of git, so that every option is one of a row of `VIEWED_GIT`.
 */
export function readingGit(words: readonly ShellWord[]): GitUse | undefined {
  const call = readCall(words);
  return call === undefined ? undefined : useOf(call);
}

/** True if git with these words, which only reads, never reads an object: the content of a committed file. */
export function needsNoObjects(words: readonly ShellWord[]): boolean {
  const call = readCall(words);
  switch (call?.row.withoutObjects) {
    case 'without operands':
      return call.words.every(({ text }) => text.startsWith('-'));
    case 'without index':
      return call.words.some(({ text }) => text === '--no-index');
    default:
      return call?.row.withoutObjects === 'always';
  }
}

interface GitCall {
  readonly row: ViewedSubcommand;
  /** The words after the subcommand. */
  readonly words: readonly ShellWord[];
  /** See `GitUse`. */
  readonly directories: readonly string[];
}

function readCall(written: readonly ShellWord[]): GitCall | undefined {
  const words = withoutFirstWords(written);
  const before = written.slice(0, written.length - words.length);
  const directories = before.filter((_, index) => before[index - 1]?.text === '-C').map(({ text }) => text);
  for (const length of [2, 1]) {
    const first = words.slice(0, length);
    const name = first.map(({ text }) => text).join(' ');
    const isName = first.length === length && first.every((word) => word.static);
    const row = isName ? ownEntry(VIEWED_GIT, name) : undefined;
    if (row !== undefined) return { row, words: words.slice(length), directories };
  }
  return undefined;
}

function useOf({ row, words, directories }: GitCall): GitUse | undefined {
  const use: GitUse = { commits: [], files: [], directories };
  if (words.length === 1 && words.every(({ text }) => SHOWS_HELP.test(text))) return use;
  const end = words.findIndex(({ text }) => text === '--');
  const [before, after] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  // Behind `--`, words are paths of changes, of which the attributes of the view hide those with secrets.
  if (row.showsNamed === true && !words.every(isNamedFile)) return undefined;
  if (!before.every((word) => word.static || isHarmless(word, row))) return undefined;
  const known = knownWords(
    { ...row, operands: 'text' },
    words.map(({ text }) => text),
  );
  if (known === undefined) return undefined;
  const { operands, has } = known;
  const revisions = operands.slice(0, operands.length - Math.max(0, after.length - 1));
  switch (row.kind) {
    case 'pattern': {
      const paths = revisions.slice(has(row.patternOptions) ? 0 : 1);
      return { ...use, files: paths.filter((word) => !NO_REVISION.test(word)) };
    }
    case 'content':
      if (has(row.printsNoContent)) return use;
      return revisions.some((word) => SHOWS_ANY_FILE.test(word))
        ? undefined
        : { ...use, commits: revisions.flatMap(hashesIn) };
    default:
      return use;
  }
}

/** True for a word that is not known, and that can be nothing but a path of the work tree, or a text. */
function isHarmless(word: ShellWord, { kind }: ViewedSubcommand): boolean {
  return (kind === 'paths' && word.pattern) || (TAKES_TEXT.test(word.start) && !word.splits);
}

function isNamedFile(word: ShellWord): boolean {
  return word.static && word.text !== FOUND_BELOW.text;
}

/** The words without those that change nothing: `--no-pager`, `-C` of a directory and `-c` of a color. */
function withoutFirstWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, second] = words;
  if (first?.static !== true) return words;
  if (FIRST_WORDS.has(first.text)) return withoutFirstWords(words.slice(1));
  if (second?.static !== true) return words;
  const isPlain = first.text === '-C' || (first.text === '-c' && PLAIN_SETTING.test(second.text));
  return isPlain ? withoutFirstWords(words.slice(2)) : words;
}
