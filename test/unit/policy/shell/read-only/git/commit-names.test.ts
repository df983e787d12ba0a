import { describe, expect, it } from 'vitest';
import { withCommitNames } from '../../../../../../src/policy/shell/read-only/git/commit-names.ts';

const HASH = 'a18bc71dc3191d324f7dfa17a086db9a54f8f033';

describe('commands with names of commits', () => {
  it.each([
    ['git show $(git rev-parse --short HEAD~1)', 'git show HEAD~1'],
    ['git show "$(git log -1 --format=%h -- src/a.ts)" --stat', 'git show "HEAD" --stat'],
    ['git diff $(git merge-base main HEAD)..HEAD', 'git diff HEAD..HEAD'],
    ['git log $(git describe --tags --abbrev=0)..HEAD', 'git log HEAD..HEAD'],
    ['cd app && git diff $(git merge-base main @)', 'cd app && git diff $(git merge-base main @)'],
    ['cd app && git diff $(git merge-base main HEAD)', 'cd app && git diff HEAD'],
    ['base=$(git merge-base main HEAD); git diff "$base" ${base}~1', 'base=HEAD; git diff "HEAD" HEAD~1'],
    ['x="$(git rev-parse main)" && git show $x:a.ts', 'x="main" && git show main:a.ts'],
    ['git log -5 --format=%H | head -3 | xargs -n1 git show --stat', 'git show --stat HEAD'],
    ["git rev-list HEAD | xargs -I{} git log -1 --format='%h | %s' {}", "git log -1 --format='%h | %s' HEAD"],
    ['git rev-list -n 3 HEAD | while read -r c; do git show $c; done', 'for c in HEAD; do git show $c; done'],
    ['for c in $(git rev-list -3 main..HEAD); do git show $c; done', 'for c in HEAD; do git show $c; done'],
    [
      "for b in $(git branch --format='%(refname:short)'); do git log -1 $b; done",
      'for b in HEAD; do git log -1 $b; done',
    ],
    ['git branch | cut -c3- | while read b; do git log -1 "$b"; done', 'for b in HEAD; do git log -1 "$b"; done'],
  ])('%s', (command, known) => {
    expect(withCommitNames(command) ?? command).toBe(known);
  });

  it.each([
    // Hashes of any object
    'git show $(git rev-parse HEAD:.env)',
    'git show $(git rev-list --objects HEAD)',
    'git show $(git rev-parse HEAD^{tree})',
    'git show $(git ls-tree HEAD .env)',
    'for b in $(git branch); do git show $b; done',
    // Words that may be options, and text that is no hash
    'git log -p $(git describe --tags)',
    'for t in $(git tag); do git log -p $t; done',
    'git log -p $(git log -1 --format=%s)',
    'git log -p $(git log -1 --format=%h%s)',
    "git log --format=%h | sed 's/.*/--text/' | xargs git log -p",
    'git log -p $(git rev-parse --text HEAD)',
    // Other values, and other splitting
    'base=$(git merge-base main HEAD); base=--text; git log -p $base',
    'base=$(git merge-base main HEAD); read base; git log -p $base',
    'base=$(git merge-base main x); echo ${base:=--text}; git log -p $base',
    'IFS=0; git show $(git merge-base main HEAD)',
    'GIT_DIR=$(git rev-parse HEAD); git log',
    // Another git, or another repository
    `git() { echo ${HASH}; }; command git show $(git rev-parse HEAD)`,
    'git -C lib show $(git rev-parse HEAD)',
    'x=$(git rev-parse HEAD); cd lib; git show $x',
  ])('leaves %s as it is', (command) => {
    expect(withCommitNames(command)).toBeUndefined();
  });
});
