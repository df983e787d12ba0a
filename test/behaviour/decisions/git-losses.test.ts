import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../../support/processes/run-bin.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from './rows.ts';

const noSandbox = await missingSandbox();

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgSign=false'];

function git(workspace: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: path.dirname(workspace),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
  };
  return execFileSync('git', [...IDENTITY, ...args], {
    cwd: workspace,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** A repository with two commits, a branch, a tag, stashed, staged and other changes, and files that git does not know. */
function prepare(home: string): void {
  const workspace = path.join(home, 'ws');
  const write = (name: string, text: string | Uint8Array): void => {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  };
  git(workspace, 'init', '-q', '-b', 'main');
  write('.gitignore', '*.log\nbuild/\n');
  for (const [name, text] of [
    ['a.txt', 'one\n'],
    ['b.txt', 'one\n'],
    ['deep/c.txt', 'one\n'],
  ] as const)
    write(name, text);
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', 'one');
  write('a.txt', 'two\n');
  write(
    'picture.bin',
    Uint8Array.from({ length: 256 }, (_, index) => index),
  );
  rmSync(path.join(workspace, 'deep/c.txt'));
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', 'two');
  git(workspace, 'branch', 'side/feature', 'HEAD~1');
  git(workspace, 'tag', 'v1', 'HEAD~1');
  git(workspace, 'notes', 'add', '-m', 'a note');
  write('a.txt', 'stashed\n');
  git(workspace, 'stash');
  write('a.txt', 'staged\n');
  git(workspace, 'add', 'a.txt');
  write('b.txt', 'not staged\n');
  write('new/d e.txt', 'git does not know it\n');
  write('debug.log', 'ignored\n');
}

/** All data that a command could discard: content of files, branches, stashed changes, the index. */
function stateOf(home: string): unknown {
  const workspace = path.join(home, 'ws');
  const files = ['a.txt', 'b.txt', 'deep/c.txt', 'picture.bin', 'new/d e.txt', 'debug.log'];
  return {
    files: files.map(
      (name) => existsSync(path.join(workspace, name)) && readFileSync(path.join(workspace, name), 'hex'),
    ),
    refs: git(workspace, 'for-each-ref', '--format=%(refname) %(objectname)'),
    stash: git(workspace, 'stash', 'list'),
    staged: git(workspace, 'diff', '--cached'),
    status: git(workspace, 'status', '--porcelain'),
    head: git(workspace, 'symbolic-ref', 'HEAD'),
  };
}

/** One command for each kind of loss. */
const COMMANDS: readonly string[] = [
  'git reset --hard HEAD~1',
  'git checkout -f side/feature && git checkout -f -B main HEAD~1',
  'git checkout -- .',
  'git restore --staged --worktree :/',
  'git switch --discard-changes side/feature',
  'git clean -fd; git clean -fX debug.log',
  'git stash drop',
  'git branch -D side/feature; git tag -d v1; git update-ref -d refs/notes/commits',
  'git branch -f side/feature main',
  'git reflog expire --expire=now --all; git stash clear',
  'git rm -f a.txt picture.bin',
  'git read-tree --reset -u HEAD~1',
  'cd new && git -C .. reset --hard HEAD~1 && git clean -fd ..',
  `git ${IDENTITY.join(' ')} commit -qm x && git reset --hard HEAD~2`,
  `git ${IDENTITY.join(' ')} stash -q; git ${IDENTITY.join(' ')} rebase -q --onto side/feature --root; true`,
  `git ${IDENTITY.join(' ')} commit -q --amend -m x`,
  'git reset HEAD~1',
  'git rm -q --cached -f a.txt',
  'git update-ref refs/heads/side/feature main',
  'git symbolic-ref HEAD refs/heads/side/feature',
  `git ${IDENTITY.join(' ')} stash -q -u`,
  'git stash -q; FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter "sed s/o/0/" main',
];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('in full access, /undo restores', () => {
  // > docs/security.md: The exception is [what git loses](chat.md#undo).
  it.each(COMMANDS)('what `%s` discards', async (command) => {
    const before: unknown[] = [];
    const { home, calls } = await playDecisions([[run(command)]], {
      options: ['--permission-mode', 'full-access'],
      trusted: true,
      prepare: (place) => {
        prepare(place);
        before.push(stateOf(place));
      },
    });
    // The command does discard data.
    expect(calls[0]?.decision).toBe('allow');
    expect(stateOf(home)).not.toEqual(before[0]);
    // The user looks at it: git status writes new times into the index.
    utimesSync(path.join(home, 'ws/.gitignore'), 1_700_000_000, 1_700_000_000);
    git(path.join(home, 'ws'), 'status');
    const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
    const { stdout, stderr, code } = await runBin(['undo'], {
      directory: path.join(home, 'ws'),
      environment,
      input: 'y\n',
    });
    expect(code, stdout + stderr).toBe(0);
    expect(stateOf(home)).toEqual(before[0]);
    git(path.join(home, 'ws'), 'fsck', '--strict');
  });
});
