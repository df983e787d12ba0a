import { tryParseCommandLine } from '../parse/command-line.ts';
import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { programName, type ShellWord } from '../parse/shell-word.ts';
import { CODE_OPTIONS } from '../read-only/viewed-code.ts';
import { destructiveGit } from './destructive-git.ts';
import { follows, hasOption } from './destructive-options.ts';
import {
  DESTRUCTIVE_CODE,
  DESTRUCTIVE_PROGRAMS,
  DESTRUCTIVE_SQL,
  type DestructiveProgram,
  SQL_CLIENTS,
} from './destructive-programs.ts';

/** A command with what is known of the files that it would overwrite. */
interface CommandEffect {
  readonly command?: string | undefined;
  /**
   * None: something else has the content of each file that the command removes or overwrites. Absent: it is not known.
   */
  readonly overwrites?: readonly string[] | undefined;
}

/** All losses that a command causes, as the end of a sentence about it; `undefined` if none is known. Pure. */
export function destructiveEffect({ command, overwrites }: CommandEffect): string | undefined {
  if (command === undefined) return undefined;
  const found = effectsOfText(command, overwrites?.length === 0);
  if (found.size > 0) return [...found].join(', and it ');
  if (overwrites === undefined || overwrites.length === 0) return undefined;
  return `overwrites ${overwrites.join(', ')}, which git does not have as it is`;
}

function effectsOfText(command: string, isKept: boolean): ReadonlySet<string> {
  const commands = tryParseCommandLine(command)?.commands ?? [];
  const effects = new Set(commands.flatMap((each) => effectOf(each, isKept) ?? []));
  const isSql = commands.some(({ words: [name] }) => SQL_CLIENTS.has(nameOf(name)));
  if (isSql && DESTRUCTIVE_SQL.test(command)) effects.add('removes or changes data of a database');
  return effects;
}

/** The name of a program; empty if it is computed. */
const nameOf = (word: ShellWord): string => programName(word) ?? '';

/** The programs that remove files and whose words tell which ones. */
const RESOLVED: ReadonlySet<string> = new Set(['rm', 'unlink', 'rimraf', 'del-cli', 'find']);

function effectOf({ words: [name, ...rest], input }: SimpleCommand, isKept: boolean): string | undefined {
  const program = nameOf(name).replace(/(?<=^mkfs)\..*$/, '');
  if (program === 'git') return destructiveGit(rest);
  const texts = rest.map(({ text }) => text);
  if (isKept && RESOLVED.has(program)) return undefined;
  const row = DESTRUCTIVE_PROGRAMS.find((each) => each.programs.split(' ').includes(program) && applies(each, texts));
  if (row !== undefined) return row.effect;
  const code = input === undefined ? texts : [...texts, input.text];
  const runsCode = Object.hasOwn(CODE_OPTIONS, program) && code.some((text) => DESTRUCTIVE_CODE.test(text));
  return runsCode ? 'removes files' : undefined;
}

function applies({ words, options, has, unless }: DestructiveProgram, texts: readonly string[]): boolean {
  if (unless !== undefined && texts.some((text) => unless.test(text))) return false;
  if (words !== undefined && !words.some((each) => follows(each.split(' '), texts))) return false;
  if (has !== undefined && !texts.some((text) => has.test(text))) return false;
  return options === undefined || texts.some((text) => hasOption(text, options));
}
