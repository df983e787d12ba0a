import type { ReadOnlyProgram } from '../program-words.ts';

/** The meaning of the operands of a subcommand of git before `--`. */
export type GitOperands =
  /** Revisions of which git shows the content, whatever they are: commits by name only. */
  | 'content'
  /** Revisions of which git takes commits only, or prints names only. */
  | 'commits'
  /** Paths of the work tree, also patterns. */
  | 'paths'
  /** A pattern, unless an option has one, and no revision. */
  | 'pattern'
  /** Neither files nor revisions. */
  | 'text';

/** The words with which a subcommand of git only reads. Nothing is abbreviated, and every option is named. */
export interface ViewedSubcommand extends Omit<ReadOnlyProgram, 'operands'> {
  readonly kind: GitOperands;
  /** It shows the whole content of the files that its operands name, so that each must be known. */
  readonly showsNamed?: true;
  /** It needs no object, whatever its words are, if it has no operand, or with `--no-index`. */
  readonly withoutObjects?: 'always' | 'without operands' | 'without index';
  /** Options with which it prints no content, whatever its operands are. */
  readonly printsNoContent?: string;
}

function words(...lists: readonly string[]): string {
  return lists.join(' ');
}

/**
 * Options about changes (git-diff). Missing, because they show the content of any file or tell what is in it: `--text`,
 * `--binary`, `-S`, `--find-object`, `--submodule`; because they run programs: `--ext-diff`, `--textconv`; because they
 * write or read another file: `--output`, `-O`.
 */
const CHANGES = words(
  'patch no-patch unified=? indent-heuristic no-indent-heuristic minimal patience histogram anchored= diff-algorithm=',
  'output-indicator-new= output-indicator-old= output-indicator-context= raw patch-with-raw patch-with-stat stat=?',
  'stat-width= stat-name-width= stat-count= stat-graph-width= compact-summary numstat shortstat dirstat=? cumulative',
  'dirstat-by-file=? summary name-only name-status color=? no-color color-moved=? no-color-moved color-moved-ws=',
  'no-color-moved-ws word-diff=? word-diff-regex= color-words=? no-renames renames rename-empty no-rename-empty check',
  'ws-error-highlight= full-index abbrev=? no-abbrev break-rewrites=? find-renames=? find-copies=? find-copies-harder',
  'irreversible-delete diff-filter= pickaxe-all pickaxe-regex skip-to= rotate-to= relative=? no-relative',
  'ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines=',
  'inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules=? src-prefix=',
  'dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index combined-all-paths diff-merges=',
  'no-diff-merges remerge-diff cc dd',
);
const CHANGES_SHORT = 'puU::sX::M::C::B::DRbwWzl:I:G:rtmc';

/** Options about commits (git-log, git-rev-list). `--show-signature` runs gpg; `--stdin` reads revisions. */
const COMMITS = words(
  'max-count= skip= since= since-as-filter= after= until= before= author= committer= grep= grep-reflog= all-match',
  'invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges',
  'min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches=?',
  'tags=? remotes=? glob= exclude= reflog alternate-refs single-worktree ignore-missing bisect cherry-mark cherry-pick',
  'left-only right-only cherry walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse',
  'simplify-merges ancestry-path=? date-order author-date-order topo-order reverse no-walk=? do-walk pretty=? format=',
  'abbrev-commit no-abbrev-commit oneline encoding= expand-tabs=? no-expand-tabs notes=? no-notes show-notes=?',
  'relative-date date= parents children left-right graph no-graph show-linear-break=? no-show-signature',
);

/** Options of the subcommands that show commits with their changes. */
const HISTORY = words(
  COMMITS,
  CHANGES,
  'follow no-follow decorate=? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source mailmap',
  'no-mailmap use-mailmap no-use-mailmap full-diff log-size root',
);
const HISTORY_SHORT = `#${CHANGES_SHORT}n:iEFPgL:`;

