import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { type DecidedSession, playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

const ENV = 'A=SECRET that git has\n';
const BLOB = createHash('sha1').update(`blob ${ENV.length}\0${ENV}`).digest('hex');
/** Text of a file that bash would run as arithmetic. */
const AS_ARITHMETIC = 'a[$(git cat-file -p HEAD~1:.env >&2)]';

/** A repository whose history has secrets, in a project whose attributes ask git to show them. */
const SESSION: DecidedSession = {
  files: { 'ws/.gitattributes': '* diff\n*.json diff=json\n', 'ws/notes.txt': `${AS_ARITHMETIC}\n` },
  prepare(home) {
    const ws = path.join(home, 'ws');
    const date = '2026-01-02T03:04:05Z';
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: ws, env });
    git('init', '-q', '-b', 'main');
    writeFileSync(path.join(ws, '.env'), ENV);
    writeFileSync(path.join(ws, '.ENV.Local'), ENV);
    mkdirSync(path.join(ws, '.aws'));
    writeFileSync(path.join(ws, '.aws/credentials'), ENV);
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git(
      'tag',
      'empty',
      execFileSync('git', ['hash-object', '-w', '-t', 'tree', '/dev/null'], { cwd: ws, encoding: 'utf8' }).trim(),
    );
    for (const name of ['.env', '.ENV.Local', '.aws']) rmSync(path.join(ws, name), { recursive: true });
    git('add', '-A');
    git('commit', '-q', '-m', AS_ARITHMETIC);
    mkdirSync(path.join(ws, 'lib/App'), { recursive: true });
    writeFileSync(path.join(ws, 'lib/App/Prove.pm'), 'exec "git", "cat-file", "-p", "HEAD~1:.env";\n');
    writeFileSync(path.join(ws, '.git/info/exclude'), 'lib\n');
  },
};
const TRUSTED = { ...SESSION, trusted: true };
const OPEN = { ...SESSION, options: ['--no-sandbox', '--permission-mode', 'full-access'] };

/** Commands that show the secret, and the answer in a trusted project. One in a view runs, and shows nothing of it. */
const ATTACKS: readonly (readonly [command: string, answer: 'ask' | 'view' | 'read-only'])[] = [
  // The content of changes
  ['git log -p', 'view'],
  ['git show HEAD', 'view'],
  ['git diff HEAD~1', 'read-only'],
  ['git diff HEAD~1 --word-diff', 'read-only'],
  ['git log -p --cc --relative=.aws', 'view'],
  ['git diff empty HEAD~1 | cat', 'read-only'],
  ['git stash list; git whatchanged -p', 'view'],
  ['git diff --text HEAD~1', 'ask'],
  ['git diff -a HEAD~1', 'ask'],
  ['git diff -wa HEAD~1', 'ask'],
  ['git show --binary HEAD', 'ask'],
  ['git format-patch --stdout HEAD~1', 'ask'],
  ['git log -SSECRET --format="SECRET found"', 'ask'],
  ['git archive HEAD~1', 'ask'],
  ['git fast-export HEAD', 'ask'],
  // A revision that is the content of a file
  [`git show ${BLOB}`, 'ask'],
  [`git show ${BLOB.slice(0, 7).toUpperCase()}`, 'ask'],
  [`git show --stat x-g${BLOB}`, 'ask'],
  [`git diff ${BLOB} HEAD:notes.txt`, 'ask'],
  [`git cat-file -p ${BLOB}`, 'ask'],
  [`git cat-file blob ${BLOB}`, 'ask'],
  [`echo ${BLOB} | git cat-file --batch`, 'ask'],
  [`echo ${BLOB} | git show --stdin`, 'ask'],
  [`echo ${BLOB} | xargs git show`, 'ask'],
  ['git show HEAD~1:.env', 'ask'],
  ["git show 'HEAD~1:.e''nv'", 'ask'],
  ['for f in .env; do git show "HEAD~1:$f"; done', 'ask'],
  ['git diff HEAD:.github HEAD~1:.aws; git diff empty HEAD~1:.aws', 'ask'],
  ['git grep SECRET HEAD~1', 'ask'],
  ["git blame HEAD~1 -- '.en'v", 'ask'],
  ['git blame HEAD~1 -- "$(echo .en)v"', 'ask'],
  ['git ls-tree -r HEAD~1 --name-only | xargs -I% git show HEAD~1:%', 'ask'],
  // Names of commits that are something else
  [`for b in $(git branch --format=${BLOB}); do git show $b; done`, 'ask'],
  [`git() { echo ${BLOB}; }; command git show $(git rev-parse HEAD)`, 'ask'],
  ['git log -p $(git describe --tags --always)', 'ask'],
  ['x=$(git rev-parse HEAD); x=--text; git log -p $x', 'ask'],
  ['git show $(git rev-parse HEAD~1:.env)', 'ask'],
  ['git show $(git rev-parse HEAD)', 'view'],
  ['for c in $(git rev-list HEAD); do git show -p $c; done', 'view'],
  // Other words or variables of git
  ['git -c diff.external=cat diff HEAD~1', 'ask'],
  ['git -c alias.x="cat-file -p HEAD~1:.e""nv" x', 'ask'],
  ['GIT_EXTERNAL_DIFF=cat git diff HEAD~1', 'ask'],
  ['export G"IT_EXTERNAL_DIFF"=cat; git diff HEAD~1', 'ask'],
  ['X=G; export ${X}IT_EXTERNAL_DIFF=cat; git diff HEAD~1', 'ask'],
  ['read G"IT_EXTERNAL_DIFF" <<< cat; export ${!G*}; git diff HEAD~1', 'ask'],
  [`jobs -x git cat-file -p ${BLOB}`, 'ask'],
  [`awk 'BEGIN { c = "git cat-file -p ${BLOB}"; print ";" | c }'; git log -1`, 'ask'],
  ['PERL5LIB=lib prove --version; git log -1', 'ask'],
  ['read x < notes.txt; echo $((x)); git log -1', 'ask'],
  ['x=$(git log -1 --format=%s); echo $((x))', 'ask'],
  ['x=$(git log -1 --format=%s); [[ $x -eq 1 ]]', 'ask'],
];

