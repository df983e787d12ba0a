import type { ReadOnlyProgram } from './program-words.ts';

/** Options of `md5sum` and its relatives, which read the files to check from another one with `-c`. */
const CHECKSUM: ReadOnlyProgram = { short: 'btz', long: 'binary text tag zero', operands: 'paths' };

/** A format of printf with `%n` sets a variable, whose name may contain a command. */
const SETS_VARIABLE = /(?<!%)(?:%%)*%[-+ #0-9.*']*[hlLqjzt]*n/;

/**
 * The programs that only read, with the options and operands with which they do. Everything that is not in the table is
 * not known to only read: options that write, that run programs or that take names from a file are left out.
 */
export const READ_ONLY_PROGRAMS: Readonly<Record<string, ReadOnlyProgram>> = {
  basename: { short: 'as:z', long: 'multiple suffix= zero', operands: 'text' },
  cat: {
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    operands: 'paths',
  },
  cmp: { short: 'bli:n:s', long: 'print-bytes verbose ignore-initial= bytes= quiet silent', operands: 'paths' },
  column: { short: 'tc:s:xn', long: 'table output-width= separator= fillrows', operands: 'paths' },
  comm: { short: '123z', long: 'check-order nocheck-order output-delimiter= total zero-terminated', operands: 'paths' },
  cut: {
    short: 'b:c:d:f:nsz',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
    operands: 'paths',
  },
  // An operand without `+` sets the clock.
  date: {
    short: 'uRd:I::',
    long: 'utc universal rfc-email rfc-3339= iso-8601=? date=',
    operands: 'text',
    operandsAre: /^\+/,
  },
  df: {
    short: 'ahHiklmPTt:x:',
    long: 'all human-readable si inodes local portability print-type total type= exclude-type= block-size=',
    operands: 'paths',
  },
  // `-l` runs pr. Of directories, it compares all files, and follows links.
  diff: {
    short: 'abBcC:dEiNpqstTuU:wW:yZ',
    long: 'brief unified=? context=? side-by-side new-file text ignore-case ignore-space-change ignore-all-space ignore-blank-lines ignore-trailing-space strip-trailing-cr report-identical-files minimal suppress-common-lines width= color=? exclude= label= show-c-function',
    operands: 'paths',
    onlyFiles: true,
  },
  dirname: { short: 'z', long: 'zero', operands: 'text' },
  du: {
    short: 'abcd:hHklmPsSt:x',
    long: 'all apparent-size bytes total max-depth= human-readable si summarize separate-dirs threshold= one-file-system time=? block-size= exclude=',
    operands: 'paths',
  },
  echo: { literal: true },
  false: {},
  // `-C` writes a file, `-f` and `-m` read names and rules from one, `-z` runs programs.
  file: {
    short: 'bhiLNr0',
    long: 'brief mime mime-type mime-encoding no-dereference dereference no-pad raw print0',
    operands: 'paths',
  },
  // `-R` follows links out of the workspace.
  grep: {
    short: '#abcEFGhHiIlLm:noPqrsTUvVwxyzA:B:C:e:',
    long: 'extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case invert-match word-regexp line-regexp count color=? colour=? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context=? text binary-files= exclude= exclude-dir= include= recursive line-buffered null-data',
    operands: 'pattern',
    patternOptions: 'e regexp',
    recursive: 'r recursive',
  },
  head: { short: '#n:c:qvz', long: 'lines= bytes= quiet silent verbose zero-terminated', operands: 'paths' },
  id: { short: 'gGnruz', long: 'group groups name real user zero', operands: 'text' },
  // `-f`, `--slurpfile`, `--rawfile`, `-L` and modules read other files.
  jq: {
    short: 'aCceMnRrSsj',
    long: 'raw-output raw-input compact-output null-input slurp sort-keys color-output monochrome-output ascii-output exit-status join-output tab indent=',
    operands: 'pattern',
    refuses: /\b(?:import|include|modulemeta|env|ENV)\b/,
  },
  ls: {
    short: 'aAbBcCdfFgGhHikIlmnNopqQrRsStTuUvwxXZ1',
    long: 'all almost-all author escape ignore-backups color=? directory classify=? file-type full-time human-readable si inode kibibytes no-group group-directories-first hide= ignore= indicator-style= literal numeric-uid-gid quote-name quoting-style= recursive reverse size sort= time= time-style= width= format= block-size=',
    operands: 'paths',
  },
  md5sum: CHECKSUM,
  nl: {
    short: 'b:d:f:h:i:l:n:ps:v:w:',
    long: 'body-numbering= number-format= number-separator= number-width= starting-line-number= line-increment=',
    operands: 'paths',
  },
  node: { short: 'v', long: 'version', needs: 'v version' },
  paste: { short: 'd:sz', long: 'delimiters= serial zero-terminated', operands: 'paths' },
  printf: { operands: 'text', refuses: SETS_VARIABLE },
  pwd: { short: 'LP', long: 'logical physical' },
  readlink: {
    short: 'efmnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
    operands: 'paths',
  },
  realpath: {
    short: 'eLmPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero',
    operands: 'paths',
  },
  rev: { operands: 'paths' },
  // `--pre`, `--hostname-bin` and `-z` run programs; `-f` and `--ignore-file` read names from a file; `-L` follows links.
  rg: {
    short: 'aA:B:C:ce:FHhIilm:NnoPpqsSt:T:Uvwxg:M:r:',
    long: 'after-context= before-context= context= count count-matches regexp= fixed-strings glob= iglob= with-filename no-filename ignore-case files-with-matches files-without-match max-count= no-line-number line-number only-matching pcre2 pretty quiet case-sensitive smart-case type= type-not= multiline invert-match word-regexp line-regexp heading no-heading vimgrep json color= colors= column files stats sort= sortr= max-depth= max-columns= max-filesize= replace= trim null type-list threads=',
    operands: 'pattern',
    patternOptions: 'e regexp files type-list',
    recursive: 'always',
  },
  // Other numbers, such as `inf` and `1e9`, may never end.
  seq: {
    short: 'f:s:w',
    long: 'format= separator= equal-width',
    operands: 'text',
    operandsAre: /^\d{1,7}(?:\.\d{1,3})?$/,
  },
  sha1sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha512sum: CHECKSUM,
  // `-o` writes a file, `-T` names a directory to write in, `--compress-program` runs a program.
  sort: {
    short: 'bcCdfghik:mMnrRst:uVz',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check=? merge key= stable field-separator= unique zero-terminated parallel=',
    operands: 'paths',
  },
  stat: { short: 'c:fLt', long: 'format= printf= dereference file-system terse', operands: 'paths' },
  tac: { short: 'brs:', long: 'before regex separator=', operands: 'paths' },
  // `-f`, `-F` and the old form `+1f` never end.
  tail: {
    short: '#n:c:qvz',
    long: 'lines= bytes= quiet silent verbose zero-terminated',
    operands: 'paths',
    operandsAre: /^(?!\+)/,
  },
  tr: { short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', operands: 'text' },
  true: {},
  type: { short: 'afpPt', operands: 'text' },
  uname: {
    short: 'aimnoprsv',
    long: 'all kernel-name nodename kernel-release kernel-version machine processor operating-system',
  },
  // A second operand is a file to write.
  uniq: {
    short: 'cdDf:is:uw:z',
    long: 'count repeated all-repeated=? skip-fields= group=? ignore-case skip-chars= unique check-chars= zero-terminated',
    operands: 'paths',
    most: 1,
  },
  wc: { short: 'clLmw', long: 'bytes chars lines max-line-length words total=', operands: 'paths' },
  which: { short: 'as', long: 'all', operands: 'text' },
  whoami: {},
};

/** Words of an expression of `find` without a value. Actions that write or run are left out. */
export const FIND_PLAIN_WORDS: ReadonlySet<string> = new Set([
  ...['!', '(', ')', ',', '-a', '-and', '-daystart', '-depth', '-empty'],
  ...['-executable', '-false', '-ls', '-mount', '-nogroup', '-not', '-nouser', '-o', '-or'],
  ...['-print', '-print0', '-prune', '-quit', '-readable', '-true', '-writable', '-xdev'],
]);

export const FIND_VALUE_WORDS: ReadonlySet<string> = new Set([
  ...['-amin', '-atime', '-cmin', '-ctime', '-gid', '-group', '-iname', '-inum'],
  ...['-ipath', '-iregex', '-links', '-maxdepth', '-mindepth', '-mmin', '-mtime', '-name'],
  ...['-newermt', '-path', '-perm', '-printf', '-regex', '-regextype', '-size', '-type'],
  ...['-uid', '-user', '-wholename', '-xtype'],
]);

/** The operators of `test`. Without `-v` and `-R`, whose operand may contain a command. */
export const TEST_OPERATORS: ReadonlySet<string> = new Set([
  ...['-a', '-b', '-c', '-d', '-e', '-f', '-g', '-h', '-k', '-L', '-n', '-p', '-r', '-s', '-S', '-u', '-w', '-x', '-z'],
  ...['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef', '-o', '-t', '-G', '-N', '-O'],
]);
