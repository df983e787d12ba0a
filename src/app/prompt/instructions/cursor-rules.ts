import type { FileSystem } from '../../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { IgnoreRules } from '../../../tools/search/ignore-rules.ts';

/** The directory of the rules of Cursor, below the directory that they are for. */
export const CURSOR_RULES = '.cursor/rules';

/** True if one of the globs matches the path, which is relative to the directory of the rules, with `/`. */
export function matchesGlobs(path: string, globs: readonly string[]): boolean {
  return IgnoreRules.none({ ignoreCase: false }).extend('', globs.join('\n')).isIgnored(path, 'other');
}

/** At most this many files of rules, and levels of directories. */
const MAX_RULES = 100;
const MAX_DEPTH = 4;

/** The paths of the rules of a directory, sorted. Never throws. */
export async function listRules(
  directory: string,
  platform: PathPlatform,
  fileSystem: Pick<FileSystem, 'list'>,
): Promise<readonly string[]> {
  const { join } = pathFlavour(platform);
  const found: string[] = [];
  let level = [join(directory, ...CURSOR_RULES.split('/'))];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const each of level) {
      const entries = await fileSystem.list(each, MAX_RULES).catch(() => []);
      for (const { name, kind } of entries) {
        if (kind === 'directory') next.push(join(each, name));
        else if (name.endsWith('.mdc')) found.push(join(each, name));
      }
    }
    level = next;
  }
  return found.toSorted().slice(0, MAX_RULES);
}
