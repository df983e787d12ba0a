import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOnlyUse } from '../../../../src/policy/shell/read-only/read-only-command.ts';
import { shellEnvironment } from '../../../../src/tools/shell/shell-environment.ts';
import { createRepository, type GitRepository } from '../../../support/processes/git-repository.ts';

/** Commands that run without a question according to the table of git. */
const COMMANDS = [
  ...['git status', 'git status -s', 'git status --porcelain=v2 -uall', 'git status -vv', 'git diff', 'git diff HEAD'],
  ...['git diff --stat', 'git diff --cached', 'git log -p -3', 'git show', 'git ls-files -m', 'git describe --always'],
  ...['git branch -v', 'git stash list', 'git rev-parse HEAD', 'cd bare && git status', 'cd sub && git status'],
  ...['git diff --submodule=diff', 'git diff --ignore-submodules=none', 'git describe --always --dirty'],
];

/** A nested repository in the directory `sub`, which is a submodule in the index. */
function addSubmodule({ directory, git, trap }: GitRepository, setting: string): void {
  const inner = createRepository({ 'b.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' });
  cpSync(inner.directory, path.join(directory, 'sub'), { recursive: true });
  git('add', 'sub');
  git('commit', '-q', '-m', 'Add');
  git('-C', 'sub', 'config', setting, trap('sub'));
}

/** Each row plants a program, and has the plain command that starts it. */
const PLANTED: readonly [name: string, plant: (repository: GitRepository) => void, plain: string][] = [
  [
    'the monitor of a directory that .git names',
    ({ directory, git, trap, write }) => {
      git('config', 'core.fsmonitor', trap('monitor'));
      renameSync(path.join(directory, '.git'), path.join(directory, '.g'));
      write({ '.git': 'gitdir: .g\n' });
    },
    'git status',
  ],
  [
    'the monitor of a directory that looks like a bare repository',
    ({ directory, trap }) => {
      const bare = path.join(directory, 'bare');
      execFileSync('git', ['init', '-q', '--bare', bare]);
      for (const [name, value] of [
        ['core.bare', 'false'],
        ['core.worktree', directory],
        ['core.fsmonitor', trap('monitor')],
      ] as const)
        execFileSync('git', ['--git-dir', bare, 'config', name, value]);
    },
    'cd bare && git status',
  ],
  ['the monitor of a submodule', (repository) => addSubmodule(repository, 'core.fsmonitor'), 'git status'],
  ['a filter of a submodule', (repository) => addSubmodule(repository, 'filter.evil.clean'), 'git status'],
  [
    'a hook of the index',
    ({ git, trap }) => git('config', 'core.hooksPath', path.dirname(trap('post-index-change'))),
    'git status',
  ],
];

describe('git in a command that runs without a question', () => {
  it.each(PLANTED)('does not start %s, which plain git starts', (_name, plant, plain) => {
    const repository = createRepository({ 'a.txt': 'one\n' });
    const { directory } = repository;
    mkdirSync(path.join(directory, 'sub'), { recursive: true });
    plant(repository);
    const places = { workspace: directory, workingDirectory: directory, home: undefined, platform: 'posix' } as const;
    const run = (command: string, env: NodeJS.ProcessEnv): boolean => {
      // New times make git read the files, and refresh its index.
      for (const file of ['a.txt', 'sub/b.txt']) touch(path.join(directory, file));
      repository.sprung();
      spawnSync('sh', ['-c', command], { cwd: directory, env });
      return repository.sprung();
    };
    const unasked = COMMANDS.filter((command) => readOnlyUse(command, places).type === 'read_only');
    expect(unasked).toHaveLength(13);
    expect(unasked.filter((command) => run(command, shellEnvironment(process.env)))).toEqual([]);
    expect(run(plain, process.env)).toBe(true);
  });
});

let time = 1_700_000_000;

function touch(file: string): void {
  time += 10;
  try {
    utimesSync(file, time, time);
  } catch {
    // Most repositories have no submodule.
  }
}
