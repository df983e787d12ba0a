import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CTRL_C, CTRL_D, CTRL_Z, ENTER } from '../../support/processes/keys.ts';
import { isProcessRunning } from '../../support/processes/process-state.ts';
import { startInShell, startInTerminal } from '../../support/processes/pty.ts';
import { startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const SLEEP = 'echo pid $$; trap "" TERM HUP; while :; do sleep 1; done';

function scenario(name: string, trigger: string, steps: readonly object[]) {
  return { name, trigger, steps };
}

const SLOWLY = { piece_delay_ms: 200 };
const WORDS = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');

/** A model with a command that ignores signals, an answer that never comes, a file to write, and slow answers. */
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
    scenario('talk', 'talk', [{ response: { content: WORDS }, timing: SLOWLY }]),
    scenario('long', 'call it', [
      {
        response: { tool_calls: [{ name: 'write_file', arguments: { path: 'b.txt', content: WORDS } }] },
        timing: SLOWLY,
      },
    ]),
    scenario('list', 'list it', [
      { response: { tool_calls: [{ name: 'list_files', arguments: { pattern: '*' } }] } },
      { response: { content: 'Late.' }, timing: { time_to_first_token_ms: 600_000 } },
    ]),
    scenario('again', 'again', [{ response: { content: 'Here again.' } }]),
  ],
};

/** Every stage of a chat: what is typed, and the text on the screen, or the start of the line of the cursor. */
const STAGES = [
  ['at a question', `write it${ENTER}`, '▌   > '],
  ['while the model is silent', `stall${ENTER}`, /waiting for the server \d+ s \(Esc stops\)/],
  ['while the model is silent after a call', `list it${ENTER}`, /→ list_files[\s\S]*waiting for the server \d+ s/],
  ['while an answer arrives', `talk${ENTER}`, /^word0 word1 /m],
  ['while a call arrives', `call it${ENTER}`, /write_file b\.txt|writing b\.txt/],
  ['while a command runs', `run it${ENTER}`, /^▌ +pid \d+$/m],
  ["while the user's command runs", `!${SLEEP}${ENTER}`, /^pid \d+$/m],
] as const;

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
    await terminal.waitFor('the continued job', () => continued()?.includes('· mock/mock-model') === true);
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

/** Starts a chat and brings it to a stage. Returns it with the command that runs, if any, and with the environment. */
async function startAt(typed: string, shown: string | RegExp) {
  const options = await startHanging();
  const home = temporaryDirectory();
  const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const mode = typed.startsWith('run it') ? 'full-access' : 'ask';
  const terminal = startInTerminal([...options, '--permission-mode', mode], { environment });
  await terminal.waitForPrompt();
  terminal.type(typed);
  if (typeof shown === 'string') await terminal.waitForPrompt(shown);
  else await terminal.waitFor('the stage', (screen) => shown.test(screen));
  const pid = /^(?:▌ +)?pid (\d+)$/m.exec(terminal.screen())?.[1];
  const commandRuns = () => pid !== undefined && isProcessRunning(Number(pid));
  return { terminal, options, environment, commandRuns };
}

describe.runIf(process.platform !== 'win32')('a terminal that is closed', () => {
  it.each([['at the prompt', '', '> '] as const, ...STAGES])(
    'ends ybs and its commands without a crash %s, and --continue goes on',
    async (_name, typed, shown) => {
      const { terminal, options, environment, commandRuns } = await startAt(typed, shown);
      terminal.hangUp();
      const { exitCode, signal } = await terminal.ended;
      expect(signal ?? 0).toBe(0);
      expect([0, 130]).toContain(exitCode);
      expect(commandRuns()).toBe(false);
      const { directory } = terminal;
      const next = await startBin([...options, '--continue', 'again'], { directory, environment }).ended;
      const isStored = typed !== '' && !typed.startsWith('!');
      expect(next).toMatchObject(
        isStored ? { code: 0, stdout: expect.stringMatching(/^(?:Here again|Written)\.$/m) } : { code: 2 },
      );
    },
  );
});

describe.runIf(process.platform !== 'win32')('Ctrl-C', () => {
  it.each(STAGES)('stops what runs, and the chat goes on: %s', async (_name, typed, shown) => {
    const { terminal, commandRuns } = await startAt(typed, shown);
    terminal.type(CTRL_C);
    await terminal.waitForPrompt();
    expect(commandRuns()).toBe(false);
    expect(terminal.screen()).toContain('▌ Stopped.');
    terminal.type(`again${ENTER}`);
    await terminal.waitForText('Here again.');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });
});

describe.runIf(process.platform !== 'win32')('a terminal whose size changes while an answer arrives', () => {
  it('shows each word once, and the status and the prompt where they belong', async () => {
    const { terminal } = await startAt(`talk${ENTER}`, /^word0 word1 /m);
    const wordsUpTo = (index: number) =>
      terminal.waitFor(`word${index}`, (screen) => new RegExp(`word${index}\\b`).test(screen));
    for (const [columns, word] of [
      [30, 6],
      [12, 9],
      [120, 14],
    ] as const) {
      terminal.resize(columns);
      await wordsUpTo(word);
    }
    terminal.type(CTRL_C);
    await terminal.waitForPrompt();
    const words = terminal.screen().match(/word\d+/g) ?? [];
    expect(words.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, index) => `word${index}`));
    expect(terminal.screen().match(/Stopped\./g)).toHaveLength(1);
    expect(terminal.screen().match(/^>/gm)).toHaveLength(2);
  });
});
