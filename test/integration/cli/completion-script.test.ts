import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPLETION_SHELLS } from '../../../src/cli/command-line/completion-offers.ts';
import { completionScript } from '../../../src/cli/command-line/completion-script.ts';
import { manPage } from '../../../src/cli/command-line/man-page.ts';
import { SUBCOMMANDS } from '../../../src/cli/subcommands/subcommands.ts';
import { COMPLETIONS } from '../../support/processes/shell-completion.ts';
import { writeFiles } from '../../support/processes/temporary-directory.ts';

/** True if a program can be tested: it is installed, or it must be. */
async function mayTest(program: string): Promise<boolean> {
  if (process.env['YBS_REQUIRE_SHELLS'] === '1') return true;
  return (await execa(program, ['--version'], { reject: false })).exitCode === 0;
}

const FILES = {
  ...{ 'only-this.json': '{}', 'mock.log': '', 'zsh.log': '', 'status.log': '', 'sources.txt': '' },
  '.config/ybs/sessions/session-20261129-101500-abcd.jsonl': '',
  ...{ 'settings.json': '{}', 'mode.txt': '', 'source/a': '' },
};

const COMPLETED = [
  ['ybs mod', 'models'],
  ['ybs tes', 'test'],
  ['ybs --endp', '--endpoint'],
  ['ybs --permission-mode pl', 'plan'],
  ['ybs --provider moc', 'mock'],
  ['ybs test --drift fai', 'fail'],
  ['ybs test --agent gemi', 'gemini'],
  ['ybs web --token no', 'none'],
  ['ybs --config only', 'only-this.json'],
  ['ybs --cwd sour', 'source'],
  // These values have no known candidates.
  ['ybs --model only', 'only'],
  ['ybs --resume session-2', 'session-20261129-101500-abcd'],
  ['ybs -r session-2', 'session-20261129-101500-abcd'],
  ['ybs undo session-2', 'session-20261129-101500-abcd'],
  ['ybs --resume only', 'only'],
  ['ybs eval only', 'only-this.json'],
  ['ybs eval a.json only', 'only-this.json'],
  ['ybs completion z', 'zsh'],
  ['ybs completion zsh only', 'only'],
  ['ybs auth sta', 'status'],
  ['ybs config set', 'set'],
  ['ybs config set agent.max_it', 'agent.max_iterations'],
  ['ybs config llm.max_tok', 'llm.max_tokens'],
  ['ybs tools che', 'check'],
  ['ybs tools check only', 'only-this.json'],
  ['ybs tools new name sour', 'source'],
  ['ybs models only', 'only'],
  ['ybs trust --revo', '--revoke'],
  ['ybs --model m -p mock trust --revo', '--revoke'],
  ['ybs check --jso', '--json'],
  ['ybs eval --run', '--runs'],
  // Options of other commands.
  ['ybs trust --run', '--run'],
  ['ybs --revo', '--revo'],
  // The first word is a command or a prompt, and a prompt may name files.
  ['ybs only', 'only'],
  ['ybs explain only', 'only-this.json'],
] as const;

/** Lines with several candidates, which zsh only lists. */
const LISTED = ['ybs completion ', 'ybs config ', 'ybs trust --'];

for (const shell of COMPLETION_SHELLS) {
  describe.runIf(await mayTest(shell))(shell, () => {
    let words: readonly string[];
    let lists: readonly (readonly string[])[];

    beforeAll(async () => {
      const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-completion-'));
      try {
        writeFiles(directory, FILES);
        const lines = [...COMPLETED.map(([line]) => line), ...(shell === 'zsh' ? [] : LISTED)];
        const found = await COMPLETIONS[shell](completionScript(shell, SUBCOMMANDS), lines, directory);
        words = found.slice(0, COMPLETED.length).map((word) => word.replace(/\/$/u, ''));
        lists = found.slice(COMPLETED.length).map((list) => list.split('\n'));
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });

    it.each(COMPLETED.map((row, index) => [...row, index] as const))(
      'the script completes %s to %s',
      (_line, expected, index) => {
        expect(words[index]).toBe(expected);
      },
    );

    if (shell === 'zsh') return;

    it('the script lists the words that may follow, and only the options of the command', () => {
      const [shells, keys, options] = lists;
      expect(shells).toEqual(['bash', 'fish', 'zsh']);
      expect(keys).toEqual(expect.arrayContaining(['set', 'llm', 'llm.model']));
      expect(options).toEqual(expect.arrayContaining(['--list', '--revoke', '--json', '--cwd']));
      expect(options?.filter((name) => /^--(?:batch|runs|agent|port)$/.test(name))).toEqual([]);
    });
  });
}

it.runIf(await mayTest('groff'))('groff formats the manual page without a complaint', async () => {
  const { stdout, stderr } = await execa('groff', ['-man', '-Tutf8', '-ww'], { input: manPage() });
  expect(stderr).toBe('');
  expect(stdout).toContain('ybs - a coding agent for the terminal');
});
