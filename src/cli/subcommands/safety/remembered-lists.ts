import type { FileSystem } from '../../../agent/ports/file-system.ts';

/** A file system that reads each whole directory once, until it forgets. */
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
      list(path, ...limits) {
        if (limits.some((limit) => limit !== undefined)) return fileSystem.list(path, ...limits);
        const known = lists.get(path);
        if (known !== undefined) return known;
        const found = fileSystem.list(path);
        lists.set(path, found);
        return found;
      },
    },
    forget: () => lists.clear(),
  };
}
