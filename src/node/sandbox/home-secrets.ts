import { statSync } from 'node:fs';
import path from 'node:path';
import {
  type HomeEntryUse,
  holdsHomeSecret,
  mayHoldSecrets,
  useOfHomeFile,
} from '../../policy/sandbox/home/home-secrets.ts';
import { entriesOf, isUnambiguous, readSmallFile } from './real-files.ts';
import { changeTime } from './scan-workspace.ts';

/** Of each place, at most these directories are looked at, the shallow ones first. */
const MAX_DIRECTORIES = 200;

/** The secrets of programs are near the directory of the program. */
const MAX_DEPTH = 4;

interface HomeListing {
  readonly changedAt: number;
  readonly files: readonly { readonly file: string; readonly use: HomeEntryUse }[];
  readonly directories: readonly string[];
}

/** The listings of directories, until they change. */
const listings = new Map<string, HomeListing>();

/** The files with secrets in places of the home directory that commands may read. Follows no link to a directory. */
export function secretsInHome(places: readonly string[]): readonly string[] {
  const found = places.flatMap((place) => {
    if (statSync(place, { throwIfNoEntry: false })?.isFile() === true)
      return [{ file: place, use: useOfHomeFile(path.basename(path.dirname(place)), path.basename(place)) }];
    return filesBelow(place);
  });
  const secrets = found.filter(({ file, use }) =>
    use === 'secret' ? holdsHomeSecret(use, '') : holdsSecret(file, use),
  );
  return [...new Set(secrets.map(({ file }) => file))];
}

/** The judgements of the texts of files, until they change: reading all of them takes a tenth of a second. */
const judged = new Map<string, { readonly changedAt: number; readonly holds: boolean }>();

function holdsSecret(file: string, use: HomeEntryUse): boolean {
  const changedAt = changeTime(file);
  const known = judged.get(file);
  if (known !== undefined && known.changedAt === changedAt) return known.holds;
  const now = Date.now();
  const holds = holdsHomeSecret(use, textOf(file));
  if (changedAt !== undefined && isUnambiguous(changedAt, now)) judged.set(file, { changedAt, holds });
  else judged.delete(file);
  return holds;
}

/** A text that cannot be read, or that is too long, counts as plain: no program of the user could use it as settings. */
function textOf(file: string): string {
  return readSmallFile(file) ?? '';
}

function filesBelow(place: string): HomeListing['files'] {
  const files: HomeListing['files'][number][] = [];
  let level: readonly string[] = [place];
  let remaining = MAX_DIRECTORIES;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const visited = level.slice(0, remaining);
    remaining -= visited.length;
    const found = visited.map(listingOf).filter((listing) => listing !== undefined);
    files.push(...found.flatMap((listing) => listing.files));
    level = found.flatMap(({ directories }) => directories);
  }
  return files;
}

function listingOf(directory: string): HomeListing | undefined {
  const changedAt = changeTime(directory);
  if (changedAt === undefined) return undefined;
  const known = listings.get(directory);
  if (known?.changedAt === changedAt) return known;
  const now = Date.now();
  const entries = entriesOf(directory);
  const listing = {
    changedAt,
    files: entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(({ name }) => ({ file: path.join(directory, name), use: useOfHomeFile(path.basename(directory), name) }))
      .filter(({ use }) => use !== 'ordinary'),
    directories: entries
      .filter((entry) => entry.isDirectory() && mayHoldSecrets(entry.name))
      .map(({ name }) => path.join(directory, name)),
  };
  if (isUnambiguous(changedAt, now)) listings.set(directory, listing);
  return listing;
}
