import { describe, expect, it } from 'vitest';
import { CTRL_C, CTRL_D, ENTER } from '../../support/processes/keys.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const ANSWER = 'Grüße – 中 → ok\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.';
const SCENARIO = {
  name: 'list',
  trigger: { regex: '.' },
  steps: [
    { response: { content: 'I look.', tool_calls: [{ name: 'run_shell', arguments: { command: 'echo ü…' } }] } },
    { response: { content: ANSWER } },
  ],
};

describe.runIf(process.platform !== 'win32')('a terminal without UTF-8', () => {
  it.each([
    ['C', 'xterm-256color', 'Gr\\u{fc}\\u{df}e - \\u{4e2d} -> ok'],
    ['POSIX', 'xterm-256color', 'Gr\\u{fc}\\u{df}e - \\u{4e2d} -> ok'],
    ['C', 'dumb', 'Gr\\u{fc}\\u{df}e - \\u{4e2d} -> ok'],
    // The terminal of the test reads UTF-8, where bytes of Latin-1 are damaged.
    ['de_DE.ISO-8859-1', 'xterm-256color', 'Gr\ufffd\ufffde - \\u{4e2d} -> ok'],
  ])('receives only characters that it can show, with LC_ALL=%s and TERM=%s', async (LC_ALL, TERM, answer) => {
    const { url } = await startRecordingServer({ scenarios: [SCENARIO] });
    const args = ['-p', 'mock', '--endpoint', url, '--permission-mode', 'full-access', '--no-sandbox'];
    const terminal = startInTerminal(args, { environment: { LC_ALL, TERM }, columns: 60 });
    await terminal.waitForPrompt();
    terminal.type(`list${ENTER}`);
    await terminal.waitForText('1 command ran');
    await terminal.waitForPrompt();
    if (TERM !== 'dumb') {
      terminal.type('äx');
      // Both bytes of the letter are characters of Latin-1, which the terminal of the test decodes together.
      const shown = LC_ALL.startsWith('de') ? 'äx' : '\\u{e4}x';
      await terminal.waitFor('what is typed', () => terminal.cursorLine().includes(shown));
      terminal.type(CTRL_C);
      await terminal.waitForPrompt();
    }
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
    expect(terminal.screen()).toContain(answer);
    expect(terminal.screen()).toMatch(/\| *a *\| *b|a +\| b/);
    const allowed = LC_ALL.startsWith('de') ? /[^\0-\x7f\ufffdä]/u : /[^\0-\x7f]/u;
    expect(allowed.exec(terminal.output())).toBeNull();
    const mark = TERM === 'dumb' ? '~| ' : '\u001b[7m \u001b[27m';
    expect(terminal.output()).toContain(mark);
  });
});
