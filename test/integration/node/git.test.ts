import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunGit } from '../../../src/node/git.ts';
import { createRepository, type GitRepository } from '../../support/processes/git-repository.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const never = new AbortController().signal;
const runGit = createRunGit({ environment: process.env, platform: 'posix', home: os.homedir() });
const run = (directory: string, ...args: readonly string[]) => runGit({ directory, args }, never);

describe('git', () => {
  it('works in its directory and reports output and exit code', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    expect(await run(directory, 'ls-files')).toEqual({ type: 'ended', exitCode: 0, stdout: 'a.txt\n', stderr: '' });
    expect(await run(directory, 'rev-parse', '-q', '--verify', 'no-such-branch')).toMatchObject({ exitCode: 1 });
  });

  it('receives the variables of a command', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    const index = path.join(directory, '../index');
    const command = { directory, args: ['ls-files'], environment: { GIT_INDEX_FILE: index } };
    expect(await runGit(command, never)).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('starts in no repository that another program may change while it runs', async () => {
    const { directory } = createRepository({ 'src/a.txt': 'one\n' });
    const git = path.join(directory, '.git');
    const asked: string[] = [];
    const mayChange = (each: string): boolean => asked.push(each) > 0;
    const careful = createRunGit({ environment: process.env, platform: 'posix', home: os.homedir(), mayChange });
    const command = { directory: path.join(directory, 'src'), args: ['ls-files'] };
    expect(await careful(command, never)).toMatchObject({ type: 'failed', reason: expect.stringContaining(git) });
    expect(asked).toEqual([git]);
    expect(await runGit(command, never)).toMatchObject({ stdout: 'a.txt\n' });
    expect(await careful({ directory: '/var', args: ['--version'] }, never)).toMatchObject({ exitCode: 0 });
  });

  it('reads paths literally, not as patterns', async () => {
    const { directory } = createRepository({ 'a.txt': 'one\n' });
    expect(await run(directory, 'ls-files', '--', '*.txt')).toMatchObject({ stdout: '' });
  });

  it('starts in its own session, so that no program can ask at the terminal', async () => {
    const programs = temporaryDirectory();
    const log = path.join(programs, 'sessions');
    writeFileSync(path.join(programs, 'git'), `#!/bin/sh\necho $$ $(ps -o sid= -p $$) >> '${log}'\n`, { mode: 0o755 });
    const PATH = `${programs}:${process.env['PATH']}`;
    const faked = createRunGit({ environment: { PATH }, platform: 'posix', home: os.homedir() });
    expect(await faked({ directory: '/var', args: ['--version'] }, never)).toMatchObject({ exitCode: 0 });
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect(lines.map((line) => new Set(line.split(' ')).size)).toEqual([1, 1]);
  });

  it.each([
    ['printed too much', 'yes'],
    ['timed_out', 'sleep 60'],
    ['aborted', 'sleep 60'],
  ])('that %s is killed', async (reason, command) => {
    const programs = temporaryDirectory();
    writeFileSync(path.join(programs, 'git'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const PATH = `${programs}:${process.env['PATH']}`;
    const timeoutMs = reason === 'timed_out' ? 200 : 60_000;
    const faked = createRunGit({ environment: { PATH }, platform: 'posix', home: os.homedir(), timeoutMs });
    const signal = reason === 'aborted' ? AbortSignal.timeout(50) : never;
    const end = await faked({ directory: '/var', args: ['--version'] }, signal);
    expect(end).toMatchObject({ type: 'failed', reason: expect.stringContaining(reason) });
  });

  it.each([
    ...['.git/index', '.git/HEAD', '.git/config', '.git/config.worktree', '.git/packed-refs', '.git/commondir'],
    ...['.git/info/exclude', '.git/info/attributes', '.git/objects/info/alternates', '.git/shallow', '.gitattributes'],
    ...['.git/refs/heads/x', '.git/refs/remotes/origin/HEAD', '.git/logs/HEAD', '.git/logs/refs/heads/x', '.gitignore'],
    ...['.git/objects/pack/pack-1.idx', '.git/rebase-merge/head-name', '.git/worktrees/w/HEAD', '.gitmodules'],
  ])('is not started if %s is a pipe, for whose writer it would wait', async (name) => {
    const { directory } = createRepository({ 'sub/a.txt': 'one\n' });
    const file = path.join(directory, name);
    rmSync(file, { force: true });
    mkdirSync(path.dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    const reason = `${file} is not an ordinary file. Remove it`;
    expect(await run(directory, 'status')).toEqual({ type: 'failed', reason });
    expect(await run(path.join(directory, 'sub'), 'status')).toEqual({ type: 'failed', reason });
  });

  it.each(['HEAD', 'index', 'logs/HEAD', '../../refs/heads/x'])(
    'is not started in a worktree whose %s is a pipe',
    async (name) => {
      const { directory, git } = createRepository({ 'a.txt': 'one\n' });
      const worktree = path.join(temporaryDirectory(), 'w');
      git('worktree', 'add', '-q', worktree);
      const file = path.join(directory, '.git/worktrees/w', name);
      rmSync(file, { force: true });
      execFileSync('mkfifo', [file]);
      const { type, reason } = { reason: '', ...(await run(worktree, 'status')) };
      expect({ type, reason }).toEqual({ type: 'failed', reason: `${file} is not an ordinary file. Remove it` });
    },
  );

  it('is not started after a stop', async () => {
    const stopped = AbortSignal.abort();
    expect(await runGit({ directory: '/', args: ['--version'] }, stopped)).toEqual({
      type: 'failed',
      reason: 'aborted',
    });
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
      // It fails after the program has run, because the program only imitates a real one.
    }
    expect(repository.sprung()).toBe(true);
  });

  it.each<[string, (repository: GitRepository, filter: string) => void]>([
    [
      'another directory that commondir names',
      ({ directory, write }, filter) => {
        write({ 'evil/config': `[core]\n\trepositoryformatversion = 0\n${filter}` });
        for (const name of ['objects', 'refs'])
          symlinkSync(path.join(directory, '.git', name), path.join(directory, 'evil', name));
        writeFileSync(path.join(directory, '.git/commondir'), '../evil\n');
      },
    ],
    [
      'an included file',
      ({ git, write }, filter) => {
        write({ 'more.cfg': filter });
        git('config', 'include.path', '../more.cfg');
      },
    ],
    [
      'the settings of a working tree',
      ({ git, directory }, filter) => {
        git('config', 'extensions.worktreeConfig', 'true');
        writeFileSync(path.join(directory, '.git/config.worktree'), filter);
      },
    ],
    [
      'its own settings, under a name with =',
      ({ git, trap, write }) => {
        git('config', 'filter.a=b.clean', trap('clean'));
        write({ '.gitattributes': '* filter=a=b\n' });
      },
    ],
  ])('is not a filter of %s', async (_name, prepare) => {
    const repository = createRepository({ 'a.txt': 'one\n' });
    repository.write({ '.gitattributes': '* filter=x\n', 'a.txt': 'two\n' });
    prepare(repository, `[filter "x"]\n\tclean = ${repository.trap('clean')}\n`);
    for (const command of [
      ['status', '--porcelain'],
      ['add', 'a.txt'],
    ])
      await run(repository.directory, ...command);
    expect(repository.sprung()).toBe(false);
    repository.write({ 'a.txt': 'three\n' });
    try {
      repository.git('add', 'a.txt');
    } catch {
      // The filter fails.
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
