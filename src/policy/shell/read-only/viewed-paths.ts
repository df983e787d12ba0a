import { contains, holdsSecrets, type PathRules } from '../../paths/path-policy.ts';
import { expandPath } from '../../paths/written-path.ts';
import type { Places } from '../directories.ts';
import type { ParsedCommandLine, SimpleCommand } from '../parse/parsed-command-line.ts';
import type { ShellWord } from '../parse/shell-word.ts';
import { programOf } from '../programs/system-program.ts';
import { pathsInRevision } from './program-words.ts';
import { CODE_OPTIONS } from './viewed-code.ts';
import { VIEWED_PROGRAMS } from './viewed-rows.ts';

/** The paths that a command names, or the reason why one of them needs a question. */
export type NamedInView =
  | { readonly type: 'paths'; readonly paths: readonly string[] }
  | { readonly type: 'other'; readonly reason: string; readonly namesSecret?: true };

/** Directories that the view has besides the workspace: programs, and facts about the machine. */
const IN_VIEW =
  /^\/(?:(?:usr|bin|sbin|lib\d*|sys|tmp)(?:\/|$)|proc\/(?:[a-z]+|sys\/.*)$|dev\/(?:null|stdin|stdout|stderr|zero|urandom|fd\/[0-2])$|etc\/(?:os-release|\*-release|\*release|lsb-release|issue|debian_version|alpine-release|redhat-release|timezone|shells|hostname|localtime|services|protocols|mime\.types)$)/;

/** A path into the directories of git with the content of committed files, from which every program could read it. */
export const GIT_CONTENT = /(?:^|\/)\.git\/(?:.*\/)?(?:objects|lfs|rr-cache|rebase-apply|rebase-merge|annex)(?:\/|$)/i;

/** A word that is clearly a path to something else: `/etc/passwd`, `~/x`, `../x`. */
const CLEAR_PATH =
  /^(?:\.\.(?:\/|$)|.*\/\.\.(?:\/|$)|\/(?:etc|home|root|var|opt|srv|mnt|media|Users|Volumes|private|run|boot|dev|proc|data|work|workspace|workspaces)(?:\/|$)|\/$)/;

/** True for a path of the system that a command in the view may read, and a user expects it to. */
export function isInView(path: string, { allowedRoots }: PathRules): boolean {
  return IN_VIEW.test(path) || allowedRoots.some((root) => contains(root, path, 'posix'));
}

/**
 * The paths that a command names, as its text shows them, with links not resolved. A name of a secret, and that of
 * something outside the view, needs a question, because the command would fail. Pure.
 */
export function namedInView({ commands, redirects }: ParsedCommandLine, places: Places, rules: PathRules): NamedInView {
  const paths = new Set<string>();
  const uses = [
    ...commands.flatMap((command) => {
      const isRevision = programOf(command) === 'git' && !command.words.some(({ text }) => text === '--no-index');
      return namingWords(command).map((word) => ({ word, isRevision, directories: command.directories }));
    }),
    ...redirects
      .filter(({ operator }) => operator === '<')
      .map(({ target, directories }) => ({ word: target, isRevision: false, directories })),
  ];
  for (const { word, isRevision, directories } of uses) {
    if (word.text.startsWith('~')) return outside(word.text);
    if (!word.static && !word.pattern) continue;
    for (const name of namesIn(word, isRevision)) {
      for (const directory of directories) {
        const path = expandPath(name, { ...rules, workspace: directory ?? places.workspace });
        if (holdsSecrets(path, rules))
          return { ...other(`it names ${name}, which may hold secrets`), namesSecret: true };
        if (GIT_CONTENT.test(path)) return other(`it names ${name}, which is what git has committed`);
        if (CLEAR_PATH.test(name) && !isInView(path, rules)) return outside(name);
        // Those of this process are not those of the command.
        if (word.static && !isRevision && !STANDARD_STREAM.test(path)) paths.add(path);
      }
    }
  }
  return { type: 'paths', paths: [...paths] };
}

const STANDARD_STREAM = /^\/dev\/(?:std(?:in|out|err)|fd\/[0-2])$/;

function other(reason: string): Extract<NamedInView, { type: 'other' }> {
  return { type: 'other', reason };
}

function outside(name: string): NamedInView {
  return other(`it names ${name}, which is outside the workspace`);
}

/** The names of files that a word may contain: the value of an option, and what follows the colons of a revision. */
function namesIn({ text }: ShellWord, isRevision: boolean): readonly string[] {
  if (text.startsWith('-') && !text.includes('=') && !text.includes(':')) return [];
  const written = text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text;
  return isRevision ? pathsInRevision(written.replace(/^:(?:\([^)]*\)|[!^/]+)/, '')) : [written];
}

/** Programs of which `-e` and `-f` give the pattern, so that the first operand is a file. */
const TAKES_PATTERN: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'sed']);

/** The words of a command that may name files. */
function namingWords(command: SimpleCommand): readonly ShellWord[] {
  const program = programOf(command);
  const words = command.words.slice(1);
  const kind = VIEWED_PROGRAMS.get(program)?.text;
  if (kind === 'all' || Object.hasOwn(CODE_OPTIONS, program)) return [];
  if (kind !== 'first') return words;
  const texts = words.map(({ text }) => text);
  const isGiven = (text: string): boolean =>
    text === '--files' ||
    (TAKES_PATTERN.has(program) && (/^--(?:reg|fil|exp)/.test(text) || /^-[a-zA-Z]*[ef]/.test(text)));
  const end = texts.indexOf('--');
  const first = texts.some(isGiven) ? -1 : end < 0 ? texts.findIndex((text) => !text.startsWith('-')) : end + 1;
  // The pattern behind `-e`
  const isPattern = (index: number): boolean =>
    TAKES_PATTERN.has(program) && /^-[a-zA-Z]*e$/.test(texts[index - 1] ?? '');
  return words.filter((_, index) => index !== first && !isPattern(index));
}
