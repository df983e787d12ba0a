import type { PlannedEffect } from '../../../agent/ports/tool.ts';
import { placesOf } from '../../decision-input.ts';
import type { PathRules } from '../../paths/path-policy.ts';
import { type Directories, enterDirectory } from '../directories.ts';
import { tryParseCommandLine } from '../parse/command-line.ts';
import { programName } from '../parse/shell-word.ts';
import { readGitCommand } from '../programs/git-command.ts';
import { destructiveGit, SERVER } from './destructive-git.ts';

/**
 * The directories in which a command makes git lose or rewrite something of this machine, as absolute paths; none if it
 * does not. Those that are not known before it runs are not among them. Pure.
 */
export function findGitLosses(
  { command, workingDirectory }: Pick<PlannedEffect, 'command' | 'workingDirectory'>,
  pathRules: PathRules,
): readonly string[] {
  if (command === undefined) return [];
  const places = placesOf(pathRules, workingDirectory);
  const commands = tryParseCommandLine(command, { places })?.commands ?? [];
  const found = commands.flatMap(({ words: [name, ...rest], directories }) => {
    if (programName(name) !== 'git') return [];
    const effect = destructiveGit(rest);
    const { directories: within, subcommand, rest: words } = readGitCommand(rest);
    const rewrites =
      subcommand?.text === 'rebase' || (subcommand?.text === 'commit' && words.some(({ text }) => text === '--amend'));
    if ((effect === undefined || effect === SERVER) && !rewrites) return [];
    return [...within.reduce<Directories>((from, word) => enterDirectory(word, from, places), directories)];
  });
  return [...new Set(found)].filter((directory) => directory !== undefined);
}
