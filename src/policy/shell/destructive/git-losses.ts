import type { PlannedEffect } from '../../../agent/ports/tool.ts';
import { placesOf } from '../../decision-input.ts';
import type { PathRules } from '../../paths/path-policy.ts';
import { type Directories, enterDirectory } from '../directories.ts';
import { tryParseCommandLine } from '../parse/command-line.ts';
import { programName } from '../parse/shell-word.ts';
import { readGitCommand } from '../programs/git-command.ts';
import { destructiveGit, SERVER } from './destructive-git.ts';

/** Subcommands that move a branch or change the index, and the words with which they do. They lose nothing else. */
const REWRITES: Readonly<Record<string, RegExp>> = {
  rebase: /^/,
  reset: /^/,
  commit: /(?:^| )--amend\b/,
  // What is staged may be nowhere else.
  rm: /(?:^| )--cached\b/,
  'update-ref': /^/,
  'symbolic-ref': /\S +\S/,
  stash: /^(?!list\b|show\b)/,
};

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
  const found = commands.flatMap(({ words: [program, ...rest], directories }) => {
    if (programName(program) !== 'git') return [];
    const effect = destructiveGit(rest);
    const { directories: within, subcommand, rest: words } = readGitCommand(rest);
    const name = subcommand?.text ?? '';
    const rewrites = Object.hasOwn(REWRITES, name) && REWRITES[name]?.test(words.map(({ text }) => text).join(' '));
    if ((effect === undefined || effect === SERVER) && rewrites !== true) return [];
    return [...within.reduce<Directories>((from, word) => enterDirectory(word, from, places), directories)];
  });
  return [...new Set(found)].filter((directory) => directory !== undefined);
}
