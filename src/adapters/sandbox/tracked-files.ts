import { type BigIntStats, existsSync } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isUnchanged, type TrackedFile, trackedFiles } from '../../safety/sandbox/git-index.ts';
import { gitDirectoryOf } from '../../safety/sandbox/git-links.ts';

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
  const found = await Promise.all(
    [...byRepository].map(async ([top, inside]) => {
      const tracked = await readIndex(top, new Set(inside.map((file) => path.relative(top, file))));
      const kept = inside.map(async (file) => {
        const entry = tracked.get(path.relative(top, file));
        const now = await statOf(file);
        if (entry === undefined || now === undefined) return [];
        return evenChanged || isUnchanged(entry, now) ? [file] : [];
      });
      return (await Promise.all(kept)).flat();
    }),
  );
  return new Set(found.flat());
}

/** The innermost directory with a repository that contains one. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(path.join(directory, '.git'))) return directory;
  const parent = path.dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}

async function readIndex(top: string, names: ReadonlySet<string>): Promise<ReadonlyMap<string, TrackedFile>> {
  const entry = path.join(top, '.git');
  // A worktree or a submodule has a file there.
  const text = await readFile(entry, 'utf8').catch(() => undefined);
  const index = path.join((text === undefined ? undefined : gitDirectoryOf(text, top)) ?? entry, 'index');
  try {
    const { ino, size, mtimeNs } = await stat(index, { bigint: true });
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

async function statOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}
