import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BigIntStats, existsSync, lstatSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gitDirectoryOf } from '../../policy/sandbox/git-links.ts';
import {
  type IndexPaths,
  isUnchanged,
  specialPaths,
  type TrackedFile,
  trackedFiles,
} from '../../text/bytes/git-index.ts';
import { attempt, createFileMemory, readBytes, readSmallFile } from './real-files.ts';

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
      if (entry === undefined || now === undefined) continue;
      const { size, mtimeNs } = now;
      if (evenChanged || isUnchanged(entry, { size, mtimeNs, digests: () => digestsOf(file) })) found.add(file);
    }
  }
  return found;
}

const digests = createFileMemory<readonly string[]>();

/** The digests that git may have of a file: as it is, and with the line ends that git may have changed. */
function digestsOf(file: string): readonly string[] {
  const { known, keep } = digests.look(file);
  if (known !== undefined) return known;
  const bytes = readBytes(file);
  const contents = [bytes, Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')];
  return keep(contents.map((each) => createHash('sha1').update(`blob ${each.length}\0`).update(each).digest('hex')));
}

/** The innermost directory with a repository that contains one. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(path.join(directory, '.git'))) return directory;
  const parent = path.dirname(directory);
  return parent === directory ? undefined : repositoryOf(parent);
}

/** The answers of the last reading of each index, which is large and changes seldom. */
const answers = createFileMemory<{ readonly question: string; readonly found: ReadonlyMap<string, TrackedFile> }>();

async function readIndex(top: string, names: ReadonlySet<string>): Promise<ReadonlyMap<string, TrackedFile>> {
  try {
    const index = path.join(repositoryDirectory(top), 'index');
    const question = [...names].join('\0');
    const { known, keep } = answers.look(index);
    if (known?.question === question) return known.found;
    // The opening of a pipe would wait for a writer.
    const bytes = statSync(index).isFile() ? await readFile(index) : Buffer.alloc(0);
    return keep({ question, found: trackedFiles(bytes, names) }).found;
  } catch {
    return new Map();
  }
}

/** The maximum size of an index that is read, in bytes. An index has about a hundred bytes for each file. */
const MAX_INDEX = 512 * 1024 ** 2;

const special = createFileMemory<IndexPaths & { readonly config: string }>();

/** The special paths in the file of an index. Never throws. */
export function pathsOfIndex(index: string): IndexPaths {
  const paths = attempt(() => {
    const { known, keep } = special.look(index);
    const git = path.dirname(index);
    const common = readSmallFile(path.join(git, 'commondir'))?.trim() ?? '';
    const config = readSmallFile(path.join(path.resolve(git, common), 'config')) ?? 'objectformat = sha256';
    if (known?.config === config) return known;
    const stat = statSync(index);
    if (stat.size > MAX_INDEX)
      return { submodules: [], strays: ['files that ybs cannot list, because the index has more than 512 MB'] };
    // The opening of a pipe would wait for a writer.
    return keep({ config, ...specialPaths(stat.isFile() ? readBytes(index) : Buffer.alloc(0), config) });
  });
  return paths ?? { submodules: [], strays: [] };
}

/** The directory of git of a repository. A worktree or a submodule has a file that names it. */
function repositoryDirectory(top: string): string {
  const entry = path.join(top, '.git');
  return (statSync(entry).isFile() ? gitDirectoryOf(readSmallFile(entry) ?? '', top) : undefined) ?? entry;
}

function statOf(file: string): BigIntStats | undefined {
  return attempt(() => lstatSync(file, { bigint: true }));
}
