import { lineOf, readMarkdown } from '../../extensions/frontmatter.ts';

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
