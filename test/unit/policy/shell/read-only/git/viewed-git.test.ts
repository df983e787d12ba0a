import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../../../src/policy/shell/parse/command-line.ts';
import { needsNoObjects, readingGit } from '../../../../../../src/policy/shell/read-only/git/viewed-git.ts';
import { VIEWED_GIT } from '../../../../../../src/policy/shell/read-only/git/viewed-git-rows.ts';

function wordsOf(command: string) {
  const [first] = parseCommandLine(`git ${command}`).commands;
  return first?.words.slice(1) ?? [];
}

/** Commands as people write them, from the manual pages of git and of tldr-pages. */
const READS: readonly string[] = [
  'status -sb',
  'status --porcelain=v2 --branch',
  'status --ignored src "*.ts" *.js',
  'log --oneline --graph --all -20',
  'log -n 3 --stat -p -U5 --cc',
  'log --pretty=format:"%h %an %ad" --date=short --since="2 weeks ago"',
  'log --since="$day" --author="$USER" --oneline',
  'log --follow -p -- src/a.ts',
  'log -1 --format=%ad -- "$file"',
  'log -L 10,20:src/a.ts',
  'log -L:main:src/a.ts',
  'log -G foo --oneline',
  'log abc1234..def5678',
  'log main..HEAD ^origin/main',
  'log --first-parent --merges --no-merges --reverse --date-order',
  'show',
  'show HEAD~1 --stat',
  'show HEAD^2:src/a.ts',
  'show v1.0 -- src',
  'show "HEAD@{yesterday}" --name-only',
  'show HEAD^{/fix}',
  'diff',
  'diff -w --word-diff=color --color-words HEAD~1 HEAD -- "*.ts"',
  'diff main...HEAD --stat',
  'diff --cached --diff-filter=AM --name-status -M90%',
  'diff --no-ext-diff --no-textconv -z -R',
  'diff-tree --no-commit-id --name-only -r HEAD',
  'blame -w -C -C -C -L 1,5 --date=short abc1234 -- src/a.ts',
  'grep -n foo',
  'grep -in -e foo --and -e bar -- src',
  'grep foo src/',
  'grep foo .',
  'grep foo "*.ts"',
  'branch -avv',
  'branch --merged',
  'branch --merged main',
  'branch --list "feature/*" --format="%(refname:short)" --sort=-committerdate',
  'branch --show-current',
  'tag -l "v*" --sort=-v:refname',
  'tag -n5',
  'tag --contains HEAD',
  'for-each-ref --sort=-committerdate --count=5 refs/heads --format="%(refname:short) %(contents:subject)"',
  'rev-parse --abbrev-ref HEAD',
  'rev-parse --short=7 abc1234',
  'rev-list --count HEAD --objects',
  'describe --tags --always --dirty',
  'shortlog -sne --all --no-merges',
  'stash list',
  'stash show -p stash@{0}',
  'stash show 1 --stat',
  'reflog --date=iso -10',
  'reflog show main',
  'remote -v',
  'remote show',
  'remote get-url --all origin',
  'config --get user.name',
  'config --get-regexp ^alias',
  'config -l --show-origin',
  'config user.email',
  'config list',
  'ls-files -m --exclude-standard -o "*.ts" *.js',
  'ls-tree -r --name-only abc1234',
  'cat-file -t abc1234',
  'cat-file -p HEAD:src/a.ts',
  'cat-file --batch-check',
  'check-ignore -v dist "$file"/x*'.replace('"$file"/', ''),
  'merge-base --is-ancestor main HEAD',
  'worktree list --porcelain',
  'submodule status --recursive',
  'notes show HEAD',
  'range-diff main~3..main topic~3..topic',
  'symbolic-ref --short HEAD',
  'count-objects -vH',
  'show-ref --heads -d',
  'name-rev --name-only HEAD',
  'cherry -v main',
  'bisect log',
  'lfs ls-files -l',
  'help -a',
  'help log',
  'version --build-options',
  'log -h',
  'branch --help',
  '--no-pager -C src -P -c color.ui=always -c core.quotepath=false log -1',
];

