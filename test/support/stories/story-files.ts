import path from 'node:path';
import type { StoryFiles } from '../../../src/stories/load-story.ts';

/** Files of stories in memory: their texts by path. A directory exists if it contains a file. */
export function createStoryFiles(texts: Readonly<Record<string, string>>) {
  const known = new Map(Object.entries(texts).map(([name, text]) => [path.resolve(name), text]));
  const namesIn = (directory: string) =>
    [...known.keys()].flatMap((file) => {
      const relative = path.relative(directory, file);
      return relative === '' || relative.startsWith('..') ? [] : [relative.split(path.sep)[0] ?? ''];
    });
  const files: StoryFiles = {
    resolve: path.resolve,
    async kindOf(name) {
      if (known.has(path.resolve(name))) return 'file';
      return namesIn(name).length > 0 ? 'directory' : 'missing';
    },
    async readFile(name) {
      const text = known.get(path.resolve(name));
      if (text === undefined) throw new Error(`no such file: ${name}`);
      return text;
    },
  };
  return { ...files, list: async (directory: string) => [...new Set(namesIn(directory))] };
}
