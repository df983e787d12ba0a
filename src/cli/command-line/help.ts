import { EXIT_CODE_ROWS } from '../../app/exit.ts';
import { SUBCOMMANDS } from '../subcommands/subcommands.ts';
import { commandForms } from './command-forms.ts';
import { OPTIONS, type OptionRow, optionDescription, optionForm } from './options.ts';

/** Every form of the command, one row each. */
const USAGES: readonly { readonly usage: string; readonly description: string }[] = [
  { usage: 'ybs [options]', description: 'chat' },
  { usage: 'ybs [options] <prompt…>', description: 'one run, then exit; piped input is context for the prompt' },
  { usage: '… | ybs [options]', description: 'one run, with the piped input as the prompt' },
  ...commandForms(SUBCOMMANDS),
];

const FIRST_STEPS = [
  ['ybs', 'chat; without a configuration, it finds the models of this machine'],
  ['ybs -p mock', 'chat with the embedded mock model, without a key or a network'],
  ['ybs init', 'choose a provider, a model and a key'],
  ['ybs "why does the build fail?"', 'one run, then exit'],
] as const;

/** The subcommands with their own options. */
const OPTION_GROUPS = [...new Set(OPTIONS.flatMap(({ subcommands = [] }) => subcommands))];

/** Every form of the command with its description, one line each. */
export function usageRows(): string[] {
  return columns(USAGES.map(({ usage, description }) => [usage, description]));
}

/** Text of `--help`. */
export function helpText(): string {
  return [
    'ybs - a coding agent for the terminal',
    '',
    'Usage:',
    ...indented(usageRows()),
    '',
    'Words that fit no form are a prompt; -- before them makes any words a prompt.',
    '',
    'Options:',
    ...optionColumns(OPTIONS.filter(({ subcommands }) => subcommands === undefined)),
    '',
    ...OPTION_GROUPS.flatMap((name) => [
      `Options of ybs ${name}:`,
      ...optionColumns(OPTIONS.filter(({ subcommands }) => subcommands?.includes(name))),
      '',
    ]),
    'Exit codes:',
    ...indented(columns(EXIT_CODE_ROWS.map((row) => [String(row.code), row.meaning]))),
    '',
    // A terminal shows the end of a long text.
    'To begin:',
    ...indented(columns(FIRST_STEPS)),
    '',
    'In the chat, /help lists the commands. More: docs/cli.md',
    '',
  ].join('\n');
}

function optionColumns(options: readonly OptionRow[]): string[] {
  return indented(columns(options.map((option) => [optionForm(option), optionDescription(option)])));
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
