import type { FileSystem } from '../../../agent/ports/file-system.ts';

/** A file system that reads each directory once, until it forgets. */
export interface RememberedLists {
  readonly fileSystem: FileSystem;
  forget(): void;
}

/** Remembers the entries of directories, for judgements between which nothing runs. */
export function rememberLists(fileSystem: FileSystem): RememberedLists {
  const lists = new Map<string, ReturnType<FileSystem['list']>>();
  return {
    fileSystem: {
      ...fileSystem,
      list(path, maxEntries, links) {
        const key = JSON.stringify([path, maxEntries, links]);
        const found = lists.get(key) ?? fileSystem.list(path, maxEntries, links);
        lists.set(key, found);
        return found;
      },
    },
    forget: () => lists.clear(),
  };
}
