import path from 'node:path';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { GitError, type Repository } from './repository.ts';

/** Ports and options of the commit of files, besides the repository. */
export interface CommitPorts {
  readonly fileSystem: FileSystem;
  /** UUID of the session; names the temporary index. */
  readonly sessionId: string;
}

/** A commit, with the paths that differ from its parent. */
export interface FilesCommit {
  readonly hash: string;
  readonly files: readonly string[];
}

/** Files in the directory of git while a merge, a rebase or the like is in progress. */
const IN_PROGRESS = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/**
 * Commits files as they are on disk, and leaves everything else of the index as it is; `undefined` if they are as in the
 * last commit. Throws `GitError`, and then neither the branch nor the index has changed, unless the error says so.
 *
 * The index changes before the branch: it is what other programs hold, and an index that is ahead of the branch only has
 * staged changes, while one behind it has the reverse of the commit. If the branch cannot be moved, the index goes back.
 */
export async function commitFiles(
  names: readonly string[],
  subject: string,
  repository: Repository,
  ports: CommitPorts,
): Promise<FilesCommit | undefined> {
  await refuseInProgress(repository, ports);
  const head = await headOf(repository);
  const made = await makeCommit(names, subject, head, repository, ports);
  if (made === undefined) return undefined;
  const before = await entriesOf(names, repository);
  await stage(names, before, repository);
  try {
    // Fails if somebody else has moved the branch.
    await repository.read(['update-ref', '-m', `commit: ${subject}`, 'HEAD', made.hash, head ?? '']);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // A command that was stopped may have done its work.
    if ((await headOf(repository)) !== made.hash) throw await takeBack(error, before, repository);
  }
  const differences = await repository.read(['diff-index', '--cached', '--name-only', '-z', 'HEAD', '--', ...names]);
  if (differences === '') return made;
  throw new GitError(`they are in the commit ${made.hash.slice(0, 10)}, but the index differs from it. See git status`);
}

async function refuseInProgress({ gitDirectory }: Repository, { fileSystem }: CommitPorts): Promise<void> {
  for (const name of IN_PROGRESS) {
    const exists = await fileSystem.stat(path.join(gitDirectory, name)).then(
      () => true,
      () => false,
    );
    if (exists) throw new GitError('a merge, a rebase or a similar operation is in progress.');
  }
}

/** The last commit of the branch; `undefined` if there is none yet. */
async function headOf(repository: Repository): Promise<string | undefined> {
  return (await repository.read(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { other: 1 }))?.trim();
}

/** Makes a commit that no branch contains yet, over an index of its own; `undefined` if it would be empty. */
async function makeCommit(
  names: readonly string[],
  subject: string,
  head: string | undefined,
  repository: Repository,
  { fileSystem, sessionId }: CommitPorts,
): Promise<FilesCommit | undefined> {
  const index = path.join(repository.gitDirectory, `ybs-index-${sessionId}`);
  try {
    await repository.read(['read-tree', head ?? '--empty'], { index });
    await repository.read(['update-index', '--add', '--remove', '--', ...names], { index });
    const tree = (await repository.read(['write-tree'], { index })).trim();
    const base = head ?? (await repository.read(['hash-object', '-t', 'tree', '-w', '--', '/dev/null'])).trim();
    const changes = await repository.read(['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tree]);
    const files = changes.split('\0').filter((name) => name !== '');
    if (files.length === 0) return undefined;
    const parent = head === undefined ? [] : ['-p', head];
    return { hash: (await repository.read(['commit-tree', tree, ...parent, '-m', subject])).trim(), files };
  } finally {
    await fileSystem.removeFile(index).catch(() => {});
    await fileSystem.removeFile(`${index}.lock`).catch(() => {});
  }
}

/** The flags of a file in the index with which git ignores the file on disk. */
interface IndexEntry {
  readonly name: string;
  readonly isSkipped: boolean;
  readonly isAssumedUnchanged: boolean;
}

async function entriesOf(names: readonly string[], repository: Repository): Promise<readonly IndexEntry[]> {
  const lines = await repository.read(['ls-files', '-v', '-z', '--', ...names]);
  // `H PATH`; S is one that is skipped, and a small letter one that is assumed to be unchanged.
  const marks = new Map(lines.split('\0').map((line) => [line.slice(2), line.slice(0, 1)]));
  return names.map((name) => {
    const mark = marks.get(name) ?? '';
    return { name, isSkipped: /s/i.test(mark), isAssumedUnchanged: mark !== mark.toUpperCase() };
  });
}

/** Stages files as they are on disk, including those with flags, which keep their flags. */
async function stage(names: readonly string[], entries: readonly IndexEntry[], repository: Repository): Promise<void> {
  const update = ['update-index', '--add', '--remove', '--', ...names];
  if (!entries.some((entry) => entry.isSkipped || entry.isAssumedUnchanged)) {
    await repository.read(update);
    return;
  }
  try {
    // One after the other: each command applies only one of the options to a path.
    await repository.read([
      'update-index',
      '--no-skip-worktree',
      '--',
      ...names.filter((_, at) => entries[at]?.isSkipped),
    ]);
    await repository.read([
      ...['update-index', '--no-assume-unchanged', '--'],
      ...names.filter((_, at) => entries[at]?.isAssumedUnchanged),
    ]);
    await repository.read(update);
    await mark(entries, repository);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw await takeBack(error, entries, repository);
  }
}

/** Sets the marks of entries that are still in the index. */
async function mark(entries: readonly IndexEntry[], repository: Repository): Promise<void> {
  const present = new Set(
    (await repository.read(['ls-files', '-z', '--', ...entries.map(({ name }) => name)])).split('\0'),
  );
  const marked = (is: (entry: IndexEntry) => boolean): readonly string[] =>
    entries.filter((entry) => is(entry) && present.has(entry.name)).map(({ name }) => name);
  for (const [option, names] of [
    ['--assume-unchanged', marked(({ isAssumedUnchanged }) => isAssumedUnchanged)],
    ['--skip-worktree', marked(({ isSkipped }) => isSkipped)],
  ] as const) {
    if (names.length > 0) await repository.read(['update-index', option, '--', ...names]);
  }
}

/**
 * Gives the index the files as the last commit has them, which they were before the run, unless somebody has committed
 * them. Resolves to the error, which says so if that failed.
 */
async function takeBack(error: GitError, entries: readonly IndexEntry[], repository: Repository): Promise<GitError> {
  const names = entries.map(({ name }) => name);
  try {
    // 128: there is no commit yet.
    const lines = (await repository.read(['ls-tree', '-r', '-z', 'HEAD', '--', ...names], { other: 128 })) ?? '';
    const blobs = lines.split('\0').flatMap((line) => {
      const [, mode, id, name = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return name === '' ? [] : [{ name, blob: `${mode},${id}` }];
    });
    const absent = names.filter((name) => !blobs.some((blob) => blob.name === name));
    if (blobs.length > 0)
      await repository.read(['update-index', ...blobs.flatMap(({ name, blob }) => ['--cacheinfo', `${blob},${name}`])]);
    if (absent.length > 0) await repository.read(['update-index', '--force-remove', '--', ...absent]);
    await mark(entries, repository);
    // Only the times of the files are read; a file that differs is not a failure.
    await repository.read(['update-index', '-q', '--refresh'], { other: 1 });
    return error;
  } catch (failure) {
    if (!(failure instanceof GitError)) throw failure;
    return new GitError(`${error.message}. They are staged, because they cannot be taken back: ${failure.message}`);
  }
}
