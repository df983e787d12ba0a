import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { completionScript, SHELLS } from '../../src/cli/command-line/completion-script.ts';
import { manPage } from '../../src/cli/command-line/man-page.ts';
import { SUBCOMMANDS } from '../../src/cli/subcommands/subcommands.ts';
import { COMPLETIONS } from '../support/shell-completion.ts';
import { writeFiles } from '../support/temporary-directory.ts';

/** True if a program can be tested: it is installed, or it must be. */
async function mayTest(program: string): Promise<boolean> {
  if (process.env['YBS_REQUIRE_SHELLS'] === '1') return true;
  return (await execa(program, ['--version'], { reject: false })).exitCode === 0;
}

const COMPLETED = [
  ['ybs mod', 'models'],
  ['ybs tes', 'test'],
  ['ybs --endp', '--endpoint'],
  ['ybs --permission-mode pl', 'plan'],
  ['ybs --config only', 'only-this.json'],
  ['ybs eval only', 'only-this.json'],
  // The first word is a command or a prompt.
  ['ybs only', 'only'],
] as const;

for (const shell of SHELLS) {
  describe.runIf(await mayTest(shell))(shell, () => {
    let words: readonly string[];

    beforeAll(async () => {
      const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-completion-'));
      try {
        writeFiles(directory, { 'only-this.json': '{}' });
        const lines = COMPLETED.map(([line]) => line);
        words = await COMPLETIONS[shell](completionScript(shell, SUBCOMMANDS), lines, directory);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });

    it.each(COMPLETED.map((row, index) => [...row, index] as const))('completes %s to %s', (_line, expected, index) => {
      expect(words[index]).toBe(expected);
    });
  });
}

it.runIf(await mayTest('groff'))('groff formats the manual page without a complaint', async () => {
  const { stdout, stderr } = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: manPage() });
  expect(stderr).toBe('');
  expect(stdout).toContain('ybs - a coding agent for the terminal');
});
