import { EXIT_CODE_ROWS } from '../../app/exit.ts';
import { fillRows } from '../../text/fill-rows.ts';
import { SUBCOMMANDS } from '../subcommands/subcommands.ts';
import { commandForms } from './command-forms.ts';
import { OPTIONS, type OptionRow, optionDescription, optionForm } from './options.ts';

/** The forms of the command line without a command. */
const USAGES = [
  ['ybs [options]', 'chat'],
  ['ybs [options] <prompt…>', 'one run, then exit; piped input is context for the prompt'],
  ['… | ybs [options]', 'one run, with the piped input as the prompt'],
  ['ybs [options] <command>', 'one of these commands:'],
] as const;

const FIRST_STEPS = [
  ['ybs', 'chat; without a configuration, it finds the models of this machine'],
  ['ybs -p mock', 'chat with the embedded mock model, without a key or a network'],
  ['ybs init', 'choose a provider, a model and a key'],
  ['ybs "why does the build fail?"', 'one run, then exit'],
] as const;

/** The subcommands with their own options, those with the same ones together. */
function optionGroups(): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const name of new Set(OPTIONS.flatMap(({ subcommands = [] }) => subcommands))) {
    const options = optionsOf(name).map(optionForm).join();
    groups.set(options, [...(groups.get(options) ?? []), name]);
  }
  return [...groups.values()];
}

/** Every form of the command line with its description, in rows of at most `width` columns. */
export function usageRows(width = Number.POSITIVE_INFINITY): string[] {
  const commands = commandForms(SUBCOMMANDS).map(({ form, description }) => [form, description] as const);
  return [...columns(USAGES, width), '', ...columns(commands, width)];
}

/** Text of `--help`, in rows of at most `width` columns. */
export function helpText(width = Number.POSITIVE_INFINITY): string {
  const room = width - INDENT.length;
  const listed = (rows: readonly Row[]): string[] => indented(columns(rows, room));
  return [
    'ybs - a coding agent for the terminal',
    '',
    'Usage:',
    ...indented(usageRows(room)),
    '',
    fillRows('Words that fit no form are a prompt; -- before them makes any words a prompt.', width),
    '',
    'Options:',
    ...listed(optionRows(OPTIONS.filter(({ subcommands }) => subcommands === undefined))),
    '',
    ...optionGroups().flatMap((names) => [
      `Options of ${names.map((name) => `ybs ${name}`).join(', ')}:`,
      ...listed(optionRows(optionsOf(String(names[0])))),
      '',
    ]),
    'Exit codes:',
    ...listed(EXIT_CODE_ROWS.map((row) => [String(row.code), row.meaning])),
    '',
    // A terminal shows the end of a long text.
    'To begin:',
    ...listed(FIRST_STEPS),
    '',
    'In the chat, /help lists the commands. More: docs/cli.md',
    '',
  ].join('\n');
}

type Row = readonly [left: string, right: string];

const INDENT = '  ';

function optionsOf(command: string): readonly OptionRow[] {
  return OPTIONS.filter(({ subcommands }) => subcommands?.includes(command));
}

function optionRows(options: readonly OptionRow[]): readonly Row[] {
  return options.map((option) => [optionForm(option), optionDescription(option)]);
}

function columns(rows: readonly Row[], width: number): string[] {
  const left = Math.max(...rows.map(([text]) => text.length));
  return rows.flatMap(([text, right]) => fillRows(right, width, `${text.padEnd(left)}  `).split('\n'));
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `${INDENT}${line}`));
}
