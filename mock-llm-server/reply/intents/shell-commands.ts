import type { Intent } from '../../scenario/intent-format.ts';
import { trimEndOf } from '../../text.ts';

/** A pattern with braces for more than this many is taken as it is. */
const MAX_ALTERNATIVES = 100;

/**
 * The intent as a command line for a POSIX shell; texts may hold any characters. It needs `cat`, `mkdir`, `ls`, `find`
 * and `grep` at most. Pure.
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

/** One word for a POSIX shell, whatever characters it holds (but NUL, which no argument can). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function writeCommand(path: string, content: string): string {
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const prepare = parent === '' || parent === '.' ? '' : `mkdir -p -- ${quote(parent)} && `;
  // Without a line end at its end a here-document would add one; a NUL can stand in no document and no argument.
  if (content.includes('\0')) return `${prepare}printf ${quote(asFormat(content))} > ${quote(path)}`;
  if (!content.endsWith('\n') || BREAKS_HERE_DOCUMENT.test(content)) {
    return `${prepare}printf '%s' ${quote(content)} > ${quote(path)}`;
  }
  const end = delimiterFor(content);
  // The parentheses let whatever a client puts behind the command stand on a line of its own.
  return `(${prepare}cat > ${quote(path)} <<'${end}'\n${content}${end}\n)`;
}

/** dash spoils a line beyond ASCII that begins as the delimiter does. */
const BREAKS_HERE_DOCUMENT = /^E.*[^\0-\x7F]/m;

function asFormat(content: string): string {
  return content.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000');
}

function delimiterFor(content: string): string {
  const lines = new Set(content.split('\n'));
  let end = 'EOF';
  for (let number = 1; lines.has(end); number++) end = `EOF_${number}`;
  return end;
}

/**
 * The shell's own expansion does the work, so that no other program is needed and no character means anything. The
 * `x` keeps the line ends that a command substitution would drop.
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
  const places = globs.map((glob) => `-path ${quote(findPath((from === '' ? './' : from) + glob))}`);
  return `find ${quote(path ?? '.')} -type f '(' ${places.join(' -o ')} ')' -not -path '*/.git/*'`;
}

/** In `find -path` a star also stands for slashes, so the slash after two of them may be missing. */
function findPath(glob: string): string {
  return glob.replaceAll(/\*\*\/?/g, '*');
}

/** `a.{js,ts}` as `a.js` and `a.ts`; not every shell has braces, and `find` has none. */
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

/** The shell expands the pattern: its wildcards stay bare, all else is quoted. */
function quoteBesideGlob(pattern: string): string {
  const pieces = pattern.match(/\[[\w!^-]+\]|[*?]+|[^*?[]+|\[/g) ?? [];
  return pieces.map((piece) => (/^(?:\[.+\]|[*?]+)$/.test(piece) ? piece : quote(piece))).join('');
}
