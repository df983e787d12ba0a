import { readdir, readFile, stat } from 'node:fs/promises';
import type { ScenarioFiles } from './load.ts';

/** The real file system, for `loadScenarios`. */
export const nodeScenarioFiles: ScenarioFiles = {
  async kindOf(path) {
    try {
      return (await stat(path)).isDirectory() ? 'directory' : 'file';
    } catch {
      return 'missing';
    }
  },
  list: (directory) => readdir(directory),
  readFile: (path) => readFile(path, 'utf8'),
};
