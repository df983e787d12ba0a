import type { RedirectOperator } from 'unbash';
import type { Directories } from '../directories.ts';
import type { CommandWords, ShellWord } from './shell-word.ts';

/** A program with its operands, found anywhere in a command line. */
export interface SimpleCommand {
  readonly words: CommandWords;
  /** True if another command runs it, as with `ls` in `env A=1 ls` or in `sh -c ls`. */
  readonly wrapped: boolean;
  /** True for a function that the line has defined before, unless it is unset. */
  readonly callsFunction: boolean;
  /** The directories that it may run in. */
  readonly directories: Directories;
  /** Its here-document or here-string. */
  readonly input?: ShellWord | undefined;
}

/** A redirect of a command's input or output. */
export interface RedirectTarget {
  readonly operator: RedirectOperator;
  readonly target: ShellWord;
  /** The directories that a relative name may count from. */
  readonly directories: Directories;
}

/** A here-document that `cat` copies to a file: `cat > x.py <<END`. */
export interface CopiedText {
  readonly target: ShellWord;
  readonly text: ShellWord;
}

/** Everything that a command line runs, as far as the text shows it. */
export interface ParsedCommandLine {
  /** The text that was parsed, in which loops over known words are written out. */
  readonly text: string;
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly RedirectTarget[];
  readonly copies: readonly CopiedText[];
  /**
   * The assignments of variables as they are written, also those before a command: `A=$B`. Those of loops and in
   * expansions, such as `for A in b` and `${A:=b}`, have no value here: `A=`.
   */
  readonly assignments: readonly string[];
  /** True if syntax evaluates arithmetic, which bash does again with the value of each variable in it. */
  readonly arithmetic: boolean;
  /** True if it contains a fork bomb. */
  readonly forkBomb: boolean;
  /** True if the whole text was parsed as POSIX shell. Commands before a problem are listed in either case. */
  readonly complete: boolean;
  /** Reasons why it is not complete, or why the text does not show everything that runs. */
  readonly uncertainties: readonly string[];
}
