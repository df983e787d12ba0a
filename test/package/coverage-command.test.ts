import path from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const run = (...args: readonly string[]) =>
  execa('node', ['tooling/run/coverage-command.ts', ...args], { cwd: root, preferLocal: true, reject: false });

it('coverage:command runs a command of the sources and reports the lines that it reached', async () => {
  const { exitCode, stdout } = await run('ybs', '--version');
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n/);
  expect(stdout).toMatch(/^ {2}bin\.ts +\| +\d+/m);
  expect(stdout).not.toContain('coverage-command.ts');
  expect(exitCode).toBe(0);
});

it('coverage:command returns the exit code of the command, and rejects an unknown one', async () => {
  expect((await run('ybs', '--no-such-option')).exitCode).toBe(2);
  const { exitCode, stderr } = await run('npm', 'test');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'coverage:command: expected one of these commands after --: ybs, mock-llm-server',
  });
});
