import { describe, expect, it } from 'vitest';
import { GIT_FIRST_WORDS, READ_ONLY_GIT } from '../../../../../src/policy/shell/read-only/git/git-subcommands.ts';
import {
  FIND_PLAIN_WORDS,
  FIND_VALUE_WORDS,
  READ_ONLY_PROGRAMS,
  TEST_OPERATORS,
} from '../../../../../src/policy/shell/read-only/programs.ts';
import { readOnlyUse } from '../../../../../src/policy/shell/read-only/read-only-command.ts';

const PLACES = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;

/** The lines of a table: a command, and after `=>` the paths that it reads, from the workspace. */
function lines(table: string): readonly (readonly [command: string, paths: readonly string[]])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [command = '', paths = ''] = line.trim().split(' => ');
      return [command, paths === '' ? [] : paths.split(' ').map((path) => (path === '.' ? '/w' : `/w/${path}`))];
    });
}

/** At least one line for each part of each row. */
const ALLOWED = lines(
  String.raw`
  basename -a src/a.ts
  basename --suffix=.ts src/a.ts
  cat a b => a b
  cat -nA a => a
  cat --number-nonblank -- -a => -a
  cat - a => - a
  cmp -s a b => a b
  cmp --silent a b => a b
  column -t -s, a => a
  column --table a => a
  comm -12 a b => a b
  comm --total a b => a b
  cut -d: -f 1 a => a
  cut --delimiter=, --fields 1 a => a
  date
  date -u +%F
  date --date=yesterday +%s
  date -d yesterday
  date -Iseconds
  df -h .  => .
  df --human-readable
  diff -u a b => a b
  diff -U 3 a b => a b
  diff --brief --color a b => a b
  dirname -z a/b
  dirname --zero a/b
  du -sh src => src
  du --max-depth=1 src => src
  echo done -x --all
  false
  file -b a => a
  file --mime-type a => a
  grep -rn word src => src
  grep -5 word a => a
  grep -e one -e two a => a
  grep --regexp=one a => a
  grep --include='*.ts' --color=never word a => a
  grep -m2 word a => a
  head -5 a => a
  head -n 5 a => a
  head -n5 a => a
  head --lines=5 a => a
  head --lines 5 a => a
  id -un
  id --user root
  jq -r .name package.json => package.json
  jq --tab . package.json => package.json
  ls
  ls -la src => src
  ls --color=auto --all src => src
  ls --color src => src
  md5sum -b a => a
  md5sum --tag a => a
  nl -ba a => a
  nl --number-width=3 a => a
  node -v
  node --version
  paste -sd, a => a
  paste --serial a => a
  printf '%s %d%%n\n' a 5
  pwd
  pwd -P
  pwd --physical
  readlink -f a => a
  readlink --canonicalize a => a
  realpath -e a => a
  realpath --strip a => a
  rev a => a
  rg -n word src => src
  rg --json word => .
  rg -e one src => src
  rg --regexp one src => src
  rg --files src => src
  rg --type-list => .
  seq -w 1 10
  seq 1234567.123 0.5 5
  seq --separator=, 1 10
  sha1sum a => a
  sha256sum a => a
  sha512sum a => a
  sort -rnk2 a => a
  sort -k 2 a => a
  sort --reverse --key=2 a => a
  sort --check a => a
  stat -c %s a => a
  stat --format=%s a => a
  tac -b a => a
  tac --before a => a
  tail -20 a => a
  tail -n +5 a => a
  tail --lines=5 a => a
  tr -d x
  tr --delete x
  true
  type -a node
  uname -a
  uname --all
  uniq -c a => a
  uniq --count a => a
  wc -l a b => a b
  wc --lines a => a
  which -a node
  which --all node
  whoami
  find
  find src => src
  find . -name '*.ts' -not -path './x/*' => .
  find a b -maxdepth 1 ( -type f -o -empty ) => a b
  sed -n 5,10p a => a
  sed -n '1,$p' a b => a b
  sed -n '$p' a => a
  [ -f a ] => a
  test a = b => a = b
  [ -f a -a -d src/b ] => a src/b
  cd src && ls -l a => src/a
  git --version
  git branch -a
  git branch --show-current
  git describe --tags HEAD~2 => HEAD~2
  git diff
  git diff --cached --stat -- src/a.ts => src/a.ts
  git diff -U5 HEAD main => HEAD main
  git log --oneline -5
  git log -n 3 --stat src => src
  git log --pretty=%h%d --graph
  git ls-files -o --exclude-standard src => src
  git remote -v
  git remote --verbose
  git rev-parse -q --verify HEAD => HEAD
  git shortlog -sn main => main
  git shortlog --summary
  git status -u src => src
  git show --stat HEAD:src/a.ts => HEAD:src/a.ts src/a.ts
  git show -s --format=%an HEAD => HEAD
  git stash list -3
  git stash list --oneline
  git status -sb src => src
  git status --porcelain=v2 -uno
  git tag
  git tag -l 'v1*'
  git tag --list 'v1*'
  git --no-pager --no-optional-locks log
  cd /w && git status
`.replaceAll(/([()])(?= )/g, String.raw`\$1`),
);

