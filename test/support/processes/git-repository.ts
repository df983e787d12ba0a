import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryDirectory, writeFiles } from './temporary-directory.ts';

/** A repository on disk, driven by plain git. */
export interface GitRepository {
  readonly directory: string;
  /** Runs plain git there and returns its output. */
  git(...args: readonly string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  /** A new executable that creates a file when it runs. It fails, unless its argument `cat` makes it copy its input. */
  trap(name: string): string;
  /** True if an executable of `trap` has run since the last call. */
  sprung(): boolean;
}

const made = new Map<string, string>();

/** The `.git` directory of a repository, which `fill` creates at the first call with this key. The process removes it when it ends. */
function makeOnce(key: string, fill: (directory: string) => void): string {
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size === 0) process.once('exit', () => made.forEach(removeRepository));
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-git-'));
  const repository = path.join(directory, '.git');
  fill(directory);
  made.set(key, repository);
  return repository;
}

function removeRepository(repository: string): void {
  rmSync(path.dirname(repository), { recursive: true, force: true });
}

const git = (directory: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: 'pipe' });

/** A repository without a commit, with an identity. */
const emptyRepository = (): string =>
  makeOnce('', (directory) => {
    execFileSync('git', ['init', '-q', '-b', 'main', '--template=', directory]);
    const identity = '[user]\n\tname = Ada\n\temail = ada@example.org\n[core]\n\thooksPath = /dev/null\n';
    // Otherwise each commit starts two more processes, which look for work.
    const maintenance = '[maintenance]\n\tauto = false\n';
    appendFileSync(path.join(directory, '.git/config'), identity + maintenance);
  });

/** A repository with one commit of `files`. */
const committedRepository = (files: Readonly<Record<string, string>>): string =>
  makeOnce(JSON.stringify(files), (directory) => {
    cpSync(emptyRepository(), path.join(directory, '.git'), { recursive: true });
    writeFiles(directory, files);
    if (Object.keys(files).length > 0) git(directory, 'add', '.');
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  });

/** Creates a repository with one commit of `files`, which is removed after the test. */
export function createRepository(files: Readonly<Record<string, string>>): GitRepository {
  const root = temporaryDirectory();
  const directory = path.join(root, 'project');
  const mark = path.join(root, 'mark');
  const repository: GitRepository = {
    directory,
    git: (...args) => git(directory, ...args),
    write: (changed) => writeFiles(directory, changed),
    trap(name) {
      const file = path.join(root, 'traps', name);
      writeFiles(root, { [`traps/${name}`]: `#!/bin/sh\n: > '${mark}'\n[ "$1" = cat ] && exec cat\nexit 1\n` });
      chmodSync(file, 0o755);
      return file;
    },
    sprung() {
      const exists = existsSync(mark);
      rmSync(mark, { force: true });
      return exists;
    },
  };
  mkdirSync(directory);
  cpSync(committedRepository(files), path.join(directory, '.git'), { recursive: true });
  writeFiles(directory, files);
  return repository;
}
