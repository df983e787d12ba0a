import { SENSITIVE_PAIRS } from '../../../paths/special-names.ts';
import type { ReadOnlyProgram } from '../program-words.ts';

/**
 * Options of the subcommands that show changes. `-O` reads an order from a file, `--ext-diff` runs a program. `--text` and
 * `--binary` show the content of files with secrets, too, which the sandbox has git take for binary files.
 */
const DIFF = {
  short: '#bcmMpqrstuU::wzC::D',
  long: 'patch no-patch unified=? raw stat=? numstat shortstat dirstat=? summary compact-summary name-only name-status color=? no-color word-diff=? word-diff-regex= no-renames find-renames=? find-copies=? diff-filter= full-index abbrev=? minimal patience histogram anchored= diff-algorithm= ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-cr-at-eol function-context inter-hunk-context= relative=? no-ext-diff no-textconv no-prefix exit-code quiet check pickaxe-all pickaxe-regex',
};

/** Options that say which files a commit changed, and show nothing of their content. */
const SUMMARY = 'stat=? numstat shortstat dirstat=? summary compact-summary name-only name-status no-patch';

/**
 * Options of the subcommands that show commits, without those that show the content of files, or tell whether a text is in
 * them (`-S`, `-G`): a commit may have a file with secrets. A format with `%G` and `--show-signature` run gpg.
 */
const LOG = {
  short: '#bMqrstwzn:iEFPg',
  long: `${SUMMARY} raw color=? no-color no-renames find-renames=? find-copies=? diff-filter= full-index abbrev=? no-ext-diff no-textconv relative=? oneline graph all branches=? tags=? remotes=? decorate=? no-decorate decorate-refs= pretty=? format=? abbrev-commit no-abbrev-commit max-count= skip= since= after= until= before= author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings merges no-merges first-parent no-walk=? reverse follow date= relative-date date-order author-date-order topo-order left-right cherry-pick cherry-mark left-only right-only full-history simplify-merges ancestry-path=? boundary walk-reflogs source parents children notes=? no-notes encoding=`,
};

/** A format that runs gpg, or an operand with a magic word, such as `:/` for the root of the repository. */
const RUNS_GPG = /%[-+ ]?G|^:/;
const MAGIC = /^:/;

/** A hash where git takes a revision: at its start, also behind `..`, `^` and the `-g` of `git describe`, in both cases. */
const HASH = /(?:^|\.\.|[~^]|-g)[0-9a-f]{4,64}(?:$|\.\.|[~^:@])/;

/** A revision that git peels to any object, or finds by the text of its message. */
const ANY_OBJECT = /\^\{(?:blob|tree|object)?\}|^:\//;

/** A directory with a file that holds secrets only by the name of the directory: `HEAD:.aws`. */
const SECRET_TREE = `:(?:.*/)?(?:${SENSITIVE_PAIRS.map(([name]) => name.replaceAll('.', '[.]')).join('|')})/*$`;

/** The same form once for each hash in a word, which is the first group. */
const EACH_HASH = /(?:^|\.\.|[~^]|-g)([0-9a-f]{4,64})(?=$|\.\.|[~^:@])/gi;

/**
 * A revision that may be the content of a file with secrets. It has no name there, so that no attribute protects it, and is
 * shown whatever the options are. A hash is not, if it is that of a commit.
 */
export const SHOWS_ANY_FILE = new RegExp([ANY_OBJECT.source, SECRET_TREE].join('|'), 'is');

/** The hashes in a revision, which may be those of any object. */
export function hashesIn(revision: string): readonly string[] {
  return [...revision.matchAll(EACH_HASH)].flatMap(([, ...groups]) => groups);
}

/** Any other revision. */
const NO_SECRET = new RegExp(`^(?!.*?(?:${HASH.source}|${SHOWS_ANY_FILE.source}|\\^\\{))`, 'is');

/**
 * The subcommands of git that only read, by their first one or two words. Options that look into submodules
 * (`--submodule`, `--ignore-submodules`, `--dirty`) are missing, because git obeys the settings of the submodule there.
 */
export const READ_ONLY_GIT: Readonly<Record<string, ReadOnlyProgram>> = {
  '--version': {},
  // Any operand would create a branch.
  branch: {
    short: 'alrv',
    long: 'all list verbose remotes show-current contains= no-contains= merged= no-merged= points-at= sort= color=? no-color column=? no-column ignore-case abbrev=? no-abbrev',
  },
  describe: {
    long: 'all tags contains abbrev=? candidates= exact-match debug long match= exclude= always first-parent',
    operands: 'revisions',
  },
  diff: {
    ...DIFF,
    long: `${DIFF.long} cached staged merge-base base ours theirs`,
    operands: 'revisions',
    operandsAre: NO_SECRET,
    refuses: MAGIC,
  },
  log: { ...LOG, operands: 'revisions', refuses: RUNS_GPG },
  'ls-files': {
    short: 'cdmosuktvzix:',
    long: 'cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol deduplicate full-name error-unmatch exclude-standard exclude= abbrev=? debug',
    operands: 'paths',
    refuses: MAGIC,
  },
  remote: { short: 'v', long: 'verbose' },
  'rev-parse': {
    short: 'q',
    long: 'verify quiet short=? abbrev-ref=? symbolic symbolic-full-name show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository all branches=? tags=? remotes=?',
    operands: 'revisions',
    refuses: MAGIC,
  },
  shortlog: {
    short: 'censw::',
    long: 'committer email numbered summary all no-merges merges since= until= author= group=',
    operands: 'revisions',
    refuses: MAGIC,
  },
  show: {
    ...LOG,
    operands: 'revisions',
    operandsAre: NO_SECRET,
    refuses: RUNS_GPG,
    needs: `s ${SUMMARY.replaceAll('=?', '')}`,
  },
  'stash list': { short: '#n:', long: 'oneline stat=? max-count= date=' },
  status: {
    short: 'bsu::vz',
    long: 'branch short verbose show-stash porcelain=? long untracked-files=? ignored=? column=? no-column ahead-behind no-ahead-behind renames no-renames find-renames=?',
    operands: 'paths',
    refuses: MAGIC,
  },
  // Any operand would create a tag.
  tag: {
    short: 'ln::i',
    long: 'list contains= no-contains= merged= no-merged= points-at= sort= column=? no-column color=? ignore-case',
    operands: 'text',
    operandsNeed: 'l list',
  },
};

/** Words before the subcommand that change nothing. All others may name another repository or run a program. */
export const GIT_FIRST_WORDS: ReadonlySet<string> = new Set(['--no-pager', '--no-optional-locks']);