/** A format that runs gpg, or a word with a magic word: `:/text` is the newest commit with this text, or the root. */
const RUNS_GPG = /%[-+ ]?G|%\(\*?signature/;

const LOG: ViewedSubcommand = { kind: 'commits', short: HISTORY_SHORT, long: HISTORY, refuses: RUNS_GPG };
const DIFF: ViewedSubcommand = { kind: 'content', short: CHANGES_SHORT, long: CHANGES };
const PLUMBING: ViewedSubcommand = {
  kind: 'content',
  short: `${CHANGES_SHORT}v`,
  long: words(CHANGES, 'cached root no-commit-id always pretty=? format= merge-base base ours theirs'),
  refuses: RUNS_GPG,
};
const BLAME: ViewedSubcommand = {
  kind: 'commits',
  showsNamed: true,
  short: 'blL:tpM::C::chfnsew',
  long: 'root show-stats reverse first-parent porcelain line-porcelain incremental encoding= date= score-debug show-name show-number show-email abbrev=? since= ignore-rev= ignore-revs-file= color-lines color-by-age progress no-progress minimal',
};

/** The options that list branches and tags, whose operands are patterns. Without them, an operand makes a new one. */
const LISTS = 'list contains=? no-contains=? merged=? no-merged=? points-at=?';
const LISTED = words(LISTS, 'sort= format= color=? no-color column=? no-column ignore-case omit-empty');
const LISTING = 'l n list contains no-contains merged no-merged points-at';

/** A subcommand that changes nothing with one of these options. */
const DRY = { needs: 'n dry-run' };

/** Options of git-config that read. */
const SETTINGS =
  'local global system worktree show-origin show-scope name-only bool int bool-or-int path expiry-date type= no-type null includes no-includes default=';

/** The subcommands of git that a view of the workspace runs without a question, by their first one or two words. */
export const VIEWED_GIT: Readonly<Record<string, ViewedSubcommand>> = {
  '--version': { withoutObjects: 'always', kind: 'text', long: 'build-options' },
  '--help': { withoutObjects: 'always', kind: 'text', short: 'ag', long: 'all guides' },
  help: {
    withoutObjects: 'always',
    kind: 'text',
    short: 'agcvm',
    long: 'all guides config verbose man no-external-commands no-aliases',
    most: 1,
  },
  version: { withoutObjects: 'always', kind: 'text', long: 'build-options', most: 0 },
  log: LOG,
  whatchanged: LOG,
  show: { ...LOG, kind: 'content' },
  'stash list': { ...LOG },
  'stash show': {
    ...DIFF,
    kind: 'commits',
    long: words(CHANGES, 'include-untracked only-untracked no-include-untracked'),
    operandsAre: /^(?:\d+|(?:stash|refs\/stash)(?:@\{[^}]*\})?)$/,
  },
  reflog: { ...LOG, operandsAre: /^(?!(?:expire|delete|drop|write)$)/ },
  'range-diff': {
    ...DIFF,
    kind: 'commits',
    long: words(CHANGES, 'creation-factor= no-dual-color dual-color left-only right-only notes=? no-notes'),
  },
  diff: {
    ...DIFF,
    withoutObjects: 'without index',
    long: words(CHANGES, 'cached staged merge-base base ours theirs no-index'),
    short: `${CHANGES_SHORT}123`,
  },
  'diff-tree': PLUMBING,
  'diff-index': PLUMBING,
  'diff-files': PLUMBING,
  blame: BLAME,
  annotate: BLAME,
  grep: {
    withoutObjects: 'always',
    kind: 'pattern',
    short: '#aIiwvhHrEGPFnlLzocpA:B:C:Wm:f:e:q',
    long: 'no-index untracked exclude-standard no-exclude-standard text ignore-case word-regexp invert-match full-name recursive no-recursive max-depth= extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color=? no-color break heading show-function after-context= before-context= context= function-context max-count= threads= and or not all-match quiet',
    patternOptions: 'e f',
  },
  status: {
    kind: 'paths',
    short: 'bsu::vz',
    long: 'branch short verbose show-stash porcelain=? long untracked-files=? ignored=? column=? no-column ahead-behind no-ahead-behind renames no-renames find-renames=? ignore-submodules=? no-short',
  },
  'ls-files': {
    withoutObjects: 'always',
    kind: 'paths',
    short: 'cdmosuktvfzix:X:',
    long: 'cached deleted modified others ignored stage unmerged killed resolve-undo directory no-empty-directory eol deduplicate full-name error-unmatch exclude-standard exclude= exclude-from= exclude-per-directory= with-tree= recurse-submodules abbrev=? debug format= sparse',
  },
  'check-ignore': {
    withoutObjects: 'always',
    kind: 'paths',
    short: 'qvnz',
    long: 'quiet verbose stdin non-matching no-index',
  },
  'check-attr': { withoutObjects: 'always', kind: 'paths', short: 'az', long: 'all cached stdin source=' },
  'ls-tree': {
    kind: 'commits',
    short: 'drtlz',
    long: 'long name-only name-status object-only full-name full-tree abbrev=? format=',
  },
  'rev-list': {
    kind: 'commits',
    short: HISTORY_SHORT,
    long: words(
      COMMITS,
      'count objects objects-edge header timestamp disk-usage=? use-bitmap-index quiet no-commit-header',
    ),
    refuses: RUNS_GPG,
  },
  'rev-parse': {
    withoutObjects: 'without operands',
    kind: 'commits',
    short: 'q',
    long: 'verify quiet short=? abbrev-ref=? symbolic symbolic-full-name revs-only no-revs flags no-flags default= prefix= sq sq-quote not parseopt keep-dashdash stop-at-non-option stuck-long all branches=? tags=? remotes=? glob= exclude= disambiguate= show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir git-path= resolve-git-dir= absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository local-env-vars path-format= shared-index-path show-object-format=? show-ref-format since= after= until= before=',
  },
  'merge-base': { kind: 'commits', short: 'a', long: 'all octopus independent is-ancestor fork-point' },
  'name-rev': { kind: 'commits', long: 'tags refs= exclude= all name-only no-undefined always stdin annotate-stdin' },
  cherry: { kind: 'commits', short: 'v', long: 'verbose abbrev=?' },
  describe: {
    kind: 'commits',
    long: 'all tags contains abbrev=? candidates= exact-match debug long match= exclude= always first-parent dirty=? broken=?',
  },
  shortlog: {
    kind: 'commits',
    short: '#csenw::iEFP',
    long: words(HISTORY, 'numbered summary email group= committer'),
    refuses: RUNS_GPG,
  },
  'show-ref': {
    withoutObjects: 'without operands',
    kind: 'commits',
    short: 'dqs::',
    long: 'head tags heads branches dereference hash=? verify abbrev=? quiet exists',
  },
  'show-branch': {
    kind: 'commits',
    short: 'arg::',
    long: 'all remotes current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics reflog=? color=? no-color',
  },
  'for-each-ref': {
    kind: 'text',
    short: 'sp',
    long: words(LISTED, 'count= shell perl python tcl exclude= include-root-refs'),
    refuses: RUNS_GPG,
  },
  branch: {
    kind: 'text',
    short: 'alrvqi',
    long: words(LISTED, 'all verbose remotes show-current abbrev=? no-abbrev quiet'),
    operandsNeed: LISTING,
    refuses: RUNS_GPG,
  },
  tag: { kind: 'text', short: 'ln::i', long: LISTED, operandsNeed: LISTING, refuses: RUNS_GPG },
  'remote show': { withoutObjects: 'always', kind: 'text', short: 'n', operandsNeed: 'n' },
  'ls-remote': { withoutObjects: 'always', kind: 'text', long: 'get-url', needs: 'get-url', most: 1 },
  'remote get-url': { withoutObjects: 'always', kind: 'text', long: 'all push', most: 1 },
  remote: { withoutObjects: 'always', kind: 'text', short: 'v', long: 'verbose', operandsAre: /^show$/, most: 1 },
  'worktree list': { withoutObjects: 'always', kind: 'text', short: 'vz', long: 'verbose porcelain expire=' },
  'submodule status': { kind: 'paths', short: 'q', long: 'cached recursive quiet' },
  'submodule summary': { kind: 'commits', short: 'n:', long: 'cached files summary-limit=' },
  submodule: { kind: 'text', most: 0 },
  'notes list': { kind: 'commits' },
  'notes show': { kind: 'commits' },
  notes: { kind: 'text', most: 0 },
  'bisect log': { kind: 'text', most: 0 },
  'bisect view': { kind: 'text', most: 0 },
  'bisect visualize': { kind: 'text', most: 0 },
  'lfs ls-files': { kind: 'commits', short: 'lsadnj', long: 'long size all deleted name-only json' },
  'lfs status': { kind: 'text', short: 'pj', long: 'porcelain json', most: 0 },
  'lfs env': { kind: 'text', most: 0 },
  'lfs version': { withoutObjects: 'always', kind: 'text', most: 0 },
  'lfs track': { kind: 'text', most: 0 },
  // The view has no settings with a secret.
  'config list': { withoutObjects: 'always', kind: 'text', short: 'z', long: SETTINGS, most: 0 },
  'config get': {
    withoutObjects: 'always',
    kind: 'text',
    short: 'z',
    long: words(SETTINGS, 'all regexp value= fixed-value url='),
    most: 1,
  },
  config: {
    withoutObjects: 'always',
    kind: 'text',
    short: 'lz',
    long: words(SETTINGS, 'list get get-all get-regexp'),
    most: 1,
  },
  'symbolic-ref': { withoutObjects: 'always', kind: 'text', short: 'q', long: 'quiet short no-recurse', most: 1 },
  'sparse-checkout list': { withoutObjects: 'always', kind: 'text', most: 0 },
  'count-objects': { kind: 'text', short: 'vH', long: 'verbose human-readable', most: 0 },
  'cat-file': {
    kind: 'content',
    short: 'tsep',
    long: 'batch-check=? batch-all-objects unordered buffer follow-symlinks allow-unknown-type',
    printsNoContent: 't s e batch-check',
  },
  'check-mailmap': { withoutObjects: 'always', kind: 'text', long: 'stdin' },
  'check-ref-format': {
    withoutObjects: 'always',
    kind: 'text',
    long: 'branch allow-onelevel no-allow-onelevel refspec-pattern normalize print',
  },
  fsck: {
    kind: 'commits',
    long: 'unreachable dangling no-dangling root tags cache no-reflogs full no-full connectivity-only strict verbose progress no-progress name-objects references no-references',
  },
  'bundle verify': { kind: 'paths', short: 'q', long: 'quiet' },
  'bundle list-heads': { kind: 'paths' },
  archive: { withoutObjects: 'always', kind: 'text', short: 'l', long: 'list', needs: 'l list', most: 0 },
  difftool: { withoutObjects: 'always', kind: 'text', long: 'tool-help', needs: 'tool-help', most: 0 },
  'rerere status': { withoutObjects: 'always', kind: 'text', most: 0 },
  replace: { kind: 'text', short: 'l', long: 'list format=', operandsNeed: 'l list' },
  'hash-object': { withoutObjects: 'always', kind: 'paths', short: 't:', long: 'path= no-filters' },
  // Those that only say what they would do
  clean: { ...DRY, withoutObjects: 'always', kind: 'paths', short: 'dfnqxXe:', long: 'dry-run force quiet exclude=' },
  add: { ...DRY, kind: 'paths', short: 'nAuvf', long: 'dry-run all no-all update verbose force ignore-errors' },
  rm: { ...DRY, kind: 'paths', short: 'nrfq', long: 'dry-run cached force quiet ignore-unmatch' },
  prune: { ...DRY, kind: 'text', short: 'nv', long: 'dry-run verbose expire= progress', most: 0 },
  'worktree prune': { ...DRY, withoutObjects: 'always', kind: 'text', short: 'nv', long: 'dry-run verbose expire=' },
  apply: {
    kind: 'paths',
    needs: 'stat numstat summary check',
    short: 'Rvp:C:',
    long: 'stat numstat summary check verbose quiet reverse unidiff-zero directory= include= exclude= recount ignore-whitespace ignore-space-change whitespace= allow-empty',
  },
  var: { withoutObjects: 'always', kind: 'text', short: 'l', most: 1 },
};
