import { cp, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StoryFiles } from '../../stories/load-story.ts';
import type { StoryDisk } from '../../stories/play-story.ts';
import type { CommandPorts } from '../../stories/play-with-command.ts';
import type { StoryListing } from '../../stories/story-prompts.ts';

/** File access for stories. Workspaces are created in the system's temporary directory. */
export const nodeStoryDisk: StoryDisk & StoryFiles & CommandPorts['disk'] & Omit<StoryListing, 'parseYaml'> = {
  resolve: path.resolve,
  list: (directory) => readdir(directory),
  readFile: (file) => readFile(file, 'utf8'),
  async writeFile(file, content) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  },
  async kindOf(file) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) return 'missing';
    return found.isDirectory() ? 'directory' : 'file';
  },
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
