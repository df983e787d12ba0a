import type { ShellWord } from '../parse/shell-word.ts';

/** Subcommands of git that only read, whatever their options are. */
const READERS: ReadonlySet<string> = new Set([
  ...['status', 'log', 'show', 'diff', 'blame', 'annotate', 'grep', 'describe', 'shortlog', 'whatchanged', 'reflog'],
  ...['rev-parse', 'rev-list', 'name-rev', 'merge-base', 'show-ref', 'for-each-ref', 'show-branch', 'cherry'],
  ...['ls-files', 'ls-tree', 'diff-tree', 'diff-index', 'diff-files', 'range-diff', 'check-ignore', 'check-attr'],
  ...['count-objects', 'version', 'help', '--version', '--help', 'cat-file', 'check-mailmap'],
  ...['check-ref-format', 'var'],
]);

/** Subcommands that read with these words only. */
const READING_WORDS: Readonly<Record<string, RegExp>> = {
  branch:
    /^(?:|(?:-[arv]+|-vv|--all|--list|-l|--remotes|--verbose|--show-current|--contains|--no-contains|--merged|--no-merged|--sort=\S+|--format=.*|--points-at|--column\S*|--color\S*)(?: .*)?)$/s,
  tag: /^(?:|(?:-l|-n\d*|--list|--contains|--no-contains|--merged|--points-at|--sort=\S+|--format=.*|--column\S*)(?: .*)?)$/s,
  remote: /^(?:|-v|--verbose|show|get-url (?:--all |--push )?[\w.-]+)$/,
  stash: /^(?:list|show)(?: .*)?$/s,
  worktree: /^list\b/,
  submodule: /^(?:|status|summary|status --recursive)$/,
  notes: /^(?:|list|show)(?: .*)?$/,
  bisect: /^(?:log|view|visualize)$/,
  lfs: /^(?:ls-files|status|env|version|track)$/,
  // The view has no settings with a secret.
  config:
    /^(?:--(?:local|global|system|show-origin|show-scope|name-only|bool|int|path|type=\w+) )*(?:-l|--list|list|(?:--get |--get-all |get )?[a-z][\w.-]+|--get-regexp \S+)(?: --(?:show-origin|show-scope|name-only|local|global))*$/i,
  'symbolic-ref': /^(?:(?:-q|--quiet|--short) )*[\w/.-]+$/,
  'sparse-checkout': /^list$/,
  maintenance: /^$/,
};

/** Options before the subcommand that change nothing. */
const FIRST_WORDS: ReadonlySet<string> = new Set(['--no-pager', '--no-optional-locks', '-P', '--literal-pathspecs']);

/**
 * Words that show the content of any file, also of one with secrets: a hash may be that of its content, and `-S` and `-G`
 * tell what is in it. They also leave out words that run programs or write files.
 */
const SHOWS_ANY_FILE =
  /^(?:-[a-zA-Z0-9]*[aSGO].*|--(?:te|bi|std|ext|out|find-o|pick|no-in|show-s|subm|conten|open|batch|filt)[\w-]*(?:=.*)?|:\/.*|.*\^\{(?:blob|tree|object)?\}.*)$/s;

/** A hash at the start of a revision, also behind `..`, `^` and the `-g` of `git describe`. git takes both cases. */
const HAS_HASH = /(?:^|\.\.|\^|-g)[0-9a-f]{4,64}(?:$|\.\.|[~^:@])/i;

function showsAnyFile(word: string): boolean {
  return SHOWS_ANY_FILE.test(word) || HAS_HASH.test(word);
}

/** Subcommands whose operands are paths of the work tree. */
const NAMES_PATHS: ReadonlySet<string> = new Set(['status', 'ls-files', 'check-ignore', 'check-attr']);

/** Subcommands for which `-a`, `--cached` and `--stdin` mean something else. */
const OTHER_MEANING: ReadonlySet<string> = new Set([
  'ls-files',
  'check-ignore',
  'check-attr',
  'status',
  'branch',
  'tag',
  'help',
]);

/** Formats with `%G` run gpg. */
const RUNS_GPG = /%[-+ ]?G/;

/**
 * True if git with these words only reads, and shows the content of no file but those that the words name. The sandbox
 * hides secrets on the disk, but not in the objects of git, so that each word must be known.
 */
export function isReadingGit(written: readonly ShellWord[]): boolean {
  const [first, ...rest] = withoutDirectory(written);
  if (first === undefined || !first.static) return false;
  const words = rest.map(({ text }) => text);
  const reading = Object.hasOwn(READING_WORDS, first.text) ? READING_WORDS[first.text] : undefined;
  const isKnown = rest.every((word) => word.static);
  if (reading !== undefined) {
    const line = words.join(' ');
    return isKnown && reading.test(line) && !words.some((word) => showsAnyFile(word) && first.text === 'stash');
  }
  if (!READERS.has(first.text)) return false;
  const end = words.indexOf('--');
  const before = end < 0 ? rest : rest.slice(0, end);
  const after = end < 0 ? [] : rest.slice(end);
  const namesPaths = NAMES_PATHS.has(first.text);
  // A pattern becomes names of files, which behind `--` are nothing else.
  if (!after.every((word) => word.static || word.pattern)) return false;
  if (!before.every((word) => word.static || (namesPaths && word.pattern))) return false;
  if (OTHER_MEANING.has(first.text)) return true;
  const operands = before.filter(({ text }) => !text.startsWith('-'));
  if (first.text === 'grep') {
    // It searches the files of the commits that it names.
    const [pattern, ...others] = operands;
    const options = before.filter((word) => word !== pattern).map(({ text }) => text);
    // With a pattern in an option, the first operand is a commit; git takes the beginning of a long option for it.
    const hasPattern = options.some((text) => /^-[^-]*[ef]./.test(text)) && pattern !== undefined;
    return (
      others.length === 0 &&
      !hasPattern &&
      !options.some(
        (text) => text.startsWith('--ca') || showsAnyFile(/^-[^-]/.test(text) ? text.replaceAll('a', '') : text),
      )
    );
  }
  if (first.text === 'reflog' && /^(?:expire|delete|drop)$/.test(words[0] ?? '')) return false;
  if (first.text === 'rev-parse' || first.text === 'merge-base') return true;
  return !before.some(({ text }, index) => {
    if (RUNS_GPG.test(text)) return true;
    return showsAnyFile(text) && !(TAKES_TEXT.test(before[index - 1]?.text ?? '') && !text.startsWith('-'));
  });
}

/** Options whose value is in the next word, and is neither a revision nor a file. */
const TAKES_TEXT = /^(?:-n|--max-count|--skip|--since|--until|--after|--before|--author|--committer|--grep)$/;

/** The words without options that change nothing, and without `-C` of a directory. */
function withoutDirectory(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, second] = words;
  if (first === undefined) return words;
  if (first.static && FIRST_WORDS.has(first.text)) return withoutDirectory(words.slice(1));
  return first.text === '-C' && second?.static === true ? withoutDirectory(words.slice(2)) : words;
}

/** The paths that a word of git may name: what follows each colon in `HEAD@{0 : 0}:src/a.ts`, and the word itself. */
export function pathsInRevision(word: string): readonly string[] {
  const parts = word.split(':');
  return parts.map((_, index) => parts.slice(index).join(':'));
}
