import { statSync } from 'node:fs';
import path from 'node:path';
import {
  type HomeEntryUse,
  holdsHomeSecret,
  mayHoldSecrets,
  useOfHomeFile,
} from '../../policy/sandbox/home/home-secrets.ts';
import { createFileMemory, entriesOf, readSmallFile } from './real-files.ts';

/** Of each place, at most these directories are looked at, the shallow ones first. */
const MAX_DIRECTORIES = 200;

/** The secrets of programs are near the directory of the program. */
const MAX_DEPTH = 4;

interface HomeListing {
  readonly files: readonly { readonly file: string; readonly use: HomeEntryUse }[];
  readonly directories: readonly string[];
}

/** The listings of directories, until they change. */
const listings = createFileMemory<HomeListing>();

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
const judged = createFileMemory<boolean>();

function holdsSecret(file: string, use: HomeEntryUse): boolean {
  const { known, keep } = judged.look(file);
  return known ?? keep(holdsHomeSecret(use, textOf(file)));
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
    const found = visited.map(listingOf);
    files.push(...found.flatMap((listing) => listing.files));
    level = found.flatMap(({ directories }) => directories);
  }
  return files;
}

function listingOf(directory: string): HomeListing {
  const { known, keep } = listings.look(directory);
  if (known !== undefined) return known;
  const entries = entriesOf(directory);
  return keep({
    files: entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(({ name }) => ({ file: path.join(directory, name), use: useOfHomeFile(path.basename(directory), name) }))
      .filter(({ use }) => use !== 'ordinary'),
    directories: entries
      .filter((entry) => entry.isDirectory() && mayHoldSecrets(entry.name))
      .map(({ name }) => path.join(directory, name)),
  });
}
