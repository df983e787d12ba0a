import { type BigIntStats, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isUnchanged, type TrackedFile, trackedFiles } from '../../policy/sandbox/git-index.ts';
import { gitDirectoryOf } from '../../policy/sandbox/git-links.ts';

/** The answers of the last reading of each index, which is large and changes seldom. */
const answers = new Map<string, { readonly question: string; readonly found: ReadonlyMap<string, TrackedFile> }>();

/**
 * The files that git tracks, of which it has the content anyway. Without `evenChanged`, a file that was changed since is
 * not among them. Runs nothing. Never throws.
 */
export async function findTracked(files: readonly string[], evenChanged: boolean): Promise<ReadonlySet<string>> {
  const byRepository = new Map<string, string[]>();
  for (const file of files) {
    const top = repositoryOf(path.dirname(file));
    if (top !== undefined) byRepository.set(top, [...(byRepository.get(top) ?? []), file]);
  }
  const found = new Set<string>();
  for (const [top, inside] of byRepository) {
    const tracked = await readIndex(top, new Set(inside.map((file) => path.relative(top, file))));
    for (const file of inside) {
      const entry = tracked.get(path.relative(top, file));
      const now = entry === undefined ? undefined : statOf(file);
      if (entry !== undefined && now !== undefined && (evenChanged || isUnchanged(entry, now))) found.add(file);
    }
  }
  return found;
}

/** The innermost directory with a repository that contains one. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(path.join(directory, '.git'))) return directory;
  const parent = path.dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}

async function readIndex(top: string, names: ReadonlySet<string>): Promise<ReadonlyMap<string, TrackedFile>> {
  try {
    const index = path.join(repositoryDirectory(top), 'index');
    const stat = statSync(index, { bigint: true });
    // The opening of a pipe would wait for a writer.
    if (!stat.isFile()) return new Map();
    const { ino, size, mtimeNs } = stat;
    const question = [ino, size, mtimeNs, ...names].join('\0');
    const known = answers.get(index);
    if (known?.question === question) return known.found;
    const found = trackedFiles(await readFile(index), names);
    answers.set(index, { question, found });
    return found;
  } catch {
    return new Map();
  }
}

/** The directory of git of a repository. A worktree or a submodule has a file that names it. */
function repositoryDirectory(top: string): string {
  const entry = path.join(top, '.git');
  return (statSync(entry).isFile() ? gitDirectoryOf(readFileSync(entry, 'utf8'), top) : undefined) ?? entry;
}

function statOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}