/** The object of the secret, in a form that another program can decode. */
const RAW = `.git/objects/${BLOB.slice(0, 2)}/${BLOB.slice(2)}`;
const RAW_READERS: readonly (readonly [command: string, answer: 'ask' | 'view' | 'read-only'])[] = [
  [`cat -v ${RAW}`, 'ask'],
  [`cd .git/objects && cat -v ${RAW.slice(13)}`, 'ask'],
  [`git log -1 > /dev/null; cat -v .g*/${RAW.slice(5)}`, 'ask'],
  [`x=.gi; git log -1 > /dev/null; cat -v "\${x}t/${RAW.slice(5)}"`, 'ask'],
  [`git log -1 > /dev/null; cat -v < .g*/${RAW.slice(5)}`, 'ask'],
  [`git log -1 > /dev/null; find . -name '${RAW.slice(16)}' -exec cat -v {} \\;`, 'ask'],
  [`git ls-files > /dev/null; find . -name '${RAW.slice(16)}' -exec cat -v {} \\;`, 'view'],
  [`git ls-files > /dev/null; x=.gi; cat -v "\${x}t/${RAW.slice(5)}"`, 'view'],
];

/** The hash of the newest commit, which is the same in each repository. */
const COMMIT = 'a18bc71dc3191d324f7dfa17a086db9a54f8f033';

/** Everyday commands in the same repository, and a part of the output of each. */
const EVERYDAY: readonly (readonly [command: string, reads: string])[] = [
  ['base=$(git rev-list --max-count=1 HEAD~1); git diff $base..HEAD', 'Binary files a/.env and /dev/null differ'],
  ['git log --format=%h -1 | xargs git show --stat', '.aws/credentials'],
  ['git diff --no-index notes.txt /dev/null | tail -1', '-a['],
  ['git show HEAD', 'Binary files a/.env and /dev/null differ'],
  ['git log --stat | cat', '.aws/credentials'],
  ['git diff HEAD~1 -- notes.txt README.md | cat; git status --short | head', 'no output'],
  ['git ls-files | xargs cat', 'A shop.'],
  ['git grep -n shop | cat', 'README.md:1:A shop.'],
  ['git show HEAD:README.md | head -1', 'A shop.'],
  [`git show --stat ${COMMIT} | cat`, '.aws/credentials'],
  [`git show ${COMMIT.slice(0, 7)}`, 'Binary files a/.env and /dev/null differ'],
  [`git diff ${COMMIT}~1..${COMMIT} --name-only`, '.ENV.Local'],
  ['git grep -n shop README.md', 'README.md:1:A shop.'],
];

async function play(commands: readonly string[], session: DecidedSession) {
  return (await playDecisions([commands.map((command) => run(command))], session)).calls;
}

const ANSWERS: Readonly<Record<string, string>> = {
  'view of the workspace': 'view',
  'read-only command': 'read-only',
  question: 'ask',
};

describe.skipIf(noSandbox !== undefined)('git that runs without a question', () => {
  // > docs/security.md: git that runs without a question shows no committed secret | its options are those of a table, and in the sandbox no attribute of the project shows a file with a secret name | git-in-a-view.test.ts
  it('shows no file with secrets that it has committed', async () => {
    const calls = await play(
      ATTACKS.map(([command]) => command),
      TRUSTED,
    );
    expect(calls.map(({ decidedBy }, index) => [ATTACKS[index]?.[0], ANSWERS[decidedBy] ?? decidedBy])).toEqual(
      ATTACKS,
    );
    expect(calls.filter(({ reads }) => reads.includes('SECRET'))).toEqual([]);
  });

  it('control: shows it with each of these commands in full access', async () => {
    const calls = await play(
      ATTACKS.map(([command]) => command),
      OPEN,
    );
    expect(ATTACKS.filter((_, index) => calls[index]?.reads.includes('SECRET') !== true)).toEqual([]);
  });

  it('makes no object of git readable for another program', async () => {
    const calls = await play(
      RAW_READERS.map(([command]) => command),
      TRUSTED,
    );
    expect(calls.map(({ decidedBy }, index) => [RAW_READERS[index]?.[0], ANSWERS[decidedBy] ?? decidedBy])).toEqual(
      RAW_READERS,
    );
    expect(calls.filter(({ reads }) => reads.includes('xM-'))).toEqual([]);
    const open = await play(
      RAW_READERS.map(([command]) => command),
      OPEN,
    );
    expect(RAW_READERS.filter((_, index) => open[index]?.reads.includes('x') !== true)).toEqual([]);
  });

  it('shows everything else', async () => {
    const calls = await play(
      EVERYDAY.map(([command]) => command),
      TRUSTED,
    );
    for (const [index, [, reads]] of EVERYDAY.entries()) {
      expect(calls[index]).toMatchObject({ decision: 'allow', reads: expect.stringContaining(reads) });
    }
  });
});
