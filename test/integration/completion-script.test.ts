import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { completionScript } from '../../src/cli/completion-script.ts';
import { manPage } from '../../src/cli/man-page.ts';
import { SUBCOMMANDS } from '../../src/cli/subcommands/subcommands.ts';

/** The completions that bash finds for the last word of a command line. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const line = [`COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`, `COMP_CWORD=${words.length - 1}`];
  const script = [completionScript('bash', SUBCOMMANDS), ...line, '_ybs', `printf "%s\\n" "\${COMPREPLY[@]}"`].join(
    '\n',
  );
  const { stdout } = await execa('bash', ['--norc', '-c', script]);
  return stdout.split('\n');
}

describe.runIf(process.platform !== 'win32')('bash', () => {
  it('completes commands, options and their values', async () => {
    await execa('bash', ['-n', '-c', completionScript('bash', SUBCOMMANDS)]);
    expect(await completed('ybs', 'mod')).toEqual(['models']);
    expect(await completed('ybs', '--permission-m')).toEqual(['--permission-mode']);
    expect(await completed('ybs', '--permission-mode', 'pl')).toEqual(['plan']);
    expect(await completed('ybs', '--config', '/etc/host')).toContain('/etc/hosts');
  });
});

it('man shows the manual page without a complaint, where there is one', async () => {
  const shown = await execa('man', ['--warnings', '--local-file', '-'], {
    ...{ input: manPage(), reject: false, env: { MANWIDTH: '80', LC_ALL: 'C.UTF-8' } },
  });
  if (shown.code === 'ENOENT' || shown.exitCode !== 0) return;
  expect(shown.stderr).toBe('');
  expect(shown.stdout).toContain('ybs - a coding agent for the terminal');
});
