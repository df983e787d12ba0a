import type { Palette } from '../cli/palette.ts';
import { escapeForTerminal } from '../text/escape.ts';
import type { StoryResult } from './story-runner.ts';

/** One line for a story that passed; for one that did not, what was wrong and where its files are. */
export function reportStory(result: StoryResult, palette: Palette): string {
  const name = escapeForTerminal(result.name, { keepNewlines: false });
  const seconds = palette('dim', `(${(result.durationMs / 1000).toFixed(1)} s)`);
  if (result.problems.length === 0) return `${palette('green', 'passed')} ${name} ${seconds}\n`;
  const problems = result.problems.map((problem) => `${indent(escapeForTerminal(problem))}\n`).join('');
  const kept = result.kept === undefined ? '' : `  the files are kept in ${escapeForTerminal(result.kept)}\n`;
  return `${palette('red', 'FAILED')} ${name} ${seconds}\n${problems}${kept}`;
}

/** The last line: `11 passed, 0 failed`. */
export function reportTotals(results: readonly StoryResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return `${results.length - failed} passed, ${failed} failed\n`;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
