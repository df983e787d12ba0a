import { describe, expect, it } from 'vitest';
import { CTRL_D, ENTER } from '../../support/processes/keys.ts';
import { startInTerminal } from '../../support/processes/pty.ts';

const [ESC, BEL] = ['\u001b', '\u0007'];
/** Control sequences of any kind. */
const CONTROLS = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}]*${BEL}|.)`, 'g');

describe.runIf(process.platform !== 'win32')('habits of users at a terminal', () => {
  it('include a single word similar to a command, which can be confirmed as the command', async () => {
    const terminal = startInTerminal(['doctr']);
    await terminal.waitForPrompt();
    expect(terminal.screen()).toContain('"doctr" is not a command. Did you mean ybs doctor?');
    terminal.type(`y${ENTER}`);
    await terminal.waitForText('configuration');
    expect((await terminal.ended).exitCode).toBe(1);
  });

  it('include /copy, which copies the last answer to the clipboard of the terminal, even through tmux', async () => {
    const environment = { TMUX: '/tmp/tmux-0/default,1,0' };
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], { environment });
    await terminal.waitForPrompt();
    terminal.type(`what can you do${ENTER}`);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(`/copy${ENTER}`);
    await terminal.waitForText('Sent the last answer to the clipboard');
    const [, base64 = ''] = new RegExp(`${ESC}\\]52;c;([^${BEL}]*)${BEL}${ESC}Ptmux;`).exec(terminal.output()) ?? [];
    expect(Buffer.from(base64, 'base64').toString()).toMatch(/^I can read, search, write and edit/);
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('include --screen-reader, which writes every line once without redrawing', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox', '--screen-reader'], {
      environment: { NO_COLOR: '1' },
    });
    await terminal.waitForPrompt();
    terminal.type(`what can you do${ENTER}`);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
    expect(terminal.output().match(CONTROLS) ?? []).toEqual([]);
    expect(terminal.output().split('I can read, search')).toHaveLength(2);
  });
});
