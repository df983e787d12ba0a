import type { Intent } from '../../scenario/intent-format.ts';
import { trimEndOf } from '../../text.ts';

/** Braces that stand for more alternatives than this stay as they are. */
const MAX_ALTERNATIVES = 100;

/**
 * The intent as a command line for a POSIX shell with `cat`, `mkdir`, `ls`, `find` and `grep`. Texts may contain any
 * character. Pure.
 */
export function shellCommandFor(intent: Intent): string {
  switch (intent.intent) {
    case 'shell':
      return intent.command;
    case 'write_file':
      return writeCommand(intent.path, intent.content);
    case 'read_file':
      return `cat -- ${quote(intent.path)}`;
    case 'edit_file':
      return editCommand(intent.path, intent.old_text, intent.new_text);
    case 'list_files':
      return listCommand(intent.pattern, intent.path);
    case 'search_files':
      return `grep -rnE -e ${quote(intent.pattern)} -- ${quote(intent.path ?? '.')}`;
    default:
      return intent satisfies never;
  }
}

/** A text quoted as one word of a POSIX shell. It may contain any character but NUL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function writeCommand(path: string, content: string): string {
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const prepare = parent === '' || parent === '.' ? '' : `mkdir -p -- ${quote(parent)} && `;
  // An argument cannot contain a NUL.
  const words = content.includes('\0') ? quote(asFormat(content)) : `'%s' ${quote(content)}`;
  return `${prepare}printf ${words} > ${quote(path)}`;
}

function asFormat(content: string): string {
  return content.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000');
}

/**
 * The shell replaces the text itself, because `sed` and others interpret characters in it. The `x` protects the line
 * feeds at the end, which a command substitution removes.
 */
function editCommand(path: string, oldText: string, newText: string): string {
  return [
    `(file=${quote(path)} old=${quote(oldText)} new=${quote(newText)}`,
    `text=$(cat -- "$file" && printf x) && text=\${text%x} && case $text in`,
    `  *"$old"*"$old"*) echo "the text is in $file more than once" >&2; false ;;`,
    `  *"$old"*) printf '%s' "\${text%%"$old"*}$new\${text#*"$old"}" > "$file" ;;`,
    `  *) echo "the text is not in $file" >&2; false ;;`,
    'esac)',
  ].join('\n');
}

function listCommand(pattern: string | undefined, path: string | undefined): string {
  if (pattern === undefined) return `ls -1A -- ${quote(path ?? '.')}`;
  const from = path === undefined || path === '.' ? '' : `${trimEndOf(path, '/')}/`;
  const globs = alternatives(pattern);
  if (!pattern.includes('**')) return `ls -1d -- ${globs.map((glob) => quoteBesideGlob(from + glob)).join(' ')}`;
  const tests = globs.map((glob) => `-path ${quote(findPath((from === '' ? './' : from) + glob))}`);
  return `find ${quote(path ?? '.')} -type f '(' ${tests.join(' -o ')} ')' -not -path '*/.git/*'`;
}

/** A star of `find -path` also matches slashes, so that it stands for two stars and the slash behind them. */
function findPath(glob: string): string {
  return glob.replaceAll(/\*\*\/?/g, '*');
}

/** Globs without braces: `a.{js,ts}` becomes `a.js` and `a.ts`. POSIX shells and `find` do not expand braces. */
function alternatives(pattern: string): string[] {
  let globs = [pattern];
  while (true) {
    const more = globs.flatMap(expandFirstBraces);
    if (more.length === globs.length || more.length > MAX_ALTERNATIVES) return globs;
    globs = more;
  }
}

function expandFirstBraces(pattern: string): string[] {
  for (const { 0: braces, 1: inside = '', index } of pattern.matchAll(/\{([^{}]*)\}/g)) {
    const choices = inside.split(',', MAX_ALTERNATIVES + 1);
    if (choices.length < 2) continue;
    return choices.map((choice) => pattern.slice(0, index) + choice + pattern.slice(index + braces.length));
  }
  return [pattern];
}

/** Quotes all of a pattern but its wildcards, which the shell expands. */
function quoteBesideGlob(pattern: string): string {
  const pieces = pattern.match(/\[[\w!^-]+\]|[*?]+|[^*?[]+|\[/g) ?? [];
  return pieces.map((piece) => (/^(?:\[.+\]|[*?]+)$/.test(piece) ? piece : quote(piece))).join('');
}
