import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { isProcessRunning } from '../support/process-state.ts';
import { startInShell, startInTerminal, type TerminalSession } from '../support/pty.ts';
import { startRecordingServer } from '../support/recording-server.ts';
import { serveShippedStories } from '../support/serve-scenarios.ts';
import { temporaryDirectory, writeFiles } from '../support/temporary-directory.ts';

const ENTER = '\r';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_Z = '\u001a';
const CTRL_U = '\u0015';
const LEFT = '\u001b[D';
const UP = '\u001b[A';
const STORY = path.join(import.meta.dirname, '../../scenarios/denied-with-feedback');

const shipped = serveShippedStories();

async function startStory() {
  const directory = temporaryDirectory();
  cpSync(path.join(STORY, 'workspace'), directory, { recursive: true });
  const content: unknown = JSON.parse(readFileSync(path.join(STORY, 'scenario.json'), 'utf8'));
  const server = await startRecordingServer(content);
  const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { directory });
  await terminal.waitForPrompt();
  return { terminal, server, directory };
}

async function leave(terminal: TerminalSession): Promise<number> {
  await terminal.waitForPrompt();
  terminal.type(CTRL_D);
  return (await terminal.ended).exitCode;
}

describe.runIf(process.platform !== 'win32')('a question in a terminal', () => {
  it('denied with a sentence runs nothing and gives the sentence to the model', async () => {
    const { terminal, server, directory } = await startStory();
    terminal.type(`remove the old reports${ENTER}`);
    await terminal.waitForPrompt('▌   > ');
    const screen = terminal.screen();
    expect(screen).toContain(`▌   $ rm -r reports\n▌   in ${directory}\n`);
    expect(screen).toMatch(/^▌ {3}(?:sandboxed|UNSANDBOXED) .*\n▌ \? run_shell: run rm -r reports$/m);
    expect(screen).toContain(`▌   a yes, and for the rest of this session: run_shell: rm -r reports`);
    expect(screen).toContain('▌   s no, and say what to do instead\n▌   n no (or only Enter)\n▌   >');
    terminal.type('s');
    await terminal.waitForPrompt('▌   : ');
    terminal.type('keep the reports of 2025');
    await terminal.waitFor('the sentence', () => terminal.cursorLine() === '▌   : keep the reports of 2025');
    terminal.type(ENTER);
    await terminal.waitForText('Which reports are old enough to go?');
    expect(terminal.screen()).toContain('▌   ✗ run_shell: denied: keep the reports of 2025');
    expect(server.resultsInLastRequest()).toEqual([expect.stringContaining('keep the reports of 2025')]);
    expect(existsSync(path.join(directory, 'reports/2025.txt'))).toBe(true);
    expect(await leave(terminal)).toBe(0);
  });

  it('outlives a command of the chat, and lets the user edit what runs', async () => {
    const { terminal, server, directory } = await startStory();
    terminal.type(`remove the old reports${ENTER}`);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('s');
    await terminal.waitForPrompt('▌   : ');
    terminal.type(`/tools${ENTER}`);
    await terminal.waitForText('Commands work after the answer.');
    await terminal.waitForPrompt('▌   > ');
    terminal.type('e');
    await terminal.waitFor('the command', () => terminal.cursorLine() === '▌   $ rm -r reports');
    terminal.type(`${CTRL_U}echo kept${ENTER}`);
    await terminal.waitForText('? run_shell: run echo kept');
    await terminal.waitForPrompt('▌   > ');
    terminal.type('y');
    await terminal.waitForText('  → run_shell: ');
    await terminal.waitForPrompt();
    const [result] = server.resultsInLastRequest();
    expect(result).toMatch(/^The user edited the command\. This ran instead: echo kept\n/);
    expect(existsSync(path.join(directory, 'reports/2025.txt'))).toBe(true);
    expect(await leave(terminal)).toBe(0);
  });

  it('is denied with Enter and allowed with y, and keeps answers out of the history', async () => {
    const { terminal, directory } = await startStory();
    terminal.type(`remove the old reports${ENTER}`);
    await terminal.waitForPrompt('▌   > ');
    terminal.type(ENTER);
    await terminal.waitForText('  ✗ run_shell: denied');
    await terminal.waitForPrompt();
    expect(existsSync(path.join(directory, 'reports'))).toBe(true);
    terminal.type(UP);
    await terminal.waitFor('the last message', () => terminal.cursorLine() === '> remove the old reports');
    terminal.type(ENTER);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('y');
    await terminal.waitForText('  → run_shell: ');
    await terminal.waitForPrompt();
    expect(existsSync(path.join(directory, 'reports'))).toBe(false);
    terminal.type(UP);
    await terminal.waitFor('the message, not the answer', () => terminal.cursorLine() === '> remove the old reports');
    terminal.type(CTRL_C);
    expect(await leave(terminal)).toBe(0);
  });

  it.each([
    ['a line', `y${ENTER}`],
    ['half a paste', '\u001b[200~y'],
  ])('ignores keys that were pressed before it was drawn: %s', async (_name, early) => {
    const { terminal, directory } = await startStory();
    terminal.type(`remove the old reports${ENTER}${early}`);
    await terminal.waitForText('n no (or only Enter)');
    await terminal.waitForPrompt('▌   > ');
    terminal.type(ENTER);
    await terminal.waitForText('  ✗ run_shell: denied\n');
    expect(existsSync(path.join(directory, 'reports'))).toBe(true);
    expect(await leave(terminal)).toBe(0);
  });

  it('is drawn in a single run, too, where Esc stops the run', async () => {
    const content: unknown = JSON.parse(readFileSync(path.join(STORY, 'scenario.json'), 'utf8'));
    const { url } = await startRecordingServer(content);
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', url, 'remove the old reports']);
    await terminal.waitForPrompt('▌   > ');
    terminal.type(CTRL_C);
    expect((await terminal.ended).exitCode).toBe(130);
  });
});

