import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunGit } from '../../../src/node/git.ts';
import { createRepository, type GitRepository } from '../../support/processes/git-repository.ts';

const never = new AbortController().signal;
const runGit = createRunGit({ environment: process.env, platform: 'posix', home: os.homedir() });
const run = (directory: string, ...args: readonly string[]) => runGit({ directory, args }, never);

describe('git', () => {
  it('works in its directory and reports output and exit code', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    expect(await run(directory, 'ls-files')).toEqual({ type: 'ended', exitCode: 0, stdout: 'a.txt\n', stderr: '' });
    expect(await run(directory, 'rev-parse', '-q', '--verify', 'no-such-branch')).toMatchObject({ exitCode: 1 });
  });

  it('gets the variables of a command', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    const index = path.join(directory, '../index');
    const command = { directory, args: ['ls-files'], environment: { GIT_INDEX_FILE: index } };
    expect(await runGit(command, never)).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('reads paths as they are, and not as patterns', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    expect(await run(directory, 'ls-files', '--', '*.txt')).toMatchObject({ stdout: '' });
  });

  it('reports that it is not installed', async () => {
    const without = createRunGit({ environment: { PATH: '/nowhere' }, platform: 'posix', home: os.homedir() });
    expect(await without({ directory: '/', args: ['--version'] }, never)).toEqual({
      type: 'failed',
      reason: 'it is not installed or cannot be started',
    });
  });
});

// Each row configures a program, and has the command with which plain git starts it.
const programs: readonly [name: string, prepare: (repository: GitRepository) => void, ...command: string[]][] = [
  ['core.fsmonitor', ({ git, trap }) => git('config', 'core.fsmonitor', trap('monitor')), 'status', '--porcelain'],
  [
    'a hook of the branch',
    ({ git, trap }) => git('config', 'core.hooksPath', path.dirname(trap('reference-transaction'))),
    'update-ref',
    'refs/heads/other',
    'HEAD',
  ],
  [
    'a hook of the index',
    ({ git, trap }) => git('config', 'core.hooksPath', path.dirname(trap('post-index-change'))),
    'read-tree',
    'HEAD',
  ],
  [
    'the program of a signature',
    ({ git, trap }) => {
      git('config', 'commit.gpgSign', 'true');
      git('config', 'gpg.program', trap('gpg'));
    },
    'commit',
    '--allow-empty',
    '-m',
    'Next',
  ],
  [
    'an upload program of a partial clone',
    ({ git, trap, directory }) => {
      git('config', 'extensions.partialClone', 'origin');
      git('config', 'remote.origin.promisor', 'true');
      git('config', 'remote.origin.url', directory);
      git('config', 'remote.origin.uploadpack', trap('upload'));
    },
    'cat-file',
    '-p',
    '0123456789012345678901234567890123456789',
  ],
];

describe('a program that a repository names', () => {
  it.each(programs)('is not started: %s', async (_name, prepare, ...command) => {
    const repository = createRepository({ 'a.txt': 'one\n' });
    prepare(repository);
    await run(repository.directory, ...command);
    expect(repository.sprung()).toBe(false);
    // Plain git starts it, so the case can fail.
    try {
      repository.git(...command);
    } catch {
      // It fails after the program has run, because the program only imitates what git needs.
    }
    expect(repository.sprung()).toBe(true);
  });

  it('is not started by a directory that looks like a bare repository', async () => {
    const repository = createRepository({ 'a.txt': 'one\n' });
    const bare = path.join(repository.directory, 'bare');
    repository.git('init', '-q', '--bare', bare);
    expect(repository.git('-C', bare, 'rev-parse', '--git-dir')).toBe('.\n');
    expect(await run(bare, 'rev-parse', '--git-dir')).toMatchObject({ exitCode: 128, stdout: '' });
  });
});
