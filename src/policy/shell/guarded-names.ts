import { classOfPath, holdsSecrets, type PathRules } from '../paths/path-policy.ts';
import { absoluteWord, type Directories, normalPath, type Places } from './directories.ts';
import { tryParseCommandLine } from './parse/command-line.ts';
import { programName, type ShellWord, wordOf } from './parse/shell-word.ts';

/** Programs that write to the files in their words, or change what they are. */
const WRITERS: ReadonlySet<string> = new Set([
  ...['tee', 'cp', 'mv', 'install', 'ln', 'touch', 'mkdir', 'mkfifo', 'mknod', 'dd', 'rsync', 'truncate', 'sponge'],
  ...['chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'sed', 'perl', 'ruby', 'awk', 'gawk', 'sort', 'split', 'csplit'],
  ...['tar', 'unzip', 'zip', 'gzip', 'gunzip', 'bunzip2', 'unxz', 'patch', 'ed', 'ex', 'vi', 'vim', 'nano', 'emacs'],
  ...['curl', 'wget', 'dos2unix', 'unix2dos', 'rename', 'yq', 'prettier', 'shuf', 'uniq', 'xxd'],
]);

/** Writers that only read without an option to edit in place. */
const EDITS_IN_PLACE: ReadonlySet<string> = new Set(['sed', 'perl', 'ruby', 'awk', 'gawk']);

/**
 * True for a command that names a file with secrets, or writes to one that other programs run or follow: in a word, in
 * the value of an option, behind a colon or with a redirect. What a program computes is not known; the sandbox limits
 * it. Pure.
 */
export function namesGuarded(command: string, places: Places, rules: PathRules): boolean {
  const isNamed = (word: ShellWord, directories: Directories, isFound: (path: string) => boolean): boolean =>
    namesIn(word).some((name) =>
      [...directories].some((directory) => {
        const { text, static: isStatic } = absoluteWord(name, directory ?? places.workspace, places);
        return isStatic && isFound(normalPath(text, places.platform));
      }),
    );
  const isSecret = (path: string): boolean => holdsSecrets(path, rules);
  const isGuarded = (path: string): boolean => isSecret(path) || classOfPath(path, rules) === 'executable';
  const line = tryParseCommandLine(command, { places });
  if (line === undefined) return true;
  return (
    line.redirects.some(({ operator, target, directories }) =>
      isNamed(target, directories, operator === '<' ? isSecret : isGuarded),
    ) ||
    line.commands.some(({ words: [name, ...rest], directories }) => {
      const program = programName(name);
      const writes =
        program !== undefined &&
        WRITERS.has(program) &&
        (!EDITS_IN_PLACE.has(program) || rest.some(({ text }) => /^(?:-[a-zA-Z0-9]*i|--in-p)/.test(text)));
      const isFound = writes ? isGuarded : isSecret;
      return rest.some((word) => isNamed(word, directories, isFound));
    })
  );
}

/** The names of files that a word may contain. A pattern counts as written. */
function namesIn({ text, static: isStatic, pattern }: ShellWord): readonly ShellWord[] {
  if (!isStatic && !pattern) return [];
  const values = [text, text.slice(text.indexOf('=') + 1), ...text.split(':').slice(1)];
  return [...new Set(values)]
    .filter((value) => value !== '')
    .map((value) => wordOf([{ kind: 'literal', text: value }]));
}
