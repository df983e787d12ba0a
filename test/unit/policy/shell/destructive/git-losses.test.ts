import { expect, it } from 'vitest';
import type { PathRules } from '../../../../../src/policy/paths/path-policy.ts';
import { findGitLosses } from '../../../../../src/policy/shell/destructive/git-losses.ts';

const RULES: PathRules = {
  workspace: '/w',
  allowedRoots: ['/w'],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
};

it.each<[string, readonly string[]]>([
  ['git reset --hard', ['/w']],
  ['cd sub && git stash drop', ['/w/sub']],
  ['git -C sub -C deep clean -fd', ['/w/sub/deep']],
  ['git reset --hard; git -C sub checkout -- .', ['/w', '/w/sub']],
  ['bash -c "git branch -D x"', ['/w']],
  ['git rebase main', ['/w']],
  ['git commit --amend -m x', ['/w']],
  ['git reset HEAD~1', ['/w']],
  ['git rm --cached -f a', ['/w']],
  ['git update-ref refs/heads/a b', ['/w']],
  ['git symbolic-ref HEAD refs/heads/a', ['/w']],
  ['git symbolic-ref HEAD', []],
  ['git stash', ['/w']],
  ['git stash pop', ['/w']],
  ['git stash list', []],
  ['git stash show -p', []],
  ['git commit -m x', []],
  ['git push --force', []],
  ['git -C "$X" reset --hard', []],
  ['git status', []],
  ['git', []],
  ['rm -rf x', []],
  [`git reset --hard; ${'eval '.repeat(16)}${'a '.repeat(32_000)}`, []],
])('the directories in which git discards data are found: case %#', (command, directories) => {
  expect(findGitLosses({ command, workingDirectory: '/w' }, RULES)).toEqual(directories);
  expect(findGitLosses({}, RULES)).toEqual([]);
});