describe.runIf(process.platform !== 'win32')('the chat in a terminal', () => {
  it('shows model, workspace and mode, reads a paste of several lines as one message, and ends at /quit', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--permission-mode', 'read-only', '--no-sandbox']);
    await terminal.waitForPrompt();
    const screen = terminal.screen();
    expect(screen).toContain('ybs mock/mock-model');
    expect(screen).toContain(`workspace ${terminal.directory}`);
    expect(screen).toContain('permissions read-only\nsandbox: OFF (--no-sandbox)');
    expect(screen).toContain('fix the failing test');
    terminal.type('\u001b[200~tell me\nwhat can you do\n/quit\u001b[201~');
    await terminal.waitFor('the paste', () => terminal.cursorLine() === '  /quit');
    terminal.type(ENTER);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(`/quit${ENTER}`);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('takes each of its commands', async () => {
    const directory = temporaryDirectory();
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', shipped.url], { directory });
    await terminal.waitForPrompt();
    const rows: readonly (readonly [typed: string, shown: string])[] = [
      ['what can you do', 'I can read, search'],
      ['!echo one', 'exit code 0 after '],
      ['!!echo $((40 + 2)); (exit 3)', '\n42\nexit code 3 after '],
      ['@!echo two', 'exit code 0 after '],
      ['/compact', 'shorten'],
      ['/help', 'Ctrl-D    '],
      ['/tools', 'write_file    '],
      ['/reload-tools', 'Tool reload complete!'],
      ['/mode', 'The permission mode is ask.'],
      ['/permissions', 'permission mode ask (default)'],
      ['/approvals', 'You have allowed nothing for this session.'],
      ['/tasks', 'The model keeps no list of tasks.'],
      ['/context', 'the context window for mock/mock-model'],
      ['/cost', 'mock/mock-model: '],
      ['/diff', 'No file differs'],
      ['/undo', 'There is nothing to undo'],
      ['/checkpoints', 'This session has changed no file.'],
      ['/rewind', '1  what can you do'],
      ['/config ui', 'ui.color'],
      ['/effort low', 'The effort is low'],
      ['/model other', 'The model is mock/other'],
      ['/provider openai', 'The model stays mock/other.'],
      ['/save kept', 'Saved a copy of this session'],
      ['/session', 'messages\n'],
      ['/sessions', 'messages: what can you do'],
      ['/export kept.md', 'Exported this session'],
      ['what can you do? @file:kept.md', '@file:kept.md ('],
      ['/agent', 'No agent is chosen.'],
      ['/clear', 'Cleared the conversation'],
      ['/load kept', 'Loaded kept'],
    ];
    for (const [typed, shown] of rows) {
      terminal.type(`${typed}${ENTER}`);
      await terminal.waitForText(shown);
      await terminal.waitForPrompt();
    }
    for (const [typed, completed] of [
      ['see @file:ke', '> see @file:kept.md'],
      ['/dif', '> /diff'],
    ] as const) {
      terminal.type(`${typed}\t`);
      await terminal.waitFor(completed, () => terminal.cursorLine().startsWith(completed));
      terminal.type(CTRL_C);
      await terminal.waitForPrompt();
    }
    const names = rows.flatMap(([typed]) => /^\/(\S+)/.exec(typed)?.slice(1) ?? []);
    expect([...names, 'quit', 'exit'].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    terminal.type(`/exit${ENTER}`);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('clears the line at Ctrl-C, and leaves with 130 after Ctrl-C twice at an empty line', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', shipped.url]);
    await terminal.waitForPrompt();
    terminal.type('half a thought');
    await terminal.waitFor('the line', () => terminal.cursorLine() === '> half a thought');
    terminal.type(CTRL_C);
    await terminal.waitForText('^C');
    await terminal.waitForPrompt();
    terminal.type(CTRL_C);
    await terminal.waitForText('(Ctrl-C again to leave)');
    await terminal.waitForPrompt();
    terminal.type(CTRL_C);
    expect((await terminal.ended).exitCode).toBe(130);
  });

  it('ends at once when its session cannot be opened', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'config.json': '{"safety":{"sandbox_allowed_paths":["./loop"]}}' });
    symlinkSync('loop', path.join(directory, 'loop'));
    const terminal = startInTerminal(['-p', 'mock', '-c', 'config.json'], { directory });
    expect((await terminal.ended).exitCode).toBe(2);
    expect(terminal.screen()).toMatch(/^ybs: A directory cannot be used: .*loop/m);
  });

  it('inserts a paste of several lines where the cursor is', async () => {
    const server = await startRecordingServer({
      scenarios: [scenario('any', '', [{ response: { content: 'Read.' } }])],
    });
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url]);
    await terminal.waitForPrompt();
    terminal.type(`ab${LEFT}`);
    await terminal.waitFor('the cursor', () => terminal.cursorLine() === '> a');
    terminal.type('\u001b[200~one\ntwo\u001b[201~');
    await terminal.waitForText('> aone\n  twob');
    expect(terminal.cursorLine()).toBe('  two');
    terminal.type(`!${ENTER}`);
    await terminal.waitForText('Read.');
    expect(server.lastUserText()).toBe('aone\ntwo!b');
    expect(await leave(terminal)).toBe(0);
  });

  it('stops a run and its command at Ctrl-C, and shows the prompt again', async () => {
    const command = 'echo pid $$; sleep 300';
    const steps = [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] } },
      { response: { content: 'Slept.' } },
    ];
    const answer = [{ response: { content: 'Still here.' } }];
    const { url } = await startRecordingServer({
      scenarios: [
        { name: 'wait', trigger: 'wait', steps },
        { name: 'there', trigger: 'are you there', steps: answer },
      ],
    });
    const terminal = startInTerminal([
      '-p',
      'mock',
      '--endpoint',
      url,
      '--permission-mode',
      'full-access',
      '--no-sandbox',
    ]);
    await terminal.waitForPrompt();
    terminal.type(`wait${ENTER}`);
    await terminal.waitFor('the command', (screen) => /^▌ +pid \d+$/m.test(screen));
    const pid = Number(/^▌ +pid (\d+)$/m.exec(terminal.screen())?.[1]);
    terminal.type(CTRL_C);
    await terminal.waitForText('Stopped.');
    await terminal.waitForPrompt();
    expect(isProcessRunning(pid)).toBe(false);
    terminal.type(`are you there${ENTER}`);
    await terminal.waitForText('Still here.');
    expect(await leave(terminal)).toBe(0);
  });
});

