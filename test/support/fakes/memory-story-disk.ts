import type { FileTree } from '../../../src/stories/compare-trees.ts';
import type { StoryDisk } from '../../../src/stories/play/play-story.ts';

/** A story disk in memory; workspaces are `/tmp/1`, `/tmp/2` and so on. */
export interface MemoryStoryDisk extends StoryDisk {
  readonly directories: Map<string, Map<string, Uint8Array>>;
}

/** A directory tree with these files. */
export function treeOf(files: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
}

/** A story disk with these directories: file contents by relative path, by absolute directory path. */
export function createMemoryStoryDisk(
  trees: Readonly<Record<string, Readonly<Record<string, string>>>>,
): MemoryStoryDisk {
  const directories = new Map(Object.entries(trees).map(([name, files]) => [name, treeOf(files)]));
  let count = 0;
  const tree = (directory: string): Map<string, Uint8Array> => {
    const found = directories.get(directory);
    if (found === undefined) throw new Error(`no such directory: ${directory}`);
    return found;
  };
  return {
    directories,
    async createWorkspace(source) {
      count += 1;
      directories.set(`/tmp/${count}`, new Map(source === undefined ? [] : tree(source)));
      return `/tmp/${count}`;
    },
    readTree: async (directory): Promise<FileTree> => new Map(tree(directory)),
    async remove(directory) {
      tree(directory);
      directories.delete(directory);
    },
    async keep(directory) {
      tree(directory);
    },
    recover: async () => {},
    async replace(directory, source) {
      directories.set(directory, new Map(tree(source)));
    },
  };
}
