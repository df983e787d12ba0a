import { describe, expect, it } from 'vitest';
import { collect } from '../../support/contracts/shell.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedShell } from '../../support/fakes/scripted-shell.ts';

const never = new AbortController().signal;
const request = { command: 'ls', workingDirectory: '/work', environment: {}, timeoutMs: 1_000 };

// Its commands keep the contract of shells: test/integration/node/shell-contract.test.ts.
describe('the scripted shell', () => {
  it.each([
    [[], '"ls" was run: the script is over'],
    [[{ command: 'pwd' }], '"ls" was run: expected command "pwd", got "ls"'],
    [[{ command: 'ls', workingDirectory: '/' }], '"ls" was run: expected workingDirectory "/", got "/work"'],
    [[{ command: 'ls', timeoutMs: 5 }], '"ls" was run: expected timeoutMs 5, got 1000'],
  ])('with the script %j names the unexpected command', async (script, problem) => {
    const shell = createScriptedShell(createManualClock(), ...script);
    await expect(collect(shell.run(request, never))).rejects.toThrow(problem);
    expect(() => shell.assertExhausted()).toThrow(problem);
  });

  it('names a command that was never run', () => {
    const shell = createScriptedShell(createManualClock());
    shell.enqueue({ command: 'ls' });
    expect(() => shell.assertExhausted()).toThrow('"ls" was never run');
  });
});