/** A model whose answer takes until the test is over, and one that answers at once. */
const PATIENT = {
  scenarios: [
    scenario('slow', 'slow', [
      { response: { content: 'One two three. '.repeat(30) }, timing: { piece_delay_ms: 1_000 } },
    ]),
    scenario('any', '', [{ response: { content: 'Read.' } }]),
  ],
};

describe.runIf(process.platform !== 'win32').each([60, 100])('a session at %i columns', (columns) => {
  it('takes what is typed during a run, stops at Escape, and is kept for the next one', async () => {
    const server = await startRecordingServer(PATIENT);
    const directory = temporaryDirectory();
    const home = temporaryDirectory();
    const args = ['-p', 'mock', '--endpoint', server.url];
    const options = { directory, columns, environment: { XDG_CONFIG_HOME: home, EDITOR: 'sed -i s/a/A/' } };
    const first = startInTerminal(args, options);
    await first.waitForPrompt();
    expect(first.screen().split('\n').at(-1)).toMatch(/^▌ mock\/mock-model · ask · sandbox (?:on|OFF)$/);
    first.type(`slow${ENTER}`);
    await first.waitForText('\nOne two');
    first.type(`and then this${ENTER}typed`);
    await first.waitFor('the line', () => first.cursorLine() === 'next> typed');
    expect(first.screen()).toMatch(
      /\nOne two.*\n(?:▌ . thinking \d+ s \(Esc stops\)\n)?▌ next: and then this\nnext> typed\n▌ mock/,
    );
    first.resize(columns - 20);
    await first.waitFor('the line', () => first.cursorLine() === 'next> typed');
    first.resize(columns);
    first.type('\u001b');
    await first.waitForText('Stopped.');
    await first.waitFor('both lines', () => first.cursorLine() === '  typed');
    expect(first.screen()).toContain('\n> and then this\n  typed\n▌ mock');
    first.type('\u0007');
    await first.waitForText('> And then this');
    first.type(ENTER);
    await first.waitForText('Read.');
    expect(server.lastUserText()).toBe('And then this\ntyped');
    expect(await leave(first)).toBe(0);
    expect(first.screen()).toMatch(/\n▌ To go on: ybs --resume session-\S+$/);
    const second = startInTerminal(args, options);
    await second.waitForPrompt();
    second.type(`${UP}${UP}${UP}`);
    await second.waitFor('the first message', () => second.cursorLine() === '> slow');
    second.type('\u0012then');
    await second.waitFor('the search', () => second.cursorLine().startsWith('search "then": And '));
    second.type(`${CTRL_C}${CTRL_U}`);
    expect(await leave(second)).toBe(0);
  });
});

