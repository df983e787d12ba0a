import { EXIT_CODE_ROWS } from './exit-codes.ts';
import { OPTIONS, optionDescription, optionForm, USAGES } from './options.ts';

/** The answer to `--help`. */
export function helpText(): string {
  return [
    'ybs - a coding agent for the terminal',
    '',
    'Usage:',
    ...columns(USAGES.map((usage) => [usage.form, usage.description])),
    '',
    'Options:',
    ...columns(OPTIONS.map((option) => [optionForm(option), optionDescription(option)])),
    '',
    'Exit codes:',
    ...columns(EXIT_CODE_ROWS.map((row) => [String(row.code), row.meaning])),
    '',
    'In the chat, /help lists the commands. More: docs/cli.md',
    '',
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
