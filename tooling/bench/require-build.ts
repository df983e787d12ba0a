import { existsSync } from 'node:fs';
import path from 'node:path';

/** What a build of ybs needs, relative to its directory. */
const PARTS = ['ybs.js', '../package.json', '../scenarios'];

/** The absolute path of a build. Throws an error that names what it lacks. */
export function requireBuild(directory: string): string {
  const build = path.resolve(directory);
  const missing = PARTS.map((part) => path.join(build, part)).find((part) => !existsSync(part));
  if (missing === undefined) return build;
  throw new Error(`${missing} is missing. Give the dist directory of a clone in which npm run build has run.`);
}
