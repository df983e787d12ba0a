import { ownEntry } from '../../../text/json/own-entry.ts';
import { pathFlavour } from '../../paths/path-policy.ts';
import { absoluteWord, type Directories, enterDirectory, normalPath, type Places } from '../directories.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { programName, type ShellWord, staticWord } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import { splitArguments } from '../programs/command-flags.ts';
import { copiedFiles } from '../programs/copied-files.ts';
import { readFindCommand } from '../programs/find-command.ts';
import { readGitCommand, readPathspec, unquotePattern } from '../programs/git-command.ts';
import { type OptionGrammar, parseMixedOptions } from '../programs/options.ts';
import { behindGlob, firstGlob, linkSources, linksOf, resolveLinks } from './links.ts';
import { ProtectedMatcher } from './match-protected.ts';
import { protectedDirectories } from './protected-directories.ts';

/** A protected directory that a command removes, or `maybe` removes. */
export interface ForbiddenRemoval {
  readonly match: 'yes' | 'maybe';
  /** Description of the directory, such as `the workspace`. */
  readonly directory: string;
}

/** Paths that a command removes with everything in them, relative to each of the directories `from`. */
interface Removal {
  readonly targets: readonly ShellWord[];
  readonly from: Directories;
  /** True if only a computed word can make it recursive. */
  readonly isUnsure?: boolean;
  /** True if a computed word among the targets is most likely something else. */
  readonly isCertain?: true;
  /** True if a link among the targets counts as the directory behind it. */
  readonly followsLinks?: boolean;
  /** True if everything in the workspace may be a target, because it is kept elsewhere. */
  readonly keepsContents?: true;
}

/**
 * Programs that remove or overwrite everything that their operands name. `with -r`: only with this flag. `patterns`:
 * they expand patterns themselves, so that quotes around one make no difference.
 */
export const REMOVERS: Readonly<Record<string, 'always' | 'with -r' | 'patterns'>> = {
  rm: 'with -r',
  srm: 'with -r',
  shred: 'always',
  rimraf: 'patterns',
  'del-cli': 'patterns',
};

/** The options of `git clean` and `git rm`. */
const GIT_OPTIONS: OptionGrammar = {
  short: 'dfinqrxXe:',
  long: 'dry-run force interactive quiet exclude= cached ignore-unmatch sparse pathspec-from-file=',
};

/** The options of `rsync` that take a value, and the short ones that do not. The other long ones take none. */
const RSYNC_OPTIONS: OptionGrammar = {
  short: 'vqcaIrRbudlLkKHpEAXogDtUNOJSnWxmzyChFsiP046e:f:B:M:T:@:',
  long: 'dry-run exclude= exclude-from= include= include-from= filter= files-from= rsh= rsync-path= suffix= backup-dir= temp-dir= partial-dir= log-file= chmod= chown= link-dest= compare-dest= copy-dest= max-size= min-size= max-delete= bwlimit= timeout= port= info= out-format= password-file= usermap= groupmap=',
};

const HERE = staticWord('.');

/**
 * Finds a command that removes the workspace, the home directory, a directory that contains one of them, or a directory
 * of the system, or everything in it. `maybe` if that depends on a computed word. Pure.
 */
export function findForbiddenRemoval(
  commands: readonly SimpleCommand[],
  places: Places,
  budget: StepBudget,
): ForbiddenRemoval | undefined {
  const linked = linksOf(commands, places, budget);
  const removals = commands.flatMap((command) => removalsOf(command, places));
  // Most commands remove nothing.
  if (removals.length === 0) return undefined;
  const matcher = new ProtectedMatcher(protectedDirectories(places), places.platform, budget);
  let unsure: ForbiddenRemoval | undefined;
  for (const removal of removals) {
    for (const { word, from } of wordsOf(removal, places)) {
      const real = resolveLinks(word, from, linked, removal.followsLinks === true);
      const candidates = [word, real, ...behindGlob(real, linked)].filter(
        (each) => removal.keepsContents !== true || !isBelow(each, places),
      );
      const [found] = candidates.map((each) => matcher.match(each)).filter((match) => match !== undefined);
      if (found?.match === 'yes' && removal.isUnsure !== true) return found;
      if (found !== undefined && removal.isCertain !== true) unsure ??= { ...found, match: 'maybe' };
    }
  }
  return unsure;
}

/**
 * The absolute paths that a command line removes, as far as they are known. One that ends with `/` counts with the last
 * name followed if it is a link.
 */
export function removedPaths(commands: readonly SimpleCommand[], places: Places): readonly string[] {
  const removals = commands.flatMap((command) => removalsOf(command, places));
  const removed = removals.flatMap((removal) =>
    wordsOf(removal, places).map(({ word }) => (removal.followsLinks === true ? `${word.start}/` : word.start)),
  );
  const sources = removals.length === 0 ? [] : linkSources(commands, places).map((source) => `${source}/`);
  return [...removed, ...sources].filter((path) => pathFlavour(places.platform).isAbsolute(path));
}