/** Commands that each part of a row keeps out, and those that are in no row. */
const REFUSED: readonly string[] = [
  'cat -x a',
  'cat --num a',
  'cat --number=5 a',
  'cat --output=x a',
  'head -n',
  'head --lines',
  'head -f a',
  'tail -f a',
  'tail -F a',
  'tail --follow a',
  'date --set=x',
  'date -r a',
  'file -C',
  'file -z a',
  'grep -f a b',
  'grep --file=a b',
  'grep -R x .',
  'grep --dereference-recursive x .',
  'jq -f a',
  'jq --from-file a b',
  `jq 'import "a" as $a {search: "/home/u"}; $a' b`,
  `jq 'include "a"; .' b`,
  'jq env a',
  `jq -n '$ENV'`,
  'jq -L /x . a',
  `jq -n '"a" | modulemeta'`,
  'tail +1f a',
  'tail a +5',
  'seq inf',
  'seq 1e9',
  'seq 1 12345678',
  'seq -f 1.1234 1.1234',
  'cat a=~/x',
  'cat a=b:~',
  'cat a+=~',
  'jq --slurpfile a b . c',
  'jq --rawfile a b . c',
  'node',
  'node -v a.js',
  'node -e x',
  'npm',
  // npm keeps compiled files in the temporary directory.
  ...['npm --version', `printf '%n' PATH`, `printf '%%%n' PATH`, `printf '%5hn' PATH`, 'printf -v PATH x', 'pwd x'],
  'rg --pre ./x a',
  'rg --hostname-bin x a',
  'rg -z a',
  'rg --search-zip a',
  'rg -f a b',
  'rg --hidden a',
  'rg -uu a',
  'rg -L a',
  'sort --outp a b',
  'sort --compress-program=x a',
  'sort --compress x a',
  'sort -T /x a',
  'sort --files0-from=a',
  'sort -S 5 a',
  'uniq -c a b',
  'true x',
  'false x',
  'whoami x',
  'du -X a',
  'diff -l a b',
  'diff --paginate a b',
  'diff --to-file=a b',
  'md5sum -c a',
  'wc --files0-from=a',
  'ls -#',
  'ls -:',
  'find . -exec ls ;',
  'find . -fprint x',
  'find . -fls x',
  'find -L .',
  'find . -execdir x +',
  'find . -files0-from x',
  'find . -newer /etc/x',
  'sed -i s/a/b/ a',
  'sed s/a/b/ a',
  'sed -n p a',
  'sed -n 1,5w a',
  'sed -n 5p -i a',
  'sed -ne 5p a',
  'sed',
  '[ -f a',
  `test -R x`,
  `[ 'a[$(id)]' -eq 1 ]`,
  '[ x = `id` ]',
  '[ -5 -eq 5 ]',
  'cd',
  'cd -',
  'cd a b',
  'cd -P a',
  'cd -x',
  'awk 1 a',
  'xargs ls',
  'env',
  'env ls',
  'sh -c ls',
  'command ls',
  '/bin/ls',
  'toString',
  'git --no-pager',
  'git toString',
  'git stash list x',
  'git status :/',
  'git ls-files :/x',
  // Objects of git: the content of a committed file with secrets, without its name.
  'git diff 1f7a7a47 2e65efe2',
  'git diff 1f7a7a47..2e65efe2',
  'git diff HEAD..1f7a7a47',
  'git diff 1F7A7A472ABF3DD9643FD615F6DA379C4ACB3E3A HEAD',
  'git diff 1f7a7a47~2',
  'git show --stat 1f7a7a47',
  'git show -s 1f7a7a47',
  'git show --stat HEAD^{tree}',
  'git show --raw HEAD',
  'git log -S token',
  'git log -Stoken --all',
  'git log -G "to.*n"',
  'git log --pickaxe-all -S token',
  'git log -p',
  'git log -L1,5:.env',
  'git log --patch-with-stat',
  'git cat-file -p HEAD:.env',
  'git cat-file --batch-all-objects --batch',
  'git grep token HEAD',
  'git ls-tree -r HEAD',
  'git stash show -p',
  'git range-diff a b c',
  'git format-patch --stdout HEAD~1',
  'git bundle create - HEAD',
  'git fast-export HEAD',
  'git whatchanged -p',
  'git diff-tree -p HEAD',
  'git rev-list --objects --all',
  'git unpack-file 1f7a7a47',
  'git checkout-index --stdout --all',
  'git notes show',
  'git blame .env',
  'git annotate .env',
  'git diff -a',
  'git diff --binary',
  'diff -r a b',
  'diff --recursive a b',
  'git status; grep -r word',
  'rg word; git diff',
  'git diff -O x',
  'git diff --submodule=diff',
  'git log --submodule',
  'git diff --ignore-submodules=none',
  'git status --ignore-submodules=none',
  'git describe --dirty',
  'git describe --broken',
  'cd bare && git status',
  'cd bare; git log',
  'git log --pretty=format:%GS',
  'git log :/x',
  'git show HEAD',
  'git show -s :/x',
  `git show -s '--format=%G?'`,
  `git log '--format=%G?'`,
  'git -C /x log',
  'git -c a=b log',
  'git --exec-path=x log',
  'git --work-tree x log',
  'git rev-parse :/x',
  'git rev-parse --parseopt',
  'git shortlog :/x',
  'git describe --dirty=x -x',
  'git --version x',
];

