import type { WorkspaceView } from '../../../agent/ports/shell.ts';
import { contains, type PathRules, pathFlavour } from '../../paths/path-policy.ts';
import type { Places } from '../directories.ts';
import { parseCommandLine } from '../parse/command-line.ts';
import type { ParsedCommandLine, RedirectTarget, SimpleCommand } from '../parse/parsed-command-line.ts';
import type { ShellWord } from '../parse/shell-word.ts';
import { isSelfDescription, programOf } from '../programs/system-program.ts';
import { withCommitNames } from './git/commit-names.ts';
import { unsafeBesideGit } from './git/viewed-beside-git.ts';
import { needsNoObjects, readingGit } from './git/viewed-git.ts';
import { isReadingCode } from './viewed-code.ts';
import { type NamedInView, namedInView } from './viewed-paths.ts';
import { operandsOf, scriptsIn } from './viewed-programs.ts';
import { VIEWED_PROGRAMS } from './viewed-rows.ts';

/**
 * A view of the workspace: of its files alone, with the index of its repositories, or with all that they have committed.
 * `paths` are those
 * that the command names, as absolute paths with links not resolved. `other`: the command may do more than a view allows.
 */
export type ViewUse =
  | {
      readonly type: 'view';
      readonly view: WorkspaceView;
      readonly paths: readonly string[];
      readonly git?: GitDoubts;
    }
  | Extract<NamedInView, { type: 'other' }>;

/** The conditions of the view: hashes of commits, by the directory in which git looks them up, and files that exist. */
export interface GitDoubts {
  readonly commits: readonly { readonly hash: string; readonly directory: string }[];
  readonly files: readonly string[];
}

/**
 * The view of the workspace in which a command may run without a question: read-only, without network, secrets and the
 * home directory. Each program in it, also in loops, behind pipes and in `xargs`, is known to be one that reads. What it
 * reads need not be known, because the operating system holds the limit: a wrong judgement makes the command fail. A
 * command that names a secret, or something that the view does not have, needs a question. Pure.
 */
export function viewOf(command: string, places: Places, rules: PathRules): ViewUse {
  if (places.platform === 'windows') return other('there is no view of the workspace on Windows');
  try {
    const use = judge(command, places, rules);
    const named = use.type === 'view' ? undefined : withCommitNames(command);
    const namedUse = named === undefined ? use : judge(named, places, rules);
    return namedUse.type === 'view' ? namedUse : use;
  } catch {
    return other('it takes too many steps to read');
  }
}

