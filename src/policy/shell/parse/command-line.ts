import { type ParsedScript, parse } from 'unbash';
import { type Places, startingDirectories } from '../directories.ts';
import { Collector } from './command-collector.ts';
import type { ParsedCommandLine } from './parsed-command-line.ts';
import { StepBudget, TooManySteps } from './step-budget.ts';
import { findDeceptiveCharacter } from './syntax.ts';
import { keepsValues, unrollLoops } from './unrolled-loops.ts';

/** Context of a parse. Without `places`, every directory is unknown. */
export interface ParseContext {
  readonly places?: Places | undefined;
  readonly budget?: StepBudget;
  readonly parser?: (source: string) => ParsedScript;
}

/** The maximum length of a command line that is parsed, in UTF-16 units. */
export const MAX_COMMAND_LENGTH = 64 * 1024;

/**
 * Parses a command line for Bash or another POSIX shell. Pure. The time is linear in the length of the text. Throws
 * only `TooManySteps`, even if the parser throws something else. Loops over known words are written out before.
 */
export function parseCommandLine(text: string, context: ParseContext = {}): ParsedCommandLine {
  const unrolled = unrollLoops(text, context.parser ?? parse);
  const collector = collect(unrolled, context);
  return unrolled === text || keepsValues(collector) ? collector : collect(text, context);
}

function collect(text: string, { places, budget = new StepBudget(), parser = parse }: ParseContext): ParsedCommandLine {
  const collector = Object.assign(new Collector(places, budget, parser), { text });
  if (text.length > MAX_COMMAND_LENGTH) {
    collector.markIncomplete(`the command is longer than ${MAX_COMMAND_LENGTH} characters`);
    return collector;
  }
  const deceptive = findDeceptiveCharacter(text);
  if (deceptive !== undefined) collector.markIncomplete(`the command contains the character ${deceptive}`);
  try {
    collector.collectScript(text, 0, startingDirectories(places));
  } catch (error) {
    if (error instanceof TooManySteps) throw error;
    // The parser is a library and may throw anything, a stack overflow included.
    collector.markIncomplete('the command cannot be parsed');
  }
  return collector;
}

/** Parses a command line; `undefined` if that takes too many steps, so that it never runs. */
export function tryParseCommandLine(text: string, context: ParseContext = {}): ParsedCommandLine | undefined {
  try {
    return parseCommandLine(text, context);
  } catch {
    return undefined;
  }
}
