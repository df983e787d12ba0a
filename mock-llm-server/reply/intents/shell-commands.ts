import type { Intent } from '../../scenario/format/intent-format.ts';
import { trimEndOf } from '../../text.ts';

/** Braces that stand for more alternatives than this stay as they are. */
const MAX_ALTERNATIVES = 100;

/** The intent as a command line for a POSIX shell. Its texts may contain any character but NUL. Pure. */
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

/** A text quoted as one word of a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function writeCommand(path: string, content: string): string {
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const prepare = parent === '' || parent === '.' ? '' : `mkdir -p -- ${quote(parent)} && `;
  return `${prepare}printf '%s' ${quote(content)} > ${quote(path)}`;
}

/** The shell replaces the text itself, as `sed` interprets it. The `x` keeps line feeds at the end of a substitution. */
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
  // A star of `find -path` also matches slashes, so that it stands for two stars and the slash behind them.
  const paths = globs.map((glob) => `${from === '' ? './' : from}${glob}`.replaceAll(/\*\*\/?/g, '*'));
  const tests = paths.map((one) => `-path ${quote(one)}`);
  return `find ${quote(path ?? '.')} -type f '(' ${tests.join(' -o ')} ')' -not -path '*/.git/*'`;
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
  const [braces = '', choices] = /\{([^{},]*,[^{}]*)\}/.exec(pattern) ?? [];
  const choose = (choice: string) => pattern.replace(braces, () => choice);
  return choices === undefined ? [pattern] : choices.split(',', MAX_ALTERNATIVES + 1).map(choose);
}

/** Quotes all of a pattern but its wildcards, which the shell expands. */
function quoteBesideGlob(pattern: string): string {
  const pieces = pattern.match(/\[[\w!^-]+\]|[*?]+|[^*?[]+|\[/g) ?? [];
  return pieces.map((piece) => (/^(?:\[.+\]|[*?]+)$/.test(piece) ? piece : quote(piece))).join('');
}
