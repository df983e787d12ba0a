import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInTerminal } from '../support/pty.ts';
import { runBin } from '../support/run-bin.ts';
import { sessionPlace } from '../support/session-place.ts';

describe.runIf(process.platform !== 'win32')('the chat in a terminal', () => {
  it('goes on with a session from the list, saves it, and loads another one', async () => {
    const { server, options, args, logs } = await sessionPlace();
    await runBin([...args, 'what first?'], options);
    const [first = ''] = logs();
    const terminal = startInTerminal([...args, '--resume'], options);
    await terminal.waitForPrompt('session> ');
    expect(terminal.screen()).toContain(`  1. ${path.basename(first, '.jsonl')} (just now) - 2 messages: what first?`);
    terminal.type('7\r');
    await terminal.waitForText('There is no session 7 in the list.');
    await terminal.waitForPrompt('session> ');
    terminal.type('1\r');
    await terminal.waitForText('restored 2 messages.');
    await terminal.waitForPrompt();
    terminal.type('and then?\r');
    await terminal.waitForText('Then tea.');
    await terminal.waitForPrompt();
    expect(server.userTexts()).toEqual(['what first?', 'and then?']);
    terminal.type('/save tea\r');
    await terminal.waitForText('tea.jsonl');
    await terminal.waitForPrompt();
    const locked = await runBin([...args, '--resume', first, 'what first?'], options);
    expect([locked.code, locked.stderr]).toEqual([2, expect.stringContaining('is open in another ybs')]);
    terminal.type('/load tea\r');
    await terminal.waitForText('Loaded tea: restored 4 messages.');
    await terminal.waitForPrompt();
    terminal.type('/session\r');
    await terminal.waitForText('tea (');
    await terminal.waitForPrompt();
    terminal.type('\u0004');
    expect((await terminal.ended).exitCode).toBe(0);
  });
});
