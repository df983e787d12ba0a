import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system.ts';
import { createRunGit } from '../../../../src/node/git.ts';
import { createAutoCommit } from '../../../../src/session/git/auto-commit.ts';
import type { RunGit } from '../../../../src/session/git/git-command.ts';
import { createRepository, type GitRepository } from '../../../support/processes/git-repository.ts';
import { temporaryDirectory, writeFiles } from '../../../support/processes/temporary-directory.ts';

const plainGit = createRunGit({ environment: process.env, platform: 'posix', home: os.homedir() });

interface CommitCase {
  readonly prompt?: string;
  /** By default the root of the repository. */
  readonly workspace?: string;
  readonly runGit?: RunGit;
  readonly outcome?: 'ok' | 'failed' | 'interrupted';
  /** Called after the writes and before the end of the run. */
  readonly afterwards?: () => void;
}

/** A run whose tools write `files`, relative to the repository, and the events that the commit adds. */
async function runThatWrites(
  repository: GitRepository,
  files: Readonly<Record<string, string>>,
  { prompt = 'fix the sum', workspace = repository.directory, runGit = plainGit, ...more }: CommitCase = {},
): Promise<readonly AgentEvent[]> {
  const commit = createAutoCommit({
    runGit,
    fileSystem: createNodeFileSystem(),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    workspace,
    prefix: '[ybs]',
    prompt,
    sessionId: 'a-session',
  });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(repository.directory, name);
    await commit.before({
      type: 'tool_call',
      call: { id: name, name: 'write_file', arguments: '{}' },
      effect: { summary: `write ${name}`, paths: [{ requested: name, realPath: file, access: 'write' }] },
    });
    writeFiles(repository.directory, { [name]: text });
    const outcome = more.outcome ?? 'ok';
    const result = { callId: name, toolName: 'write_file', content: '', summary: '', durationMs: 1 };
    await commit.before({ type: 'tool_result', outcome, ...result });
  }
  more.afterwards?.();
  return commit.end();
}

const SUM = { 'sum.js': 'a\n', 'README.md': 'Read me.\n' };
const warningOf = ([event]: readonly AgentEvent[]): string => (event?.type === 'warning' ? event.message : '');
const lastCommit = ({ git }: GitRepository): string => git('log', '-1', '--format=%s', '--name-only').trim();
const commits = ({ git }: GitRepository): number => Number(git('rev-list', '--count', '--all'));

