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
  /** A new executable that leaves a mark when it runs. It fails, unless its argument `cat` makes it copy its input. */
  trap(name: string): string;
  /** True if an executable of `trap` has run since the last question. */
  sprung(): boolean;
}

let empty: string | undefined;

/** The `.git` of a repository without a commit, with an identity, which plain git makes once for this process. */
function emptyRepository(): string {
  if (empty !== undefined) return empty;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-git-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '-b', 'main', '--template=', directory]);
  empty = path.join(directory, '.git');
  const identity = '[user]\n\tname = Ada\n\temail = ada@example.org\n[core]\n\thooksPath = /dev/null\n';
  // Otherwise each commit starts two more processes, which look for work.
  const maintenance = '[maintenance]\n\tauto = false\n';
  appendFileSync(path.join(empty, 'config'), identity + maintenance);
  return empty;
}

const committed = new Map<string, string>();

/** The `.git` of a repository with one commit of `files`, which plain git makes once for this process. */
function committedRepository(files: Readonly<Record<string, string>>): string {
  const key = JSON.stringify(files);
  const known = committed.get(key);
  if (known !== undefined) return known;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-git-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  cpSync(emptyRepository(), path.join(directory, '.git'), { recursive: true });
  writeFiles(directory, files);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', directory, ...args], { stdio: 'pipe' });
  if (Object.keys(files).length > 0) git('add', '.');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  committed.set(key, path.join(directory, '.git'));
  return path.join(directory, '.git');
}

/** Creates a repository with one commit of `files`, which is removed after the test. */
export function createRepository(files: Readonly<Record<string, string>>): GitRepository {
  const root = temporaryDirectory();
  const directory = path.join(root, 'project');
  const mark = path.join(root, 'mark');
  const repository: GitRepository = {
    directory,
    git: (...args) => execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: 'pipe' }),
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
