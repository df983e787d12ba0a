import type { FileSystem } from '../../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { IgnoreRules } from '../../../tools/search/ignore-rules.ts';
import { lineOf, readMarkdown } from '../../extensions/frontmatter.ts';

/** The directory of the rules of Cursor, below the directory that they are for. */
export const CURSOR_RULES = '.cursor/rules';

/** The application of a rule: always, with files whose paths match, or when the model sees by its description that it fits. */
export type RuleUse =
  | { readonly type: 'always' }
  | { readonly type: 'files'; readonly globs: readonly string[] }
  | { readonly type: 'described'; readonly description: string }
  /** Only where the user names it. */
  | { readonly type: 'never' };

/** A rule: its text without the fields before it. */
export interface CursorRule {
  readonly use: RuleUse;
  readonly text: string;
}

/** Globs as Cursor writes them, without the quotes that a `*` needs in YAML. */
const PLAIN_GLOBS = /^globs:[ \t]*([^\s["'][^\n]*?)[ \t]*$/mu;

/** Reads a rule. Fields that cannot be read make it one that only the user names. */
export function readRule(source: string): CursorRule {
  try {
    const { fields, body } = readMarkdown(
      source.replace(PLAIN_GLOBS, (_line, globs) => `globs: ${JSON.stringify(globs)}`),
    );
    return { use: useOf(fields), text: body };
  } catch {
    return { use: { type: 'never' }, text: '' };
  }
}

function useOf({ alwaysApply, globs, description }: Readonly<Record<string, unknown>>): RuleUse {
  if (alwaysApply === true) return { type: 'always' };
  const written = Array.isArray(globs) ? globs : typeof globs === 'string' ? globs.split(',') : [];
  const patterns = written.flatMap((glob) => (typeof glob === 'string' && glob.trim() !== '' ? [glob.trim()] : []));
  if (patterns.length > 0) return { type: 'files', globs: patterns };
  const line = lineOf(description);
  return line === undefined ? { type: 'never' } : { type: 'described', description: line };
}

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
