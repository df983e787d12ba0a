import path from 'node:path';
import { holdsSecrets, type PathRules } from '../../policy/paths/path-policy.ts';
import { createFirstLook, type FirstLook } from '../../policy/sandbox/workspace-entry.ts';
import { isUnambiguous } from './real-files.ts';
import { changeTime, type EntryKind, kindOfEntry, list, PARALLEL, secretFile } from './scan-workspace.ts';

/** Finds the files with secrets in a directory, at any depth. Rejects if it has more directories than the limit. */
export type SearchSecrets = (root: string, rules: PathRules, maxDirectories: number) => Promise<readonly string[]>;

/** The contents of one directory that matter to a search. */
interface SearchedListing {
  readonly changedAt: number | undefined;
  readonly secrets: readonly { readonly file: string; readonly kind: EntryKind }[];
  readonly directories: readonly string[];
}

/**
 * Creates a search for files with secrets, which remembers directories until they change. It follows no link to a
 * directory, and leaves out none. All calls get the same rules.
 */
export function createSecretSearch(): SearchSecrets {
  const listings = new Map<string, SearchedListing>();
  const read = async (directory: string, rules: PathRules, isSpecial: FirstLook): Promise<SearchedListing> => {
    const changedAt = changeTime(directory);
    const now = Date.now();
    const secrets: { readonly file: string; readonly kind: EntryKind }[] = [];
    const directories: string[] = [];
    for (const entry of await list(directory)) {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) directories.push(file);
      else if (isSpecial(directory, entry.name) && holdsSecrets(file, rules))
        secrets.push({ file, kind: kindOfEntry(entry) });
    }
    const found = { changedAt, secrets, directories };
    if (changedAt !== undefined && isUnambiguous(changedAt, now)) listings.set(directory, found);
    else listings.delete(directory);
    return found;
  };
  return async (root, rules, maxDirectories) => {
    const isSpecial = createFirstLook(rules);
    const found: string[] = [];
    const directories = [root];
    const take = async ({ secrets, directories: inside }: SearchedListing): Promise<void> => {
      directories.push(...inside);
      for (const { file, kind } of secrets) found.push(...(await secretFile(file, kind, rules)));
    };
    for (let visited = 0; visited < directories.length; ) {
      if (directories.length > maxDirectories) throw new Error(`${root} has too many directories to search`);
      const unknown: string[] = [];
      for (const directory of directories.slice(visited, visited + PARALLEL)) {
        visited += 1;
        const known = listings.get(directory);
        if (known !== undefined && known.changedAt === changeTime(directory)) await take(known);
        else unknown.push(directory);
      }
      const listed = await Promise.all(unknown.map((directory) => read(directory, rules, isSpecial)));
      for (const listing of listed) await take(listing);
    }
    return found;
  };
}
