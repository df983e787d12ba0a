import { ToolError } from '../../agent/errors.ts';
import type { PathRules } from '../../policy/paths/path-policy.ts';
import type { LinePattern } from './text-search.ts';

type CompiledPattern = Pick<LinePattern, 'source' | 'flags'>;

const IGNORE_CASE = '(?i)';
const UNICODE_ESCAPE = /\\(?:p|u)\{/i;

/**
 * Normalises a glob for the matcher: relative, without a leading `./`, with `/` between names. Throws `ToolError`
 * `invalid_pattern` for an absolute glob or one with `..`. `field` is the name of the argument.
 */
export function checkGlob(glob: string, field: string, rules: Pick<PathRules, 'workspace' | 'platform'>): string {
  const slashed = (path: string): string => (rules.platform === 'windows' ? path.replaceAll('\\', '/') : path);
  const plain = slashed(glob).replace(/^(?:\.\/+)+/, '');
  if (plain.startsWith('/') || /^[a-z]:/i.test(plain)) {
    const workspace = `${slashed(rules.workspace)}/`;
    const inWorkspace = plain.startsWith(workspace);
    const relative = inWorkspace ? plain.slice(workspace.length) : plain.replace(/^(?:[a-z]:)?\/+/i, '');
    throw invalid(
      `${field} is matched against paths relative to \`path\`, so ${glob} can never match. ` +
        `Put the directory into \`path\` and use a relative ${field}${relative === '' ? '' : `, for example ${relative}`}.`,
    );
  }
  if (plain.split(/[/{},]/).includes('..')) {
    throw invalid(`${field} must not contain ".." (${glob}). Put the directory into \`path\`.`);
  }
  return plain;
}

/** A hint if nothing matches a glob such as `[id].ts`, which must be escaped to match literally. */
export function literalHint(glob: string): readonly string[] {
  if (glob.includes('\\') || !glob.includes('[')) return [];
  return [`To match literal brackets, escape them: ${glob.replaceAll(/[[\]]/g, '\\$&')}.`];
}

/** Makes a glob without `/` match at any depth. */
export function matchAnywhere(glob: string): string {
  return glob.includes('/') ? glob : `**/${glob}`;
}

/**
 * Compiles a regular expression, in Unicode mode if it is valid there. A leading `(?i)` ignores case. Throws
 * `ToolError` `invalid_pattern` that points to the first invalid character.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.includes('\n'))
    throw invalid('A pattern is matched line by line, so it must not contain a line break. Use one line.');
  const ignoresCase = pattern.startsWith(IGNORE_CASE);
  const source = ignoresCase ? pattern.slice(IGNORE_CASE.length) : pattern;
  const flags = ignoresCase ? 'i' : '';
  if (problemOf(source, `${flags}u`) === undefined) return { source, flags: `${flags}u` };
  // Without Unicode mode, `\p{` and `\u{` mean the letters p and u with a quantifier.
  const mode = UNICODE_ESCAPE.test(source) ? `${flags}u` : flags;
  const problem = problemOf(source, mode);
  if (problem === undefined) return { source, flags };
  const valid = longestValidPrefix(source, mode);
  const position = pattern.length - source.length + valid;
  throw invalid(
    [
      `The pattern is not a valid regular expression: ${problem}, at character ${position + 1}:`,
      pattern,
      `${' '.repeat(position)}^`,
      `To search for the literal text, escape it: ${escapePattern(source)}`,
    ].join('\n'),
  );
}

/** Escapes the special characters of regular expressions. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The engine's message about an invalid pattern, without the pattern itself; `undefined` for a valid one. */
function problemOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return String(error).split(`/${source}/${flags}: `).at(-1);
  }
}

function longestValidPrefix(source: string, flags: string): number {
  let length = source.length - 1;
  while (length > 0 && problemOf(source.slice(0, length), flags) !== undefined) length--;
  return length;
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_pattern', message);
}