describe('the commit after a run that changed files', () => {
  it('contains exactly these files, and keeps other staged or unstaged changes', async () => {
    const repository = createRepository({ ...SUM, 'staged.js': '1\n', 'open.js': '1\n' });
    repository.write({ 'staged.js': '2\n', 'open.js': '2\n', 'new.js': 'x\n' });
    repository.git('add', 'staged.js');
    const events = await runThatWrites(repository, { 'sum.js': 'b\n', 'lib/deep/new.js': 'n\n' });
    const hash = repository.git('rev-parse', 'HEAD').trim();
    expect(events).toEqual([
      { type: 'commit', hash, subject: '[ybs] fix the sum', files: ['lib/deep/new.js', 'sum.js'] },
    ]);
    expect(lastCommit(repository)).toBe('[ybs] fix the sum\n\nlib/deep/new.js\nsum.js');
    expect(repository.git('status', '--porcelain')).toBe(' M open.js\nM  staged.js\n?? new.js\n');
    expect(repository.git('reflog', '-1', '--format=%gs').trim()).toBe('commit: [ybs] fix the sum');
    expect(repository.git('branch', '--show-current').trim()).toBe('main');
  });

  it('contains each file once in its final state, and the removal of a file that a command removed', async () => {
    const repository = createRepository({ ...SUM, 'old.js': '1\n' });
    const afterwards = (): void => {
      repository.write({ 'sum.js': 'formatted\n' });
      rmSync(path.join(repository.directory, 'old.js'));
    };
    await runThatWrites(repository, { 'sum.js': 'b\n', 'old.js': '2\n' }, { afterwards });
    expect(repository.git('show', 'HEAD:sum.js')).toBe('formatted\n');
    expect(repository.git('ls-tree', '--name-only', 'HEAD')).toBe('README.md\nsum.js\n');
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('works from a directory inside the repository', async () => {
    const repository = createRepository({ 'app/sum.js': 'a\n' });
    const workspace = path.join(repository.directory, 'app');
    await runThatWrites(repository, { 'app/sum.js': 'b\n' }, { workspace });
    expect(lastCommit(repository)).toBe('[ybs] fix the sum\n\napp/sum.js');
  });

  it('may be the first one of a repository', async () => {
    const repository = createRepository({});
    repository.git('checkout', '-q', '--orphan', 'fresh');
    await runThatWrites(repository, { 'sum.js': 'a\n' });
    expect(repository.git('log', '--format=%s', 'fresh')).toBe('[ybs] fix the sum\n');
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('moves no branch with a detached HEAD', async () => {
    const repository = createRepository(SUM);
    repository.git('checkout', '-q', '--detach');
    await runThatWrites(repository, { 'sum.js': 'b\n' });
    expect(lastCommit(repository)).toContain('sum.js');
    expect(repository.git('rev-list', '--count', 'main').trim()).toBe('1');
  });

  it('keeps modes, line endings and names that look like patterns', async () => {
    const repository = createRepository({ 'run.sh': 'a\n', '*.js': 'star\n', 'other.js': '1\n' });
    chmodSync(path.join(repository.directory, 'run.sh'), 0o755);
    repository.git('config', 'core.autocrlf', 'true');
    repository.git('commit', '-q', '-am', 'Make it executable');
    await runThatWrites(repository, { 'run.sh': 'b\r\n', '*.js': 'sun\n' });
    expect(repository.git('ls-tree', 'HEAD', 'run.sh')).toMatch(/^100755 /);
    expect(repository.git('show', 'HEAD:run.sh')).toBe('b\n');
    expect(lastCommit(repository)).toContain('*.js\nrun.sh');
  });

  it('has a redacted subject', async () => {
    const repository = createRepository(SUM);
    await runThatWrites(repository, { 'sum.js': 'b\n' }, { prompt: 'use hunter2 as the password' });
    expect(lastCommit(repository)).toContain('[ybs] use [redacted] as the password');
  });

  it('contains the writes of an interrupted call, but no changes found by a failed one', async () => {
    const repository = createRepository(SUM);
    expect(await runThatWrites(repository, { 'sum.js': 'b\n' }, { outcome: 'failed' })).toEqual([]);
    repository.git('checkout', '-q', '.');
    expect(await runThatWrites(repository, { 'sum.js': 'b\n' }, { outcome: 'interrupted' })).toHaveLength(1);
  });

  it.each([
    ['no file differs', { 'sum.js': 'a\n' }],
    ['no file was written', {}],
  ])('is omitted when %s', async (_name, files) => {
    const repository = createRepository(SUM);
    expect(await runThatWrites(repository, files)).toEqual([]);
    expect(commits(repository)).toBe(1);
  });
});

describe('a file is left out and named', () => {
  it('for each reason, and the others are committed', async () => {
    const repository = createRepository({ ...SUM, 'staged.js': 'a\n', 'gone.js': 'a\n' });
    const { directory, git, write } = repository;
    write({ 'sum.js': 'mine\n', 'staged.js': 'mine\n', 'new.js': 'mine\n' });
    git('add', 'staged.js');
    write({ 'staged.js': 'a\n', '.gitignore': 'dist/\n', '.gitattributes': '*.bin filter=lfs\n' });
    rmSync(path.join(directory, 'gone.js'));
    git('init', '-q', path.join(directory, 'inner'));
    const reasons = {
      'sum.js': 'it had changes before this run',
      'staged.js': 'it had changes before this run',
      'new.js': 'it had changes before this run',
      'gone.js': 'it had changes before this run',
      'dist/out.js': 'git ignores it',
      'big.bin': 'it has a git filter',
      '../other.js': 'it is outside the repository',
      'inner/a.js': 'it belongs to another repository',
    };
    const written = Object.fromEntries(Object.keys(reasons).map((name) => [name, 'b\n']));
    const [commit, left, ...more] = await runThatWrites(repository, { ...written, 'README.md': 'More.\n' });
    expect(commit).toMatchObject({ type: 'commit', files: ['README.md'] });
    expect(more).toEqual([]);
    const shown = warningOf(left === undefined ? [] : [left])
      .replace('Not committed: ', '')
      .split(', ');
    const expected = Object.entries(reasons).map(([name, reason]) => `${name} (${reason})`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  it('when it got a filter during the run', async () => {
    const repository = createRepository(SUM);
    const events = await runThatWrites(repository, { '.gitattributes': '*.js filter=x\n', 'sum.js': 'b\n' });
    expect(events).toMatchObject([
      { type: 'commit', files: ['.gitattributes'] },
      { message: 'Not committed: sum.js (it has a git filter)' },
    ]);
  });

  it('in a submodule', async () => {
    const repository = createRepository(SUM);
    const inner = createRepository({ 'a.js': '1\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.directory, 'inner');
    repository.git('commit', '-q', '-m', 'Add it');
    const events = await runThatWrites(repository, { 'inner/a.js': 'b\n' });
    expect(warningOf(events)).toContain("fatal: Pathspec 'inner/a.js' is in submodule 'inner'");
  });
});

describe('nothing is committed', () => {
  it.each<[reason: string, prepare: (repository: GitRepository) => void]>([
    [
      'a merge, a rebase or a similar operation is in progress.',
      ({ git }) => {
        git('checkout', '-q', '-b', 'side');
        git('commit', '-q', '--allow-empty', '-m', 'Side');
        git('checkout', '-q', 'main');
        git('merge', '-q', '--no-ff', '--no-commit', 'side');
      },
    ],
    ['Unable to create', ({ directory }) => writeFileSync(path.join(directory, '.git/ybs-index-a-session.lock'), '')],
  ])('%s', async (reason, prepare) => {
    const repository = createRepository(SUM);
    prepare(repository);
    const before = repository.git('rev-parse', 'HEAD');
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' });
    expect(warningOf(events)).toContain(reason);
    expect(repository.git('rev-parse', 'HEAD')).toBe(before);
  });

  it.each([
    ['with the index, which contains the files', ['commit', '-q', '--allow-empty', '-m', 'Theirs'], '', 'b\n'],
    ['from another index', ['commit', '-q', '--allow-empty', '--only', '-m', 'Theirs'], ' M sum.js\n', 'a\n'],
  ])('when another process commits at the same time, %s', async (_name, theirs, status, committed) => {
    const repository = createRepository(SUM);
    const runGit: RunGit = async (command, signal) => {
      if (command.args[0] === 'update-ref') repository.git(...theirs);
      return plainGit(command, signal);
    };
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' }, { runGit });
    expect(warningOf(events)).toContain('The changes are not committed: git update-ref: fatal: update_ref failed');
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('Theirs');
    expect(repository.git('show', 'HEAD:sum.js')).toBe(committed);
    expect(repository.git('status', '--porcelain')).toBe(status);
  });

  it('when the author is unknown', async () => {
    const repository = createRepository(SUM);
    repository.git('config', 'user.useConfigOnly', 'true');
    repository.git('config', '--unset', 'user.email');
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' });
    expect(warningOf(events)).toMatch(/git commit-tree: .*\. Set user\.name and user\.email with git config$/);
  });

  it.each(['no repository', 'another working tree', 'no git'])('with %s', async (name) => {
    const repository = createRepository(SUM);
    const { directory } = repository;
    const elsewhere = temporaryDirectory();
    if (name === 'no repository') rmSync(path.join(directory, '.git'), { recursive: true });
    if (name === 'another working tree') repository.git('config', 'core.worktree', elsewhere);
    const missing: RunGit = async () => ({ type: 'failed', reason: 'it is not installed or cannot be started' });
    const runGit = name === 'no git' ? missing : plainGit;
    expect(await runThatWrites(repository, { 'sum.js': 'b\n' }, { runGit })).toEqual([]);
  });
});

/** Files that block a commit; each lock belongs to another process that has not ended. */
const OBSTACLES: readonly (readonly [name: string, prepare: (directory: string) => void, reason: string | RegExp])[] = [
  ['.git/index.lock is held: nimbalyst#626', lock('index.lock'), 'index.lock'],
  ['.git/HEAD.lock is held', lock('HEAD.lock'), 'HEAD.lock'],
  ['the branch is locked', lock('refs/heads/main.lock'), 'main.lock'],
  [
    'a directory is in the place of the log of the branch',
    (directory) => {
      rmSync(path.join(directory, '.git/logs/refs/heads/main'), { force: true });
      writeFiles(directory, { '.git/logs/refs/heads/main/x': '' });
    },
    'git update-ref',
  ],
  [
    'the objects cannot be written',
    (directory) => {
      rmSync(path.join(directory, '.git/objects'), { recursive: true });
      writeFileSync(path.join(directory, '.git/objects'), '');
    },
    /: git /,
  ],
];

function lock(name: string): (directory: string) => void {
  return (directory) => writeFileSync(path.join(directory, '.git', name), '');
}

describe('a commit that fails does not change the branch and the index', () => {
  it.each(OBSTACLES)('%s', async (_name, prepare, reason) => {
    const repository = createRepository({ ...SUM, 'staged.js': '1\n' });
    repository.write({ 'staged.js': '2\n' });
    repository.git('add', 'staged.js');
    const state = () => [repository.git('rev-parse', 'HEAD'), repository.git('ls-files', '--stage')];
    const before = state();
    const events = await runThatWrites(
      repository,
      { 'sum.js': 'b\n', 'new.js': 'n\n' },
      { afterwards: () => prepare(repository.directory) },
    );
    expect(events).toHaveLength(1);
    expect(warningOf(events)).toMatch(/^The changes are not committed: /);
    expect(warningOf(events)).toMatch(reason);
    if (existsSync(path.join(repository.directory, '.git/objects/pack'))) expect(state()).toEqual(before);
  });

  it.each(['update-index', 'update-ref'])('git is stopped in the step %s', async (step) => {
    const repository = createRepository(SUM);
    let stopped = false;
    const runGit: RunGit = async (command, signal) => {
      const isStep = command.args[0] === step && command.environment?.['GIT_INDEX_FILE'] === undefined;
      if (!isStep || stopped) return plainGit(command, signal);
      stopped = true;
      return { type: 'failed', reason: 'timed_out' };
    };
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' }, { runGit });
    expect(warningOf(events)).toBe(`The changes are not committed: git ${step}: timed_out`);
    expect(repository.git('status', '--porcelain')).toBe(' M sum.js\n');
  });

  it('and is reported if the files stay staged', async () => {
    const repository = createRepository(SUM);
    const runGit: RunGit = async (command, signal) => {
      if (command.args[0] !== 'update-ref') return plainGit(command, signal);
      lock('index.lock')(repository.directory);
      return { type: 'failed', reason: 'timed_out' };
    };
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' }, { runGit });
    expect(warningOf(events)).toContain(
      'git update-ref: timed_out. They are staged, because they cannot be taken back: ',
    );
    rmSync(path.join(repository.directory, '.git/index.lock'));
    expect(repository.git('status', '--porcelain')).toBe('M  sum.js\n');
  });

  it('but is reported as successful if git was stopped after it had moved the branch', async () => {
    const repository = createRepository(SUM);
    const runGit: RunGit = async (command, signal) => {
      const result = await plainGit(command, signal);
      return command.args[0] === 'update-ref' ? { type: 'failed', reason: 'timed_out' } : result;
    };
    const events = await runThatWrites(repository, { 'sum.js': 'b\n' }, { runGit });
    expect(events).toMatchObject([{ type: 'commit', files: ['sum.js'] }]);
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});

describe('a file with a flag of the index is committed together with the index, and keeps its flag', () => {
  it.each([
    ['--skip-worktree', 'S'],
    ['--assume-unchanged', 'h'],
  ])('%s', async (option, letter) => {
    const repository = createRepository({ ...SUM, 'gone.js': '1\n' });
    repository.git('update-index', option, 'sum.js', 'gone.js');
    const events = await runThatWrites(
      repository,
      { 'sum.js': 'b\n', 'gone.js': '2\n', 'README.md': 'More.\n' },
      { afterwards: () => rmSync(path.join(repository.directory, 'gone.js')) },
    );
    expect(events).toMatchObject([{ type: 'commit', files: ['README.md', 'gone.js', 'sum.js'] }]);
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    expect(repository.git('ls-files', '-v')).toBe(`H README.md\n${letter} sum.js\n`);
    expect(repository.git('rev-parse', 'HEAD:sum.js')).toBe(repository.git('rev-parse', ':sum.js'));
    repository.git('commit', '-q', '--allow-empty', '-m', 'Next');
    expect(repository.git('show', '--name-only', '--format=', 'HEAD')).toBe('');
  });

  it('even when the branch cannot be moved', async () => {
    const repository = createRepository(SUM);
    repository.git('update-index', '--skip-worktree', 'sum.js');
    const before = repository.git('ls-files', '-v', '--stage');
    await runThatWrites(repository, { 'sum.js': 'b\n' }, { afterwards: () => lock('HEAD.lock')(repository.directory) });
    expect(repository.git('ls-files', '-v', '--stage')).toBe(before);
  });
});

it('a commit starts no hook, filter, monitor or signature program of the repository', async () => {
  const repository = createRepository({ ...SUM, '.gitattributes': '*.md filter=trap\n' });
  const { git, trap } = repository;
  git('config', 'filter.trap.clean', `${trap('filter')} cat`);
  git('config', 'filter.trap.required', 'true');
  git('config', 'core.fsmonitor', trap('monitor'));
  git('config', 'commit.gpgSign', 'true');
  git('config', 'gpg.program', trap('gpg'));
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction', 'post-index-change']) {
    git('config', 'core.hooksPath', path.dirname(trap(hook)));
  }
  repository.sprung();
  const events = await runThatWrites(repository, { 'sum.js': 'b\n', 'README.md': 'More.\n' });
  expect(events).toMatchObject([{ type: 'commit', files: ['sum.js'] }, { code: 'not_committed' }]);
  expect(repository.sprung()).toBe(false);
  // Plain git starts them, so the case can fail.
  mkdirSync(path.join(repository.directory, 'more'));
  repository.write({ 'more/a.md': 'x\n' });
  expect(() => git('add', '.')).not.toThrow();
  expect(repository.sprung()).toBe(true);
});
