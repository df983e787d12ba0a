import type { SimpleCommand } from '../command-line.ts';
import { absoluteWord, type Directories, enterDirectory, type Places } from '../directories.ts';
import { matchProtected, protectedDirectories } from '../protected-directories.ts';
import { programName, type ShellWord, staticWord } from '../shell-word.ts';
import type { StepBudget } from '../step-budget.ts';
import { splitArguments } from './command-flags.ts';
import { readFindCommand } from './find-command.ts';
import { readGitCommand } from './git-command.ts';

/** A protected directory that a command removes, or `maybe` removes. */
export interface ForbiddenRemoval {
  readonly match: 'yes' | 'maybe';
  /** The directory in words, such as `the workspace`. */
  readonly directory: string;
}

/** Paths that a command removes with everything in them, relative to each of the directories `from`. */
interface Removal {
  readonly targets: readonly ShellWord[];
  readonly from: Directories;
  /** True if only a computed word can make it recursive. */
  readonly isUnsure?: boolean;
}

/** Programs that remove or overwrite everything that their operands name. `with -r`: only with this flag. */
export const REMOVERS: Readonly<Record<string, 'always' | 'with -r'>> = {
  rm: 'with -r',
  srm: 'with -r',
  shred: 'always',
  rimraf: 'always',
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
  const directories = protectedDirectories(places);
  let unsure: ForbiddenRemoval | undefined;
  for (const command of commands) {
    for (const { targets, from, isUnsure } of removalsOf(command, places)) {
      for (const target of targets) {
        for (const directory of from) {
          budget.spend(directories.length);
          const found = matchProtected(absoluteWord(target, directory, places), directories, places.platform);
          if (found?.match === 'yes' && isUnsure !== true) return { match: 'yes', directory: found.directory.name };
          if (found !== undefined) unsure ??= { match: 'maybe', directory: found.directory.name };
        }
      }
    }
  }
  return unsure;
}

function removalsOf(command: SimpleCommand, places: Places): readonly Removal[] {
  const [name, ...words] = command.words;
  const program = programName(name) ?? '';
  const from = command.directories;
  switch (program) {
    case 'find':
      return [{ targets: targetsOfFind(words), from }];
    case 'git':
      return removalsOfGit(command, words, places);
    case 'rsync':
      return [{ targets: targetsOfRsync(words), from }];
    default: {
      const when = Object.hasOwn(REMOVERS, program) ? REMOVERS[program] : undefined;
      if (when === undefined) return [];
      const { flags, operands, hiddenFlags } = splitArguments(program, words);
      const isSure = when === 'always' || flags.has('r');
      return isSure || hiddenFlags ? [{ targets: operands.filter(isNotEmpty), from, isUnsure: !isSure }] : [];
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
  const { flags, operands } = splitArguments('git', rest);
  if (flags.has('n') || flags.has('--dry-run') || flags.has('--cached')) return [];
  if (subcommand?.text === 'rm' && flags.has('r')) return [{ targets: operands, from }];
  if (subcommand?.text !== 'clean' || !flags.has('x')) return [];
  return [{ targets: operands.length === 0 ? [HERE] : operands, from }];
}

/** `rsync --delete` removes everything in the last operand that the source does not have. */
function targetsOfRsync(words: readonly ShellWord[]): readonly ShellWord[] {
  const { flags, operands } = splitArguments('rsync', words);
  const deletes = [...flags].some((flag) => /^--del(?!ay)/.test(flag));
  if (!deletes || flags.has('n') || flags.has('--dry-run')) return [];
  // A name with a colon is on another machine.
  return operands.slice(-1).filter((operand) => !/^[^/]*:/.test(operand.start));
}

/** An empty name removes nothing. */
function isNotEmpty(word: ShellWord): boolean {
  return word.text !== '';
}