const quoted = (command: string): string => command.replaceAll(/(?<= );$/g, String.raw`\;`);

describe('the table of read-only programs', () => {
  it.each(ALLOWED)('contains %s', (command, paths) => {
    expect(readOnlyUse(command, PLACES)).toMatchObject({ type: 'read_only', paths });
  });

  it.each(REFUSED)('does not contain %s', (command) => {
    expect(readOnlyUse(quoted(command), PLACES)).toMatchObject({ type: 'other' });
  });

  it('has a row for every program, every subcommand of git, and every option before one', () => {
    const commands = ALLOWED.map(([command]) => command);
    const starts = [...Object.keys(READ_ONLY_PROGRAMS), ...Object.keys(READ_ONLY_GIT).map((name) => `git ${name}`)];
    expect(
      starts.filter((start) => !commands.some((command) => command === start || command.startsWith(`${start} `))),
    ).toEqual([]);
    expect([...GIT_FIRST_WORDS]).toEqual(['--no-pager', '--no-optional-locks']);
  });
});

describe('a command that only reads', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    // command                      trees            files
    ['grep word a src', [], []],
    ['grep -n word a', [], []],
    ['grep -r word', ['/w'], []],
    ['grep -rn word src a/b', ['/w/src', '/w/a/b'], []],
    ['grep --recursive -e word', ['/w'], []],
    ['cd src && grep -r word .', ['/w/src'], []],
    ['rg word', ['/w'], []],
    ['rg -e word src', ['/w/src'], []],
    ['cat a | rg word', ['/w'], []],
    ['diff -u a b', [], ['/w/a', '/w/b']],
    ['ls -R; find . -name a; du', [], []],
    ['git diff', [], []],
  ])('%s reads all files of %j', (command, trees, files) => {
    expect(readOnlyUse(command, PLACES)).toMatchObject({ type: 'read_only', trees, files });
  });
});

describe('an expression of find', () => {
  const PLAIN =
    '! ( ) , -a -and -daystart -depth -empty -executable -false -ls -mount -nogroup -not -nouser -o -or -print -print0'
      .split(' ')
      .concat('-prune -quit -readable -true -writable -xdev'.split(' '));
  const WITH_VALUE =
    '-amin -atime -cmin -ctime -gid -group -iname -inum -ipath -iregex -links -maxdepth -mindepth -mmin -mtime -name'
      .split(' ')
      .concat('-newermt -path -perm -printf -regex -regextype -size -type -uid -user -wholename -xtype'.split(' '));

  it.each(PLAIN)('may contain %s without a value', (word) => {
    expect(readOnlyUse(`find . '${word}' -print`, PLACES)).toMatchObject({ type: 'read_only', paths: ['/w'] });
    expect(readOnlyUse(`find . '${word}' -delete`, PLACES).type).toBe('other');
  });

  it.each(WITH_VALUE)('may contain %s with a value, which is not taken for an action', (word) => {
    expect(readOnlyUse(`find . ${word} -delete -print`, PLACES)).toMatchObject({ type: 'read_only', paths: ['/w'] });
    expect(readOnlyUse(`find . ${word} x -delete`, PLACES).type).toBe('other');
  });

  it('may contain no other words', () => {
    expect([...FIND_PLAIN_WORDS].toSorted()).toEqual(PLAIN.toSorted());
    expect([...FIND_VALUE_WORDS].toSorted()).toEqual(WITH_VALUE.toSorted());
  });
});

describe('an expression of test', () => {
  const OPERATORS =
    '-a -b -c -d -e -f -g -h -k -L -n -p -r -s -S -u -w -x -z -eq -ne -lt -le -gt -ge -nt -ot -ef -o -t -G -N -O'.split(
      ' ',
    );

  it.each(OPERATORS)('may contain %s', (operator) => {
    const paths = ['/w/a', '/w/b'];
    expect(readOnlyUse(`[ a ${operator} b ]`, PLACES)).toMatchObject({ type: 'read_only', paths, directories: [] });
    expect(readOnlyUse(`test ${operator} b`, PLACES).type).toBe('read_only');
  });

  it('may contain no other operators', () => {
    expect([...TEST_OPERATORS].toSorted()).toEqual(OPERATORS.toSorted());
  });
});
