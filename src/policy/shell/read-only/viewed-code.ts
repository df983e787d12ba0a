import { ownEntry } from '../../../text/json/own-entry.ts';
import type { ParsedCommandLine, SimpleCommand } from '../parse/parsed-command-line.ts';
import type { ShellWord } from '../parse/shell-word.ts';

/** Interpreters that run code in their words, and the options before it. The last letter of a bundle takes the code. */
export const CODE_OPTIONS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['python', 'python3', 'pypy', 'pypy3'].map((name) => [name, /^-[BEIOSsbquv]*c$/] as const)),
  ...Object.fromEntries(['node', 'bun', 'deno'].map((name) => [name, /^(?:-e|-p|-pe|--eval|--print|eval)$/] as const)),
  perl: /^-(?!.*i)[nplaw0-9F]*[eE]$/,
  ruby: /^-(?!.*i)[nplaw]*e$/,
  php: /^-r$/,
  lua: /^-e$/,
};

/** The modules that `python3 -m` runs without a question, because they only read. */
const READING_MODULES: ReadonlySet<string> = new Set([
  'json.tool',
  'pip',
  'site',
  'sysconfig',
  'platform',
  'calendar',
  'tokenize',
  'ast',
  'dis',
  'this',
  'pydoc',
  'tabnanny',
  ...['pyflakes', 'pycodestyle', 'flake8', 'pylint', 'timeit', 'zipfile', 'tarfile', 'base64', 'inspect', 'locale'],
]);

/** Text of code that writes, starts programs, uses a network, or hides what it does: people expect a question. */
const DOES_MORE =
  /(?:\b|_)(?:write\w*|put_contents|passthru|proc_open|dlopen|fiddle|ffi|cdll|append\w*|unlink\w*|remove\w*|rm\w*|rmtree|rmdir|mkdir\w*|mkdtemp|rename\w*|copy\w*|move|chmod|chown|symlink\w*|truncate|touch|joblib|save\w*|to_csv|to_json|to_excel|savefig|system|popen\w*|spawn\w*|exec\w*|fork|subprocess|child_process|pty|socket|net|dgram|tls|urllib\w*|requests|httpx?|https|aiohttp|fetch|curl|wget|connect\w*|listen|install|kill\w*|eval|compile|__import__|getattr|globals|importlib|ctypes|b64decode|base64|fromCharCode|fromhex|unhexlify|pickle|marshal|chr|pack|require\s*\(\s*[^'"\s])\b|\bopen(?:Sync)?\s*\([^)]{0,200},\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|\.open\s*\(\s*(?:mode\s*=\s*)?['"][rb]*[wax+][bt+]*['"]|\bopen\s*\(?\s*(?:my\s*)?[$A-Z]\w*\s*,\s*['"]\s*\+?[>|]|>\s*['"]|`|\|\s*['"]|\bqx\b|\bBun\.|\bDeno\./;

/** Calls that print or encode, and do nothing else. */
const PRINTS = /\b(?:sys|process)\.(?:stdout|stderr)\.write\b|(?<=\.toString\(\s?)['"]base64(?:url)?['"]/g;

/**
 * True for an interpreter whose code, in its words, in its here-document, or in a file of `/tmp` that the same line writes,
 * does not look like more than reading. The sandbox limits what the code can reach; its text only decides whether the user
 * expects a question. Pure.
 */
export function isReadingCode(program: string, { words, input }: SimpleCommand, line: ParsedCommandLine): boolean {
  const option = ownEntry(CODE_OPTIONS, program);
  if (option === undefined) return false;
  const rest = words.slice(1);
  const [first, second] = rest;
  if (program.startsWith('py') && first?.text === '-m')
    return second?.static === true && READING_MODULES.has(second.text);
  if (input !== undefined && (first === undefined || first.text === '-')) return readsAsCode(input);
  const file = rest.findIndex(({ text }) => !text.startsWith('-'));
  const copied = copiedTo(rest[file]?.text, line);
  if (copied.length > 0) return rest.slice(0, file).every(({ text }) => PLAIN.test(text)) && copied.every(readsAsCode);
  const at = rest.findIndex(({ text }) => option.test(text));
  const code = at < 0 ? undefined : rest[at + 1];
  const isPlain = rest.slice(0, Math.max(0, at)).every((word) => PLAIN.test(word.text) || splitsFields(word));
  return isPlain && code !== undefined && readsAsCode(code) && (takesRest(program) || !hasOptions(rest.slice(at + 2)));
}

/** The only text that a line writes to a file of `/tmp`, which no other command can have written. */
function copiedTo(file: string | undefined, { redirects, copies }: ParsedCommandLine): readonly ShellWord[] {
  if (file === undefined || !/^\/tmp\/[\w.-]+$/.test(file)) return [];
  const writes = redirects.filter(({ operator, target }) => operator !== '<' && target.text === file);
  const own = copies.filter(({ target }) => target.text === file);
  return writes.length === 1 ? own.map(({ text }) => text) : [];
}

/** Options that load no code but modules of Perl itself, and change no file. */
const PLAIN =
  /^-(?!.*(?:[irMm]|I.))[A-Za-z0-9]{1,3}$|^-0[\da-fx]+$|^-r(?:set|json|csv|date|time|digest)$|^--input-type=|^-M(?:JSON::PP|Data::Dumper|List::Util|Time::\w+|MIME::Base64|Encode|strict|warnings|utf8|feature)(?:=[\w,:]+)?$/;

/** True for the separator of fields of Perl and Ruby, which Perl reads as code. */
function splitsFields(word: ShellWord): boolean {
  return word.text.startsWith('-F') && readsAsCode(word);
}

/** Python leaves the words behind the code to it. Others read further options there, also of more code. */
function takesRest(program: string): boolean {
  return program.startsWith('py');
}

function hasOptions(words: readonly ShellWord[]): boolean {
  const texts = words.map(({ text }) => text);
  const end = texts.indexOf('--');
  return texts.slice(0, end < 0 ? undefined : end).some((text) => /^-./.test(text) && text !== '--version');
}

function readsAsCode({ static: isStatic, text }: ShellWord): boolean {
  return isStatic && !DOES_MORE.test(text.replace(PRINTS, 'print'));
}
