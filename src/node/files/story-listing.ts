import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { StoryListing } from '../../stories/play/story-prompts.ts';

/**
 * Reads a directory of stories before the first prompt, synchronously: for many small files, Node's threads would take
 * longer than the disk does.
 */
export const storyListing: Omit<StoryListing, 'parseYaml'> = {
  resolve: path.resolve,
  list: async (directory) => readdirSync(directory),
  readFile: async (file) => readFileSync(file, 'utf8'),
  async kindOf(file) {
    try {
      return statSync(file).isDirectory() ? 'directory' : 'file';
    } catch {
      return 'missing';
    }
  },
};
