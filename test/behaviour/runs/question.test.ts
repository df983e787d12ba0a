import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CTRL_C, CTRL_D, CTRL_U, ENTER, UP } from '../../support/processes/keys.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const STORY = path.join(import.meta.dirname, '../../../scenarios/denied-with-feedback');
const REQUEST = `remove the old reports${ENTER}`;

/** Starts a chat whose model wants to run `rm -r reports` in a directory that has them. */
async function startStory(...prompt: readonly string[]) {
  const directory = temporaryDirectory();
  cpSync(path.join(STORY, 'workspace'), directory, { recursive: true });
  const content: unknown = JSON.parse(readFileSync(path.join(STORY, 'scenario.json'), 'utf8'));
  let held = Promise.resolve(true);
  const server = await startRecordingServer(content, () => held);
  const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url, ...prompt], { directory });
  const hasReports = () => existsSync(path.join(directory, 'reports/2025.txt'));
  /** Keeps the model from answering until the returned function is called. */
  const holdAnswers = () => {
    let release = (_isAnswered: boolean): void => {};
    held = new Promise((resolve) => (release = resolve));
    return () => release(true);
  };
  return { terminal, server, directory, hasReports, holdAnswers };
}

describe.runIf(process.platform !== 'win32')('a question in a terminal', () => {
  it('is answered neither by earlier keys nor by a word, and passes a sentence on to the model', async () => {
    const { terminal, server, directory, hasReports, holdAnswers } = await startStory();
    for (const [times, early] of ['y', 'y\u001b[200~y'].entries()) {
      await terminal.waitForPrompt();
      const release = holdAnswers();
      terminal.type(REQUEST);
      await terminal.waitFor('the request', () => server.requests().length % 2 === 1);
      terminal.type(early);
      await terminal.waitFor('the key', () => terminal.cursorLine() === 'next> y');
      release();
      await terminal.waitForPrompt('▌   > ');
      expect(terminal.screen().split('n no (or only Enter)')).toHaveLength(times + 2);
      terminal.type(ENTER);
      await terminal.waitFor('the denial', (screen) => screen.split('  ✗ run_shell: denied\n').length === times + 2);
      expect(hasReports()).toBe(true);
      await terminal.waitForPrompt('> y');
      terminal.type(CTRL_U);
    }
    await terminal.waitForPrompt();
    terminal.type(REQUEST);
    await terminal.waitForPrompt('▌   > ');
    const screen = terminal.screen();
    expect(screen).toContain(`▌   $ rm -r reports\n▌   in ${directory}\n`);
    expect(screen).toMatch(
      /^▌ {3}(?:sandboxed|UNSANDBOXED) .*\n▌ {3}DESTRUCTIVE: it removes files\.\n▌ \? run_shell: run rm -r reports$/m,
    );
    // Without a sandbox, ybs asks about every command and offers no answer for the rest of the session.
    const isSandboxed = /^▌ {3}sandboxed /m.test(screen);
    expect(screen.includes('▌   a yes, and for the rest of this session: run_shell: rm -r reports')).toBe(isSandboxed);
    expect(screen).toContain('▌   s no, and say what to do instead\n▌   n no (or only Enter)\n▌   >');
    terminal.type('yay');
    await terminal.waitFor('the word', () => terminal.cursorLine() === 'next> yay');
    await terminal.waitForPrompt('▌   > ');
    terminal.type('s');
    await terminal.waitForPrompt('▌   instead: ');
    terminal.type('keep the reports of 2025');
    await terminal.waitFor('the sentence', () => terminal.cursorLine() === '▌   instead: keep the reports of 2025');
    terminal.type(ENTER);
    await terminal.waitForText('▌   ✗ run_shell: denied: keep the reports of 2025');
    await terminal.waitForPrompt('> yay');
    terminal.type(CTRL_U);
    await terminal.waitForPrompt();
    expect(terminal.screen()).toContain('Which reports are old enough to go?');
    expect(server.resultsInLastRequest().slice(2)).toEqual([expect.stringContaining('keep the reports of 2025')]);
    expect(hasReports()).toBe(true);
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('stays open during a command of the chat, lets the user edit the command, and keeps answers out of the history', async () => {
    const { terminal, server, hasReports } = await startStory();
    await terminal.waitForPrompt();
    terminal.type(REQUEST);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('s');
    await terminal.waitForPrompt('▌   instead: ');
    terminal.type(`/tools${ENTER}`);
    await terminal.waitForText('Commands work after the answer.');
    await terminal.waitForPrompt('▌   > ');
    terminal.type('e');
    await terminal.waitFor('the command', () => terminal.cursorLine() === '▌   $ rm -r reports');
    terminal.type(`${CTRL_U}echo kept${ENTER}`);
    await terminal.waitForText('  → run_shell: ');
    await terminal.waitForPrompt();
    const [result] = server.resultsInLastRequest();
    expect(result).toMatch(/^The user edited the command\. This ran instead: echo kept\n/);
    expect(hasReports()).toBe(true);
    terminal.type(UP);
    await terminal.waitFor('the last message', () => terminal.cursorLine() === '> remove the old reports');
    terminal.type(ENTER);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('y');
    await terminal.waitFor('the second result', (screen) => screen.split('  → run_shell: ').length === 3);
    await terminal.waitForPrompt();
    expect(hasReports()).toBe(false);
    terminal.type(UP);
    await terminal.waitFor('the message, not the answer', () => terminal.cursorLine() === '> remove the old reports');
    terminal.type(CTRL_C);
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('is also drawn in a single run, where Ctrl-C stops the run', async () => {
    const { terminal } = await startStory('remove the old reports');
    await terminal.waitForPrompt('▌   > ');
    terminal.type(CTRL_C);
    expect((await terminal.ended).exitCode).toBe(130);
  });

  // > docs/security.md: your answers | a question that is longer than the screen is shown in parts, and a yes counts after the last one | Questions
  it('that is longer than the screen is shown in parts, and answered after the last one', async () => {
    const lines = Array.from({ length: 90 }, (_, index) => `echo line-${index + 1} >> out.txt`);
    lines[44] = 'rm -rf reports # in the middle';
    const server = await startRecordingServer({
      scenarios: [
        {
          name: 'long',
          trigger: 'go',
          steps: [
            { response: { tool_calls: [{ name: 'run_shell', arguments: { command: lines.join('\n') } }] } },
            { response: { content: 'Done.' } },
          ],
        },
      ],
    });
    const directory = temporaryDirectory();
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { directory, columns: 80, rows: 24 });
    await terminal.waitForPrompt();
    terminal.type(`go${ENTER}`);
    const parts: string[] = [];
    for (let part = 1; part < 6; part += 1) {
      const prompt = `▌   part ${part} of 6: m or Enter shows more, n is no > `;
      await terminal.waitForPrompt(prompt);
      parts.push(terminal.screen().split('\n').slice(-24).join('\n'));
      if (part === 2) {
        // A yes is not accepted yet: it is the start of a message.
        terminal.type('y');
        await terminal.waitFor('the letter', () => terminal.cursorLine() === 'next> y');
        terminal.type(CTRL_U);
        await terminal.waitForPrompt(prompt);
      }
      // Right after an answer, Enter belongs to it.
      terminal.type(part === 1 ? ENTER : 'm');
    }
    await terminal.waitForPrompt('▌   > ');
    parts.push(terminal.screen().split('\n').slice(-24).join('\n'));
    expect(parts[2]).toContain('rm -rf reports # in the middle');
    for (const line of lines) expect(parts.some((part) => part.includes(line))).toBe(true);
    expect(existsSync(path.join(directory, 'out.txt'))).toBe(false);
    terminal.type('n');
    await terminal.waitForText('denied');
    expect(existsSync(path.join(directory, 'out.txt'))).toBe(false);
  });
});
