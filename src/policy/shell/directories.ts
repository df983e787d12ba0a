import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { type CommandWords, type Piece, type ShellWord, wordOf } from './parse/shell-word.ts';

/** The directories that decide what a command line does. All are real paths. */
export interface Places {
  readonly workspace: string;
  /** The directory that the command line starts in. */
  readonly workingDirectory: string;
  /** Without it, nothing is known about `~`. */
  readonly home: string | undefined;
  readonly platform: PathPlatform;
  /** The links on the way to what the command removes: the absolute path of each, and the real path behind it. */
  readonly links?: ReadonlyMap<string, string> | undefined;
}

/** The directories that a command may run in, depending on the commands before it; `undefined` is an unknown one. */
export type Directories = ReadonlySet<string | undefined>;

/** Directories of the shell after a command that succeeded, and after one that failed. Empty if it does not go on. */
export interface Outcome {
  readonly succeeded: Directories;
  readonly failed: Directories;
}

/** Longer paths count as unknown, because systems reject them. */
export const MAX_PATH_LENGTH = 4096;
/** At most this many directories are tracked; the others count as unknown. */
export const MAX_DIRECTORIES = 8;
export const UNKNOWN: Directories = new Set([undefined]);
/** The directories of a shell that does not go on. */
export const NOWHERE: ReadonlySet<string> = new Set();
/** Directories that every shell can enter: the root, and those above the one that it is in. */
const CERTAIN = /^(?:\/|\.\.?(?:\/\.\.?)*\/?)$/;

/** Expansions to the number of a process, and one such number. */
const PROCESS_IDS: ReadonlySet<string> = new Set(['$$', '$PPID', '$BASHPID', '$!']);
const SOME_PROCESS = '1';

/** The directory that a command line starts in. */
export function startingDirectories(places: Places | undefined): Directories {
  return new Set([places?.workingDirectory]);
}

export function eitherOf(one: Directories, other: Directories): Directories {
  // The common case: nothing changes the directory.
  if (one === other && one.size <= MAX_DIRECTORIES) return one;
  const all = [...new Set([...one, ...other])];
  return new Set(all.length > MAX_DIRECTORIES ? [...all.slice(0, MAX_DIRECTORIES), undefined] : all);
}

/** The outcome of a command that stays in its directory. */
export function unchanged(directories: Directories): Outcome {
  return { succeeded: directories, failed: directories };
}

/** The outcome of `cd`, `pushd`, `popd` or `exit`, and of any other command. A `cd` that fails stays where it is. */
export function changeDirectory(words: CommandWords, from: Directories, places: Places | undefined): Outcome {
  const [name, ...operands] = words;
  if (name.text === 'exit') return unchanged(NOWHERE);
  if (!['cd', 'chdir', 'pushd', 'popd'].includes(name.text)) return unchanged(from);
  const [target] = operands.filter((word) => word.text === '-' || !word.start.startsWith('-'));
  const returns = name.text === 'popd' || target?.text === '-' || (name.text === 'pushd' && target === undefined);
  // The directory before is one that the line was in, most often the first.
  if (returns) return { succeeded: eitherOf(startingDirectories(places), UNKNOWN), failed: from };
  if (target === undefined) return { succeeded: new Set([places?.home]), failed: from };
  const isCertain = target.static && CERTAIN.test(target.text);
  return { succeeded: enterDirectory(target, from, places), failed: isCertain ? NOWHERE : from };
}

/** The directories that a word names, seen from each of the directories `from`. */
export function enterDirectory(target: ShellWord, from: Directories, places: Places | undefined): Directories {
  if (places === undefined) return UNKNOWN;
  const entered = [...from].map((directory) => {
    const word = absoluteWord(target, directory, places);
    const isKnown = word.static && word.text.length <= MAX_PATH_LENGTH;
    return isKnown ? normalPath(word.text, places.platform) : undefined;
  });
  return new Set(entered);
}

/** The word as an absolute path, as far as that is known: `~`, `$HOME` and `$PWD` are replaced. Not normalised. */
export function absoluteWord(word: ShellWord, directory: string | undefined, places: Places): ShellWord {
  const pieces = word.pieces.map((piece): Piece => {
    const text = knownValue(piece, directory, places);
    return text === undefined ? piece : { kind: 'literal', text };
  });
  const [first] = pieces;
  const isUnknown = first?.kind === 'expansion' || first?.kind === 'quoted-expansion';
  const written = first?.kind === 'literal' ? writtenPath(first.text, places.platform) : '';
  if (isUnknown || pathFlavour(places.platform).isAbsolute(written)) {
    return wordOf(first?.kind === 'literal' ? [{ kind: 'literal', text: written }, ...pieces.slice(1)] : pieces);
  }
  const base: Piece =
    directory === undefined ? { kind: 'quoted-expansion', text: '$PWD' } : { kind: 'literal', text: directory };
  return wordOf([base, { kind: 'literal', text: '/' }, ...pieces]);
}

/** A path without `.`, `..`, doubled separators and a final one. */
export function normalPath(text: string, platform: PathPlatform): string {
  const flavour = pathFlavour(platform);
  const normal = flavour.normalize(text);
  return normal.length > flavour.parse(normal).root.length && normal.endsWith(flavour.sep)
    ? normal.slice(0, -1)
    : normal;
}

function knownValue({ kind, text }: Piece, directory: string | undefined, places: Places): string | undefined {
  if (kind === 'literal' || kind === 'pattern') return undefined;
  if (text === '~' || text === '$HOME') return places.home;
  if (PROCESS_IDS.has(text)) return SOME_PROCESS;
  return ['~+', '$PWD', '$(pwd)', '`pwd`'].includes(text) ? directory : undefined;
}

/** On Windows, Git Bash writes the drive `C:` as `/c`. */
function writtenPath(text: string, platform: PathPlatform): string {
  return platform === 'windows' ? text.replace(/^\/([a-z])(?=\/|$)/i, '$1:/') : text;
}
