import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chatHelp } from '../../../src/app/commands.ts';
import { EXIT_CODE_ROWS } from '../../../src/cli/exit.ts';
import { OPTIONS, optionDescription, optionForm, USAGES } from '../../../src/cli/options.ts';

const text = readFileSync(path.join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

function section(name: string): string {
  const [, content] = text.split(`<!-- ${name} -->\n`);
  return content?.split(`<!-- /${name} -->`)[0] ?? `there is no section ${name}`;
}

const table = (head: string, rows: readonly (readonly [string, string])[]) =>
  `${head}\n| --- | --- |\n${rows.map(([left, right]) => `| ${left} | ${right} |\n`).join('')}`;

// Each of these says in its failure what the page should hold.
it('docs/cli.md lists the options', () => {
  const rows = OPTIONS.map((option) => [`\`${optionForm(option)}\``, optionDescription(option)] as const);
  expect(section('options')).toBe(table('| option | |', rows));
});

it('docs/cli.md lists the exit codes', () => {
  const rows = EXIT_CODE_ROWS.map(({ code, meaning }) => [String(code), meaning] as const);
  expect(section('exit codes')).toBe(table('| code | |', rows));
});

it('docs/cli.md lists the commands and keys of the chat', () => {
  expect(section('commands')).toBe(`\`\`\`\n${chatHelp()}\n\`\`\`\n`);
});

it('docs/cli.md shows every form of the command', () => {
  for (const { form, description } of USAGES)
    expect(text).toMatch(new RegExp(`^${literally(form)} +${literally(description)}$`, 'm'));
});

function literally(literal: string): string {
  return literal.replaceAll(/[[\]<>().*+?^$|{}\\]/g, '\\$&');
}
