import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');

/** The TypeScript files in directories of the project: text by path relative to the project, with `/`. */
export function projectFiles(...directories: readonly string[]): ReadonlyMap<string, string> {
  const files = directories.flatMap((directory) => globSync(`${directory}/**/*.ts`, { cwd: root }));
  return new Map(
    files
      .map((file) => file.replaceAll('\\', '/'))
      .sort()
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
}