/** Each does more than read, or shows files that the command does not name. */
const ASKS: readonly string[] = [
  '',
  'commit',
  '$X',
  'constructor',
  'log "$X"',
  'log $X',
  'log *',
  'log --format="$X"',
  'log --since=$X',
  'log --format=%GG',
  'log -S foo',
  'log -Sfoo',
  'log -pSfoo',
  'log --stdin',
  'log --output=x',
  'log -O x',
  'log --since --output=x',
  'show HEAD^{tree}',
  'show HEAD^{}',
  'show HEAD^{blob}',
  'show :/fix',
  'show HEAD:.aws',
  'show HEAD:x/.Kube/',
  'diff -a',
  'diff -wa',
  'diff --submodule=diff',
  'diff --find-object=abc1234',
  'diff --ext-diff',
  'diff "$X"',
  'blame -- "$X"',
  'blame -- .e*',
  'blame "$X"',
  'grep --cached foo',
  'grep -Oless foo',
  'branch x',
  'branch -D x',
  'branch --sort=x y',
  'branch --edit-description',
  'tag x',
  'tag -d x',
  'tag -v x',
  'tag -l x -d y',
  'for-each-ref --format="%(signature)"',
  'stash',
  'stash pop',
  'stash show abc1234',
  'reflog expire',
  'reflog delete x',
  'remote update',
  'remote show origin',
  'config a.b c',
  'config --unset a.b',
  'config --file x --list',
  'config --blob HEAD:x --list',
  'cat-file --batch',
  'cat-file --textconv HEAD:a',
  'symbolic-ref HEAD refs/heads/x',
  'submodule foreach ls',
  'notes add',
  'bisect run ls',
  'help a b',
  '-c alias.x=y log',
  '-c diff.external=cat diff',
  '-c',
  '-C',
  '-C "$X" log',
  '-p log',
  '--exec-path=x log',
  '--git-dir=x log',
];

/** Words that read only if a hash is that of a commit, or if there is such a file. */
const DOUBTS: readonly (readonly [command: string, commits: readonly string[], files: readonly string[]])[] = [
  ['show abc1234', ['abc1234'], []],
  ['show --stat ABC1234', ['ABC1234'], []],
  ['show -U abc1234', ['abc1234'], []],
  ['show ^abc1234', ['abc1234'], []],
  ['diff abc1234..def5678 -- a', ['abc1234', 'def5678'], []],
  ['diff abc1234 def5678', ['abc1234', 'def5678'], []],
  ['show HEAD...abc1234', ['abc1234'], []],
  ['show abc1234~1', ['abc1234'], []],
  ['show abc1234:a', ['abc1234'], []],
  ['show abc1234@{0}', ['abc1234'], []],
  ['show v1-5-gabc1234', ['abc1234'], []],
  ['cat-file -p abc1234', ['abc1234'], []],
  ['grep foo HEAD', [], ['HEAD']],
  ['grep foo src', [], ['src']],
  ['grep -e foo HEAD src/ x', [], ['HEAD', 'x']],
  ['grep foo HEAD:src/', [], ['HEAD:src/']],
  ['grep foo a@{0}/', [], ['a@{0}/']],
  ['log abc1234', [], []],
  ['blame abc1234 -- a', [], []],
];

/** Long options that a row must not have, also not by a beginning, which git takes for them. */
const NEVER =
  'text binary ext-diff textconv output submodule find-object stdin show-signature open-files-in-pager batch filters contents edit-description unset file blob upload-pack';

describe('git in a view of the workspace', () => {
  it.each(READS)('accepts git %s', (command) => {
    expect(readingGit(wordsOf(command))).toBeDefined();
  });

  it.each(ASKS)('does not accept git %s', (command) => {
    expect(readingGit(wordsOf(command))).toBeUndefined();
  });

  it.each(DOUBTS)('accepts git %s if its words are what they seem to be', (command, commits, files) => {
    expect(readingGit(wordsOf(command))).toEqual({ commits, files, directories: [] });
  });

  it('reports the directories of -C', () => {
    expect(readingGit(wordsOf('-C a -P -C b show abc1234'))?.directories).toEqual(['a', 'b']);
  });

  it('accepts no abbreviation of an option', () => {
    const subcommands = Object.keys(VIEWED_GIT).filter(
      (name) => !/^(?:help|--|config|worktree|bisect|lfs|var)/.test(name),
    );
    const found = NEVER.split(' ').flatMap((option) =>
      subcommands.flatMap((name) =>
        Array.from(
          { length: option.length - 1 },
          (_, cut) => `${name} --${option.slice(0, option.length - cut)}`,
        ).filter((command) => readingGit(wordsOf(`${command}=x`)) ?? readingGit(wordsOf(`${command} HEAD`))),
      ),
    );
    // The search in files as text, the beginnings of which `git grep` has itself, and options of other programs.
    expect(found.filter((command) => !/^(?:grep|status|check-\w+|name-rev|ls-files) /.test(command))).toEqual([]);
  });

  it.each([
    ['ls-files', true],
    ['diff --no-index a b', true],
    ['diff a b', false],
    ['grep foo', true],
    ['rev-parse --show-toplevel', true],
    ['rev-parse HEAD', false],
    ['log', false],
    ['commit', false],
  ])('needs no objects for git %s: %s', (command, expected) => {
    expect(needsNoObjects(wordsOf(command))).toBe(expected);
  });
});
