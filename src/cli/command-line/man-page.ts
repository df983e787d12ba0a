import { EXIT_CODE_ROWS } from '../../app/exit.ts';
import { SUBCOMMANDS } from '../subcommands/subcommands.ts';
import { commandForms } from './command-forms.ts';
import { OPTIONS, type OptionRow, optionDescription, optionForm } from './options.ts';

/** The manual page of ybs in the language of man(7), from the same tables as `--help`. Pure. */
export function manPage(): string {
  const own = OPTIONS.filter(({ subcommands }) => subcommands === undefined);
  const groups = [...new Set(OPTIONS.flatMap(({ subcommands = [] }) => subcommands))];
  return [
    '.TH YBS 1 "" "ybs" "User Commands"',
    '.SH NAME',
    'ybs \\- a coding agent for the terminal',
    '.SH SYNOPSIS',
    '.B ybs',
    '[\\fIoptions\\fR] [\\fIprompt\\fR \\&...]',
    '.br',
    '.B ybs',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'Without a prompt, ybs opens a chat. With one, it does one run and exits; piped input is context for the prompt.',
    'Words that are not a command are a prompt; \\-\\- before them makes any words a prompt.',
    '.SH COMMANDS',
    ...commandForms(SUBCOMMANDS).flatMap(({ form, description }) => entry(form, description)),
    '.SH OPTIONS',
    ...optionEntries(own),
    ...groups.flatMap((name) => [
      `.SS ${roff(`Options of ybs ${name}`)}`,
      ...optionEntries(OPTIONS.filter(({ subcommands }) => subcommands?.includes(name))),
    ]),
    '.SH EXIT STATUS',
    ...EXIT_CODE_ROWS.flatMap(({ code, meaning }) => entry(String(code), meaning)),
    '.SH FILES',
    ...entry('~/.config/ybs/config.json', 'the configuration of the user'),
    ...entry('~/.config/ybs/agents, ~/.config/ybs/commands', 'agents and commands of the user'),
    ...entry('.ybs.json, .ybs/', 'those of a project, which need its trust'),
    '',
  ].join('\n');
}

function optionEntries(options: readonly OptionRow[]): readonly string[] {
  return options.flatMap((option) => entry(optionForm(option).trim(), optionDescription(option)));
}

function entry(term: string, description: string): readonly string[] {
  return ['.TP', `.B ${roff(term)}`, roff(description)];
}

/** A string as one line of roff, in which no character is a command. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\&...')
    .replaceAll('"', '\\(dq');
  return /^[.']/u.test(escaped) ? `\\&${escaped}` : escaped;
}
