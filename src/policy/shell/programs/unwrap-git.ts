import { ownEntry } from '../../../text/json/own-entry.ts';
import { dropStart, type ShellWord } from '../parse/shell-word.ts';
import { GIT_SCRIPT_OPTIONS, readGitCommand } from './git-command.ts';
import { parseMixedOptions } from './options.ts';
import { joinScript, literalWord, scriptOf, type Unwrapped, unreadable, wordsAsCommand } from './unwrapped.ts';

/** The settings of git whose value is a command, as git-config describes them. */
const COMMAND_SETTING =
  /^(?:alias|pager)\.|\.(?:alternaterefscommand|askpass|clean|cmd|command|difffilter|driver|editor|external|fsmonitor|gitproxy|helper|packobjectshook|pager|process|program|receivepack|smudge|sshcommand|textconv|uploadpack)$/i;

/** The commands and scripts that `git` with these words runs, in the directory of its last `-C`. */
export function unwrapGit(words: readonly ShellWord[]): readonly Unwrapped[] {
  const { directories, settings, subcommand, rest } = readGitCommand(words);
  const directory = directories.at(-1);
  const found = settings.flatMap((setting): readonly Unwrapped[] => {
    const name = /^[^=]*(?==)/.exec(setting.start)?.[0];
    if (name === undefined) return setting.static ? [] : [unreadable('a setting of git is computed')];
    return commandOfSetting(name, dropStart(setting, name.length + 1), directory);
  });
  if (subcommand === undefined) return found;
  if (!subcommand.static) return [...found, unreadable('the subcommand of git is computed')];
  return [...found, ...unwrapSubcommand(subcommand.text, rest, directory)];
}

/** An alias is a subcommand of git, or a command after `!`; other settings are commands. */
function commandOfSetting(name: string, value: ShellWord, directory: ShellWord | undefined): readonly Unwrapped[] {
  if (!COMMAND_SETTING.test(name) || value.text === '') return [];
  if (value.start.startsWith('!')) return scriptOf('git', dropStart(value, 1), directory);
  if (!/^alias\./i.test(name)) return scriptOf('git', value, directory);
  return joinScript('git', [literalWord('git'), value], directory);
}

function unwrapSubcommand(
  subcommand: string,
  words: readonly ShellWord[],
  directory: ShellWord | undefined,
): readonly Unwrapped[] {
  if (subcommand === 'bisect') return words[0]?.text === 'run' ? wordsAsCommand(words.slice(1), directory) : [];
  if (subcommand === 'submodule') {
    const foreach = words.findIndex((word) => word.text === 'foreach');
    const script = words.slice(foreach + 1);
    const start = script.findIndex((word) => !word.start.startsWith('-'));
    return foreach < 0 || start < 0 ? [] : joinScript('git', script.slice(start), directory);
  }
  if (subcommand === 'config') {
    return words.flatMap(({ text }, index) => {
      const value = words[index + 1];
      return value === undefined ? [] : commandOfSetting(text, value, directory);
    });
  }
  const grammar = ownEntry(GIT_SCRIPT_OPTIONS, subcommand);
  if (grammar === undefined) return [];
  const { options } = parseMixedOptions(words, grammar);
  return options.flatMap(({ value }) => (value === undefined ? [] : scriptOf('git', value, directory)));
}
