import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPLETION_SHELLS } from '../../../../src/cli/command-line/completion-offers.ts';
import { completionScript } from '../../../../src/cli/command-line/completion-script.ts';
import { manPage } from '../../../../src/cli/command-line/man-page.ts';
import { OPTIONS } from '../../../../src/cli/command-line/options.ts';
import { SUBCOMMANDS } from '../../../../src/cli/subcommands/subcommands.ts';

/** The first words of all forms of the command that are not a prompt. */
const WORDS = [...SUBCOMMANDS.map(({ form }) => form.split(' ', 1).join('')), 'start', 'test'];

describe('the completion of the command line', () => {
  it.each(COMPLETION_SHELLS)('contains every option and every command: %s', (shell) => {
    const script = completionScript(shell, SUBCOMMANDS);
    const missing = OPTIONS.filter(({ name }) => !script.includes(shell === 'fish' ? `-l ${name} ` : `--${name}`));
    expect(missing).toEqual([]);
    for (const word of WORDS) expect(script).toMatch(new RegExp(`\\b${word}\\b`));
    expect(script).toContain('accept-edits');
    expect(script).toMatch(/\n$/);
  });
});

describe('the manual page', () => {
  it('contains every option and every command, and no line that looks like a command of roff', () => {
    const page = manPage();
    for (const { name } of OPTIONS) expect(page).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`);
    for (const word of WORDS) expect(page).toContain(`.B ${word}`);
    const commands = new Set(page.match(/^[.'][^ \n]*/gmu));
    expect([...commands].toSorted()).toEqual(['.B', '.SH', '.SS', '.TH', '.TP', '.br']);
  });

  it('is the one in the package (npm run docs writes it)', () => {
    expect(readFileSync(path.join(import.meta.dirname, '../../../../docs/ybs.1'), 'utf8')).toBe(manPage());
  });
});
