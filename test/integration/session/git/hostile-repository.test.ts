import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readGitFacts } from '../../../../src/app/prompt/git-facts.ts';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system.ts';
import { createRunGit } from '../../../../src/node/git.ts';
import { systemClock } from '../../../../src/node/system.ts';
import { createAutoCommit } from '../../../../src/session/git/auto-commit.ts';
import { Repository } from '../../../../src/session/git/repository.ts';
import { createRepository, type GitRepository } from '../../../support/processes/git-repository.ts';
import { writeFiles } from '../../../support/processes/temporary-directory.ts';

const never = new AbortController().signal;
const runGit = createRunGit({ environment: process.env, platform: 'posix', home: os.homedir() });

/** Each hook that git starts in a command of the lists below. */
const HOOKS = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change', 'reference-transaction'],
  ...['post-checkout', 'pre-auto-gc', 'post-rewrite'],
];

/** The keys that name programs, by the name that the program writes into the log. */
const KEYS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'fsmonitor',
  'core.editor': 'editor',
  'core.askPass': 'askpass',
  'core.sshCommand': 'ssh',
  'core.pager': 'pager',
  'core.alternateRefsCommand': 'alternate-refs',
  'credential.helper': 'credential',
  'gpg.program': 'gpg',
  'diff.external': 'external-diff',
  'diff.evil.textconv': 'textconv',
  'diff.evil.command': 'diff-driver',
  'filter.evil.clean': 'clean',
  'filter.evil.smudge': 'smudge',
  'filter.stream.process': 'process',
  'merge.evil.driver': 'merge-driver',
  'sequence.editor': 'sequence-editor',
  'uploadpack.packObjectsHook': 'pack-objects',
};

interface Hostile extends GitRepository {
  /** The programs that were started since the last query. */
  started(): readonly string[];
}

/** A repository in which every key that can name a program names one that writes its name into a log. */
function createHostile(): Hostile {
  const repository = createRepository({
    ...{ 'a.txt': 'one\n', 'b.dat': 'one\n', 'c.bin': 'one\n', 'd.txt': 'one\n' },
    'sub/x': '',
  });
  const { directory, git } = repository;
  const log = path.join(directory, '../log');
  const program = (name: string): string => {
    const file = path.join(directory, '../programs', name);
    mkdirSync(path.dirname(file), { recursive: true });
    // A filter passes the content on; every other request fails, because the program only imitates a real one.
    const rest = ['clean', 'smudge', 'textconv'].includes(name) ? 'exec cat' : 'exit 1';
    writeFileSync(file, `#!/bin/sh\necho ${name} >> '${log}'\n${rest}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  for (const [key, name] of Object.entries(KEYS)) {
    git('config', key, key === 'credential.helper' ? `!${program(name)}` : program(name));
  }
  git('config', 'commit.gpgSign', 'true');
  git('config', 'log.showSignature', 'true');
  git('config', 'core.hooksPath', path.join(directory, '../hooks'));
  for (const hook of HOOKS) {
    for (const place of ['../hooks', '.git/hooks']) {
      const file = path.join(directory, place, hook);
      writeFiles(directory, { [`${place}/${hook}`]: `#!/bin/sh\necho hook >> '${log}'\n` });
      chmodSync(file, 0o755);
    }
  }
  writeFiles(directory, { '.git/more': `[filter "included"]\n\tclean = ${program('included')}\n` });
  git('config', 'include.path', 'more');
  git('config', 'remote.origin.url', 'ssh://example.invalid/x');
  // Attributes make git start the drivers and filters, and each file looks changed.
  repository.write({
    '.gitattributes': '*.txt filter=evil diff=evil\n*.dat filter=stream\n*.bin filter=included\n',
    ...{ 'a.txt': 'two\n', 'b.dat': 'two\n', 'c.bin': 'two\n' },
  });
  // A bare repository inside has its own configuration.
  execFileSync('git', ['init', '-q', '--bare', path.join(directory, 'bare')]);
  execFileSync('git', ['-C', path.join(directory, 'bare'), 'config', 'core.fsmonitor', program('bare')]);
  const started = (): readonly string[] => {
    const names = existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((name) => name !== '')
      : [];
    rmSync(log, { force: true });
    return [...new Set(names)].toSorted();
  };
  started();
  return { ...repository, started };
}

