import { type PathPlatform, pathFlavour } from '../paths/path-policy.ts';
import { type CommandWords, type Piece, type ShellWord, wordOf } from './shell-word.ts';

/** The directories that decide what a command line does. All are real paths. */
export interface Places {
  readonly workspace: string;
  /** The directory that the command line starts in. */
  readonly workingDirectory: string;
  /** Without it, nothing is known about `~`. */
  readonly home: string | undefined;
  readonly platform: PathPlatform;
}

/** The directories that a command may run in, depending on the commands before it; `undefined` is an unknown one. */
export type Directories = ReadonlySet<string | undefined>;

/** A longer path is treated as unknown, as systems refuse it. */
const MAX_PATH_LENGTH = 4096;
/** More directories than these are too many to tell apart. */
const MAX_DIRECTORIES = 8;
const UNKNOWN: Directories = new Set([undefined]);

/** The directory that a command line starts in. */
export function startingDirectories(places: Places | undefined): Directories {
  return new Set([places?.workingDirectory]);
}

/** The directories of either set. */
export function eitherOf(one: Directories, other: Directories): Directories {
  const all = new Set([...one, ...other]);
  return all.size > MAX_DIRECTORIES ? UNKNOWN : all;
}

/** The directories after `cd`, `pushd` or `popd`, which is assumed to succeed; `from` after any other command. */
export function changeDirectory(words: CommandWords, from: Directories, places: Places | undefined): Directories {
  const [name, ...operands] = words;
  if (name.text === 'popd') return UNKNOWN;
  if (!['cd', 'pushd', 'chdir'].includes(name.text)) return from;
  const [target] = operands.filter((word) => word.text === '-' || !word.start.startsWith('-'));
  if (target === undefined) return name.text === 'cd' ? new Set([places?.home]) : UNKNOWN;
  return target.text === '-' ? UNKNOWN : enterDirectory(target, from, places);
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
  return ['~+', '$PWD', '$(pwd)', '`pwd`'].includes(text) ? directory : undefined;
}

/** On Windows, Git Bash writes the drive `C:` as `/c`. */
function writtenPath(text: string, platform: PathPlatform): string {
  return platform === 'windows' ? text.replace(/^\/([a-z])(?=\/|$)/i, '$1:/') : text;
}
