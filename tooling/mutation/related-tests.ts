import path from 'node:path';
import { importsOf } from '../../test/support/house/imports-of.ts';

/**
 * The unit tests that import a source, directly or through other files, nearest first. `files` contains the text of all
 * files of the project, by path relative to it. A test in the folder of the source is nearer than any other.
 */
export function relatedTests(file: string, files: ReadonlyMap<string, string>): readonly string[] {
  const importers = importersOf(files);
  const distances = new Map([[file, 0]]);
  // The map grows during the iteration, so that it is searched breadth first.
  for (const [current, distance] of distances) {
    for (const importer of importers.get(current) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  const room = file.split('/').slice(0, 2).join('/').replace(/^src/, 'test/unit');
  const rank = (test: string) => (test.startsWith(`${room}/`) ? 0 : 100) + (distances.get(test) ?? 0);
  return [...distances.keys()]
    .filter((name) => /^test\/unit\/.*\.test\.ts$/.test(name))
    .sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}

const cache = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, readonly string[]>>();

function importersOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const known = cache.get(files);
  if (known !== undefined) return known;
  const importers = new Map<string, string[]>();
  for (const [file, source] of files) {
    for (const name of importsOf(source)) {
      if (name === undefined || !name.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(file), name);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  cache.set(files, importers);
  return importers;
}