/** The plain commands of the positive control. A filter process that fails ends git, so it comes last. */
const PLAIN: readonly (readonly string[])[] = [
  ...[
    ['status'],
    ['diff', '--', 'a.txt'],
    ['diff', '--', 'b.dat'],
    ['diff', '--no-ext-diff', '--textconv', 'HEAD'],
    ['add', '--', 'a.txt', 'c.bin'],
    ['checkout', '--', 'd.txt'],
    ['commit', '--allow-empty', '--no-gpg-sign'],
    ['commit', '--allow-empty', '-m', 'x', '--no-verify'],
    ['fetch'],
    ['credential', 'fill'],
    ['update-ref', 'refs/heads/other', 'HEAD'],
  ].map((command) => ['-c', 'filter.stream.process=', ...command]),
  ['status'],
];

it('ybs starts no program of a hostile repository, while plain git starts nearly all of them', async () => {
  const hostile = createHostile();
  const { directory } = hostile;
  const fileSystem = createNodeFileSystem();
  const facts = await readGitFacts(directory, 5, { runGit, clock: systemClock });
  expect(facts?.branch).toBe('main');
  expect(facts?.changes?.modified).toContain('a.txt');

  const commit = createAutoCommit({
    ...{ runGit, fileSystem, redact: (text: string) => text, workspace: directory },
    ...{ prefix: '[ybs]', prompt: 'change', sessionId: 'a-session' },
  });
  const changes = ['d.txt', 'new.md', 'sub/x'];
  for (const name of changes) {
    const file = path.join(directory, name);
    const effect = { summary: '', paths: [{ requested: name, realPath: file, access: 'write' as const }] };
    await commit.before({ type: 'tool_call', call: { id: name, name: 'write_file', arguments: '{}' }, effect });
    hostile.write({ [name]: 'changed\n' });
    const result = { callId: name, toolName: 'write_file', content: '', summary: '', durationMs: 1 };
    await commit.before({ type: 'tool_result', outcome: 'ok', ...result });
  }
  const [event] = await commit.end();
  expect(event).toMatchObject({ type: 'commit', files: ['new.md', 'sub/x'] });

  const bare = path.join(directory, 'bare');
  expect(await Repository.find(runGit, bare)).toBeUndefined();
  expect(await readGitFacts(bare, 5, { runGit, clock: systemClock })).toBeUndefined();
  expect(await runGit({ directory, args: ['rev-parse', '--is-inside-work-tree'] }, never)).toMatchObject({
    exitCode: 0,
  });
  expect(hostile.started()).toEqual([]);

  for (const command of PLAIN) {
    try {
      execFileSync('git', ['-C', directory, ...command], {
        input: 'protocol=https\nhost=example.invalid\n\n',
        stdio: ['pipe', 'ignore', 'ignore'],
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
      });
    } catch {
      // The programs fail, and git with them.
    }
  }
  expect(hostile.started()).toEqual([
    ...['askpass', 'clean', 'credential', 'diff-driver', 'editor', 'external-diff', 'fsmonitor', 'gpg', 'hook'],
    ...['included', 'process', 'smudge', 'ssh', 'textconv'],
  ]);
});

it('git shows no file of an external working tree that the configuration names', async () => {
  const { directory, git } = createRepository({ 'a.txt': 'one\n' });
  const outside = path.join(directory, '../outside');
  writeFiles(outside, { 'secret-plan.txt': '' });
  git('config', 'core.worktree', outside);
  expect(git('status', '--porcelain')).toContain('secret-plan.txt');
  const facts = await readGitFacts(directory, 0, { runGit, clock: systemClock });
  expect(facts?.changes).toEqual({ staged: [], modified: [], untracked: [] });
  expect(await Repository.find(runGit, directory)).toBeUndefined();
});