function judge(command: string, places: Places, rules: PathRules): ViewUse {
  const line = parseCommandLine(command, { places });
  const [uncertainty] = line.uncertainties;
  if (uncertainty !== undefined) return other(uncertainty);
  if (command.split('\n').every((row) => /^\s*(?:#|$)/.test(row))) return other('it contains no command');
  if (changesPrograms(line)) return other('it changes which programs run');
  if (/&\s*$/.test(command)) return other('it runs in the background');
  const writing = line.redirects.find((redirect) => !onlyReads(redirect, rules));
  if (writing !== undefined) return other(`it writes to ${writing.target.text}`);
  const unknown = line.commands.find((each) => !isReader(each, line));
  if (unknown !== undefined) return other(`${shown(unknown)} is not known to only read`);
  const named = namedInView(line, places, rules);
  if (named.type === 'other') return named;
  const view = viewOfGit(line.commands.filter(isGit));
  const unsafe = view === 'repository' ? unsafeBesideGit(command.replace(HARMLESS, ''), line) : undefined;
  if (unsafe === 'variables') return other('it changes what git does');
  if (unsafe !== undefined) return other(`${shown(unsafe)} could have git show any file`);
  const doubts = doubtsOf(line.commands.filter(isGit), places);
  if (doubts === undefined) return other('git runs in a directory that is not known');
  const isSure = doubts.commits.length === 0 && doubts.files.length === 0;
  return { type: 'view', view, paths: named.paths, ...(!isSure && { git: doubts }) };
}

/** The doubts about calls of git; `undefined` if a directory, and so the repository, is not known. */
function doubtsOf(calls: readonly SimpleCommand[], { platform }: Places): GitDoubts | undefined {
  const { resolve } = pathFlavour(platform);
  const commits: GitDoubts['commits'][number][] = [];
  const files: string[] = [];
  for (const { words, directories } of calls) {
    const use = readingGit(words.slice(1));
    if (use === undefined || (use.commits.length === 0 && use.files.length === 0)) continue;
    for (const from of directories) {
      if (from === undefined) return undefined;
      const directory = resolve(from, ...use.directories);
      commits.push(...use.commits.map((hash) => ({ hash, directory })));
      files.push(...use.files.map((file) => resolve(directory, file)));
    }
  }
  return { commits, files };
}

/** The view that calls of git need: without objects, nothing that git has committed can be shown. */
function viewOfGit(calls: readonly SimpleCommand[]): Extract<ViewUse, { type: 'view' }>['view'] {
  if (calls.length === 0) return 'files';
  return calls.every(({ words }) => needsNoObjects(words.slice(1))) ? 'index' : 'repository';
}

function other(reason: string): ViewUse {
  return { type: 'other', reason };
}

/** The program and its first word, for people. */
function shown({ words }: SimpleCommand): string {
  return words
    .slice(0, 2)
    .map(({ text }) => text)
    .join(' ');
}

/**
 * Variables by which another program runs than the one that is named, or by which it runs one: assigned, also an element,
 * or as the name in an operand. Those with the places of modules are not among them: the code is that of the project in
 * any case, and the view limits it.
 */
const CHANGES_PROGRAMS =
  /^(?:-[a-zA-Z]*a)?(?:PATH|LD_\w+|DYLD_\w+|BASH_\w+|ENV|PS\d|PROMPT_COMMAND|CDPATH|PYTHON(?!(?:UNBUFFERED|DONTWRITEBYTECODE|UTF8|PATH|HASHSEED|IOENCODING|NOUSERSITE)\b)\w+|NODE_(?!(?:ENV|PATH|NO_WARNINGS|DISABLE_COLORS)\b)\w+|PERL(?!5LIB\b)\w+|RUBY(?!LIB\b)\w+|LESS\w+|GIT_\w+|\w*PAGER|\w*EDITOR|SHELL|npm_config_\w+|OPENSSL_\w+)(?:\[.*\])?(?:\+?=|$)/s;

/** Assignments with which git asks nothing and shows its output as it is, and Python shows other warnings. */
const HARMLESS =
  /(?<![^\s;&|(])(?:(?:GIT_)?PAGER=(?:cat)?|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)=[01]|PYTHONWARNINGS=[a-z]+)(?!\S)/g;

/** Parts of the shell whose words are names of variables that they set, also in quotes. */
const ASSIGNS: ReadonlySet<string> = new Set([
  ...['export', 'declare', 'typeset', 'local', 'readonly', 'read', 'mapfile', 'readarray', 'getopts'],
]);

function changesPrograms({ assignments, commands }: ParsedCommandLine): boolean {
  const inEnv = commands.filter((command) => programOf(command) === 'env').flatMap(({ words }) => words);
  const given = inEnv.map(({ text }) => text).filter((text) => text.includes('='));
  return (
    [...assignments, ...given].some(isOfPrograms) ||
    commands.some(
      (command) =>
        ASSIGNS.has(programOf(command)) &&
        !printsVariables(command) &&
        !command.words.every((word) => isOfOtherName(word, command)),
    )
  );
}

/** True for `declare -p PATH`, which prints variables. */
function printsVariables(command: SimpleCommand): boolean {
  const [, option, ...names] = command.words;
  return (
    /^(?:declare|typeset)$/.test(programOf(command)) &&
    option?.static === true &&
    option.text === '-p' &&
    names.every((word) => word.static && /^\w+$/.test(word.text))
  );
}

function isOfPrograms(text: string): boolean {
  return CHANGES_PROGRAMS.test(text.replace(HARMLESS, ''));
}

/** True for a word whose name is known, and is that of a variable without effect on programs. */
function isOfOtherName({ text, start, splits, ...word }: ShellWord, { wrapped }: SimpleCommand): boolean {
  if (word.static || isOfPrograms(text)) return !isOfPrograms(text);
  // Behind another command, such as `command export`, the shell may make several words of a value.
  return /^\w+(?:\[\w+\])?\+?=/.test(start) && !(splits && wrapped);
}

function isGit(command: SimpleCommand): boolean {
  return programOf(command) === 'git';
}

/** A redirect that opens no file to write, except in `/tmp`. Descriptors above 2 belong to the program that started ybs. */
function onlyReads({ operator, target }: RedirectTarget, { allowedRoots }: PathRules): boolean {
  if (operator === '<') return true;
  if (!target.static) return false;
  if (/^[<>]&$/.test(operator)) return /^(?:[0-2]|-)$/.test(target.text);
  if (target.text === '/dev/null') return true;
  const isScratch = /^\/tmp\/[\w.-]+$/.test(target.text);
  return isScratch && !allowedRoots.some((root) => contains(root, target.text, 'posix'));
}

/** Actions of `find` that write. Those of `-ok` wait for an answer. */
const FIND_WRITES = /^-(?:delete|fls|fprint.*|ok|okdir)$/;

function isReader(command: SimpleCommand, line: ParsedCommandLine): boolean {
  const program = programOf(command);
  const words = command.words.slice(1);
  if (program !== '' && isSelfDescription(command)) return true;
  if (program === 'git') return readingGit(words) !== undefined;
  const texts = words.map(({ text }) => text);
  const only = texts.length === 1 ? texts[0] : undefined;
  if (program === 'find') return !texts.some((text) => FIND_WRITES.test(text));
  // The body of a function is judged as well.
  const isFunction = command.callsFunction && !line.commands.some((each) => programOf(each) === 'unset');
  return isFunction || isListed(program, texts, only) || isReadingCode(program, command, line);
}

function isListed(program: string, texts: readonly string[], only: string | undefined): boolean {
  const row = VIEWED_PROGRAMS.get(program);
  if (row === undefined) return false;
  const { starts, opening, alone, most, needs, refuses, script } = row;
  if (opening !== undefined && !opening.test(texts[0] ?? '')) return false;
  if (alone !== undefined && (only === undefined || !alone.test(only))) return false;
  if (most !== undefined && operandsOf(texts, /^-(?:[lscgofwn]|len|cols|seek|groupsize)$/).length > most) return false;
  if (script !== undefined && scriptsIn(texts).some((text) => script.test(text))) return false;
  const line = texts.join(' ');
  if (starts !== undefined && !starts.some((start) => begins(line, start))) return false;
  if (needs !== undefined && !texts.some((text) => needs.test(text))) return false;
  const operand = row.leading === true ? texts.findIndex((text) => !text.startsWith('-')) : -1;
  const judged = operand < 0 ? texts : texts.slice(0, operand);
  return refuses === undefined || !judged.some((text) => refuses.test(text));
}

/** True for a line with these words first, or with these words alone, if `start` ends in `$`. */
function begins(line: string, start: string): boolean {
  return start.endsWith('$') ? line === start.slice(0, -1) : line === start || line.startsWith(`${start} `);
}