/** The directories in which a pattern on the way to what a command line removes may match a link, with the pattern. */
export function removedGlobs(
  commands: readonly SimpleCommand[],
  places: Places,
): readonly { readonly directory: string; readonly glob: string }[] {
  const words = commands.flatMap((command) => removalsOf(command, places).flatMap((each) => wordsOf(each, places)));
  return words.flatMap(({ word }) => firstGlob(word) ?? []);
}

/** The targets of a removal as absolute words. */
function wordsOf(
  { targets, from }: Removal,
  places: Places,
): readonly { readonly word: ShellWord; readonly from: string | undefined }[] {
  return targets.flatMap((target) =>
    [...from].map((directory) => {
      const word = absoluteWord(target, directory, places);
      return { word, from: directory };
    }),
  );
}

/** True for a pattern in the workspace. */
function isBelow(word: ShellWord, { workspace, platform }: Places): boolean {
  const place = normalPath(word.start, platform);
  return word.pattern && (place === workspace || place.startsWith(`${workspace}${pathFlavour(platform).sep}`));
}

function removalsOf(command: SimpleCommand, places: Places): readonly Removal[] {
  const [name, ...words] = command.words;
  const program = programName(name) ?? '';
  const from = command.directories;
  switch (program) {
    case 'find':
      return [
        { targets: targetsOfFind(words), from, followsLinks: words.some(({ text }) => /^-[EXdsx]*[HL]/.test(text)) },
      ];
    case 'git':
      return removalsOfGit(command, words, places);
    case 'mv':
      return [{ targets: copiedFiles('mv', words).sources, from, isCertain: true, keepsContents: true }];
    case 'rsync':
      return [{ targets: targetsOfRsync(words), from, followsLinks: true }];
    default: {
      const when = ownEntry(REMOVERS, program);
      if (when === undefined) return [];
      const { flags, operands, hiddenFlags } = splitArguments(program, words);
      const isSure = when !== 'with -r' || flags.has('r');
      const targets = operands.filter(isNotEmpty).map((word) => (when === 'patterns' ? unquotePattern(word) : word));
      return isSure || hiddenFlags ? [{ targets, from, isUnsure: !isSure }] : [];
    }
  }
}

/** `find … -delete` and `find … -exec rm` remove everything if no test selects files. */
function targetsOfFind(words: readonly ShellWord[]): readonly ShellWord[] {
  const { starts, actions } = readFindCommand(words);
  const removesAll = actions.some((action) => {
    const [first] = action.type === 'run' ? action.words : [];
    const program = first && programName(first);
    const removes = action.type === 'delete' || (program !== undefined && Object.hasOwn(REMOVERS, program));
    return action.everything && removes;
  });
  if (!removesAll) return [];
  return starts.length === 0 ? [HERE] : starts;
}

/** `git clean -x` removes ignored files, such as those with keys; `git rm -r` removes tracked ones. */
function removalsOfGit(command: SimpleCommand, words: readonly ShellWord[], places: Places): readonly Removal[] {
  const { directories, subcommand, rest } = readGitCommand(words);
  const enter = (reached: Directories, directory: ShellWord): Directories => enterDirectory(directory, reached, places);
  const from = directories.reduce(enter, command.directories);
  const { names, operands } = parseMixedOptions(rest, GIT_OPTIONS);
  if (names.has('n') || names.has('dry-run') || names.has('cached')) return [];
  const pathspecs = operands.map(readPathspec).filter((pathspec) => pathspec.type !== 'exclude');
  const targets: Removal[] = pathspecs.map(({ type, word }) => ({
    targets: [word],
    // The root of the repository is nearly always the workspace.
    from: type === 'from_root' ? new Set([places.workspace]) : from,
  }));
  if (subcommand?.text === 'rm' && names.has('r')) return targets;
  if (subcommand?.text !== 'clean' || !names.has('x')) return [];
  return targets.length === 0 ? [{ targets: [HERE], from }] : targets;
}

/** `rsync --delete` removes everything in the last operand that the source does not have. */
function targetsOfRsync(words: readonly ShellWord[]): readonly ShellWord[] {
  const { names, operands } = parseMixedOptions(words, RSYNC_OPTIONS);
  const deletes = [...names].some((name) => /^del(?!ay)/.test(name));
  if (!deletes || names.has('n') || names.has('dry-run')) return [];
  // A name with a colon is on another machine.
  return operands.slice(-1).filter((operand) => !/^[^/]*:/.test(operand.start));
}

/** An empty name removes nothing. */
function isNotEmpty(word: ShellWord): boolean {
  return word.text !== '';
}
