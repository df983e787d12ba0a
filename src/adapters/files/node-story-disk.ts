import { cp, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StoryDisk } from '../../stories/play-story.ts';

/** The disk for stories, with workspaces in the system's temporary directory. */
export const nodeStoryDisk: StoryDisk = {
  async createWorkspace(source) {
    const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'ybs-story-')));
    if (source === undefined) return directory;
    try {
      await cp(source, directory, { recursive: true, verbatimSymlinks: true });
      return directory;
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  },
  async readTree(directory) {
    const tree = new Map<string, Uint8Array>();
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(directory, file).replaceAll(path.sep, '/');
      const link = entry.isSymbolicLink() ? Buffer.from(`link to ${await readlink(file)}`) : undefined;
      tree.set(name, link ?? (await readFile(file)));
    }
    return tree;
  },
  remove: (directory) => rm(directory, { recursive: true, force: true }),
};
