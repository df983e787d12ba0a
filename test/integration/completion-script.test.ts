import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { completionScript, SHELLS } from '../../src/cli/command-line/completion-script.ts';
import { manPage } from '../../src/cli/command-line/man-page.ts';
import { SUBCOMMANDS } from '../../src/cli/subcommands/subcommands.ts';
import { COMPLETIONS } from '../support/shell-completion.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

/** True if a program can be tested: it is installed, or it must be. */
async function mayTest(program: string): Promise<boolean> {
  if (process.env['YBS_REQUIRE_SHELLS'] === '1') return true;
  return (await execa(program, ['--version'], { reject: false })).exitCode === 0;
}

for (const shell of SHELLS) {
  describe.runIf(await mayTest(shell))(shell, () => {
    const script = completionScript(shell, SUBCOMMANDS);

    it.each([
      ['ybs mod', 'models'],
      ['ybs tes', 'test'],
      ['ybs --endp', '--endpoint'],
      ['ybs --permission-mode pl', 'plan'],
      ['ybs --config only', 'only-this.json'],
      ['ybs eval only', 'only-this.json'],
      // The first word is a command or a prompt.
      ['ybs only', 'only'],
    ])('completes %s to %s', async (line, expected) => {
      const directory = temporaryDirectory();
      writeFiles(directory, { 'only-this.json': '{}' });
      expect(await COMPLETIONS[shell](script, line.split(' '), directory)).toBe(expected);
    });
  });
}

it.runIf(await mayTest('groff'))('groff formats the manual page without a complaint', async () => {
  const { stdout, stderr } = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: manPage() });
  expect(stderr).toBe('');
  expect(stdout).toContain('ybs - a coding agent for the terminal');
});