const SLEEP = 'echo pid $$; trap "" TERM HUP; while :; do sleep 1; done';

function scenario(name: string, trigger: string, steps: readonly object[]) {
  return { name, trigger: trigger === '' ? { regex: '.' } : trigger, steps };
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
  return ['-p', 'mock', '--endpoint', url];
}

describe.runIf(process.platform !== 'win32')('Ctrl-Z and fg', () => {
  async function suspendAndContinue(terminal: TerminalSession): Promise<void> {
    terminal.type(CTRL_Z);
    await terminal.waitForText('Stopped');
    await terminal.waitForPrompt('$ ');
    terminal.type(`fg${ENTER}`);
  }

  it('continue the chat at its prompt, with the line that was being typed and with pastes as one message', async () => {
    const terminal = await startInShell(['-p', 'mock', '--endpoint', shipped.url]);
    await terminal.waitForPrompt();
    terminal.type('what can');
    await terminal.waitFor('the line', () => terminal.cursorLine() === '> what can');
    await suspendAndContinue(terminal);
    await terminal.waitFor('the line', () => terminal.cursorLine() === '> what can');
    terminal.type('\u001b[200~ you do,\nplease\u001b[201~');
    await terminal.waitForText('> what can you do,\n  please');
    terminal.type(ENTER);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    await terminal.waitForPrompt('$ ');
  });

  it('continue at a question', async () => {
    const terminal = await startInShell(await startHanging());
    await terminal.waitForPrompt();
    terminal.type(`write it${ENTER}`);
    await terminal.waitForPrompt('▌   > ');
    await suspendAndContinue(terminal);
    await terminal.waitForPrompt('▌   > ');
    terminal.type('y');
    await terminal.waitForText('Written.');
    expect(existsSync(path.join(terminal.directory, 'a.txt'))).toBe(true);
  });

  it('continue in a run, in which Ctrl-C then stops the command', async () => {
    const terminal = await startInShell([
      ...(await startHanging()),
      '--permission-mode',
      'full-access',
      '--no-sandbox',
    ]);
    await terminal.waitForPrompt();
    terminal.type(`run it${ENTER}`);
    await terminal.waitFor('the command', (screen) => /^▌ +pid \d+$/m.test(screen));
    await suspendAndContinue(terminal);
    await terminal.waitFor('the continued job', (screen) => /^\$ fg$/m.test(screen));
    const pid = Number(/^▌ +pid (\d+)$/m.exec(terminal.screen())?.[1]);
    expect(isProcessRunning(pid)).toBe(true);
    terminal.type(CTRL_C);
    await terminal.waitForText('Stopped.\n');
    expect(isProcessRunning(pid)).toBe(false);
  });
});

describe.runIf(process.platform !== 'win32')('a terminal that is closed', () => {
  it.each([
    ['at the prompt', '', '> '],
    ['at a question', `write it${ENTER}`, '▌   > '],
    ['while the model is silent', `stall${ENTER}`, undefined],
    ['while a command runs', `run it${ENTER}`, 'pid'],
    ["while the user's command runs", `!${SLEEP}${ENTER}`, 'pid'],
  ])('%s ends ybs and its commands without a crash', async (_name, typed, shown) => {
    const mode = typed.startsWith('run it') ? 'full-access' : 'ask';
    const terminal = startInTerminal([...(await startHanging()), '--permission-mode', mode, '--no-sandbox']);
    await terminal.waitForPrompt();
    terminal.type(typed);
    if (shown === 'pid') await terminal.waitFor('the command', (screen) => /^(?:▌ +)?pid \d+$/m.test(screen));
    else if (shown !== undefined) await terminal.waitForPrompt(shown);
    else await terminal.waitForText('thinking 0 s (Esc stops)');
    const pid = Number(/^(?:▌ +)?pid (\d+)$/m.exec(terminal.screen())?.[1] ?? 0);
    terminal.hangUp();
    const { exitCode, signal } = await terminal.ended;
    expect(signal ?? 0).toBe(0);
    expect([0, 130]).toContain(exitCode);
    if (shown === 'pid') expect(isProcessRunning(pid)).toBe(false);
  });
});
