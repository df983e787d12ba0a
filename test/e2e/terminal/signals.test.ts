import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CTRL_C, CTRL_D, CTRL_Z, ENTER } from '../../support/processes/keys.ts';
import { isProcessRunning } from '../../support/processes/process-state.ts';
import { startInShell, startInTerminal } from '../../support/processes/pty.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const SLEEP = 'echo pid $$; trap "" TERM HUP; while :; do sleep 1; done';

function scenario(name: string, trigger: string, steps: readonly object[]) {
  return { name, trigger, steps };
}

/** A model that runs a command which ignores signals, one that never answers, and one that writes a file. */
const HANGING = {
  scenarios: [
    scenario('run', 'run it', [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: SLEEP } }] } },
      { response: { content: 'Ran.' } },
    ]),
    scenario('stall', 'stall', [{ response: { content: 'Late.' }, timing: { time_to_first_token_ms: 600_000 } }]),
    scenario('write', 'write it', [
      { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'a' } }] } },
      { response: { content: 'Written.' } },
    ]),
  ],
};

async function startHanging(): Promise<readonly string[]> {
  const { url } = await startRecordingServer(HANGING);
  return ['-p', 'mock', '--endpoint', url, '--no-sandbox'];
}

describe.runIf(process.platform !== 'win32')('Ctrl-Z and fg', () => {
  it('continue the chat at its prompt with the typed line, at a question, and in a run, which Ctrl-C then stops', async () => {
    const terminal = await startInShell(await startHanging());
    const suspendAndContinue = async (command?: string) => {
      terminal.type(CTRL_Z);
      await terminal.waitForText('Stopped');
      await terminal.waitForPrompt('$ ');
      if (command !== undefined) {
        terminal.type(`${command}${ENTER}`);
        await terminal.waitFor('the empty screen', (screen) => screen === '$');
      }
      terminal.type(`fg${ENTER}`);
    };
    await terminal.waitForPrompt();
    terminal.type('write');
    await terminal.waitFor('the line', () => terminal.cursorLine() === '> write');
    await suspendAndContinue();
    await terminal.waitFor('the line', () => terminal.cursorLine() === '> write');
    terminal.type('\u001b[200~ it,\nplease\u001b[201~');
    await terminal.waitForText('> write it,\n  please');
    terminal.type(ENTER);

    await terminal.waitForPrompt('▌   > ');
    const [, question = ''] = terminal.screen().split(/^▌ ● .*\n/m);
    expect(question).toMatch(/\? write_file: .*y yes, once\n.*n no/s);
    await suspendAndContinue('printf "\\033[3J\\033[H\\033[2J"');
    await terminal.waitForPrompt('▌   > ');
    expect(terminal.screen().split(question)).toHaveLength(2);
    terminal.type('y');
    await terminal.waitForText('Written.');
    expect(existsSync(path.join(terminal.directory, 'a.txt'))).toBe(true);

    await terminal.waitForPrompt();
    terminal.type(`run it${ENTER}`);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('y');
    await terminal.waitFor('the command', (screen) => /^▌ +pid \d+$/m.test(screen));
    const continued = () => terminal.screen().split(/^\$ fg$/m)[2];
    expect(continued()).toBeUndefined();
    await suspendAndContinue();
    // Until ybs draws, Bash reads the keys, after it has echoed its command.
    await terminal.waitFor('the continued job', () => continued()?.includes('▌ mock/mock-model') === true);
    const pid = Number(/^▌ +pid (\d+)$/m.exec(terminal.screen())?.[1]);
    expect(isProcessRunning(pid)).toBe(true);
    terminal.type(CTRL_C);
    await terminal.waitForText('Stopped.\n');
    expect(isProcessRunning(pid)).toBe(false);
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    await terminal.waitForPrompt('$ ');
  });
});

describe.runIf(process.platform !== 'win32')('a terminal that is closed', () => {
  it.each([
    ['at the prompt', '', '> '],
    ['at a question', `write it${ENTER}`, '▌   > '],
    ['while the model is silent', `stall${ENTER}`, undefined],
    ['while a command runs', `run it${ENTER}`, 'pid'],
    ["while the user's command runs", `!${SLEEP}${ENTER}`, 'pid'],
  ])('ends ybs and its commands without a crash %s', async (_name, typed, shown) => {
    const mode = typed.startsWith('run it') ? 'full-access' : 'ask';
    const terminal = startInTerminal([...(await startHanging()), '--permission-mode', mode]);
    await terminal.waitForPrompt();
    terminal.type(typed);
    if (shown === 'pid') await terminal.waitFor('the command', (screen) => /^(?:▌ +)?pid \d+$/m.test(screen));
    else if (shown !== undefined) await terminal.waitForPrompt(shown);
    else await terminal.waitFor('the status', (screen) => /waiting for the server \d+ s \(Esc stops\)/.test(screen));
    const pid = Number(/^(?:▌ +)?pid (\d+)$/m.exec(terminal.screen())?.[1] ?? 0);
    terminal.hangUp();
    const { exitCode, signal } = await terminal.ended;
    expect(signal ?? 0).toBe(0);
    expect([0, 130]).toContain(exitCode);
    if (shown === 'pid') expect(isProcessRunning(pid)).toBe(false);
  });
});
