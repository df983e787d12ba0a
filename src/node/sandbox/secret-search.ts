import path from 'node:path';
import { holdsSecrets, type PathRules } from '../../policy/paths/path-policy.ts';
import { createFirstLook, type FirstLook } from '../../policy/sandbox/workspace-entry.ts';
import { createFileMemory } from './real-files.ts';
import { type EntryKind, kindOfEntry, list, PARALLEL, secretFile } from './scan-workspace.ts';

/** Finds the files with secrets in a directory, at any depth. Rejects if it has more directories than the limit. */
export type SearchSecrets = (root: string, rules: PathRules, maxDirectories: number) => Promise<readonly string[]>;

/** The contents of one directory that matter to a search. */
interface SearchedListing {
  readonly secrets: readonly { readonly file: string; readonly kind: EntryKind }[];
  readonly directories: readonly string[];
}

/**
 * Creates a search for files with secrets, which remembers directories until they change. It follows no link to a
 * directory, and leaves out none. All calls get the same rules.
 */
export function createSecretSearch(): SearchSecrets {
  const listings = createFileMemory<SearchedListing>();
  const read = async (directory: string, rules: PathRules, isSpecial: FirstLook): Promise<SearchedListing> => {
    const { keep } = listings.look(directory);
    const secrets: { readonly file: string; readonly kind: EntryKind }[] = [];
    const directories: string[] = [];
    for (const entry of await list(directory)) {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) directories.push(file);
      else if (isSpecial(directory, entry.name) && holdsSecrets(file, rules))
        secrets.push({ file, kind: kindOfEntry(entry) });
    }
    return keep({ secrets, directories });
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
        const { known } = listings.look(directory);
        if (known !== undefined) await take(known);
        else unknown.push(directory);
      }
      const listed = await Promise.all(unknown.map((directory) => read(directory, rules, isSpecial)));
      for (const listing of listed) await take(listing);
    }
    return found;
  };
}
