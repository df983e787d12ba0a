import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/app/commands/commands.ts';
import { CTRL_C, CTRL_D, CTRL_U, ENTER, LEFT, UP } from '../../support/processes/keys.ts';
import { isProcessRunning } from '../../support/processes/process-state.ts';
import { startInTerminal, type TerminalSession } from '../../support/processes/pty.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';
import { serveShippedStories } from '../../support/wires/serve-scenarios.ts';
import recorded from '../../unit/terminal/keys/recorded-input.json' with { type: 'json' };

const shipped = serveShippedStories();

function scenario(name: string, trigger: string, steps: readonly object[]) {
  return { name, trigger: trigger === '' ? { regex: '.' } : trigger, steps };
}

async function leave(terminal: TerminalSession): Promise<number> {
  await terminal.waitForPrompt();
  terminal.type(CTRL_D);
  return (await terminal.ended).exitCode;
}

describe.runIf(process.platform !== 'win32')('the chat in a terminal', () => {
  it('shows model, workspace and mode, reads a paste of several lines as one message, and ends at /quit', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--permission-mode', 'read-only', '--no-sandbox']);
    await terminal.waitForPrompt();
    const screen = terminal.screen();
    expect(screen).toContain('ybs mock/mock-model');
    expect(screen).toContain(`workspace ${terminal.directory}`);
    expect(screen).toContain('▌ permissions read-only\n▌ sandbox: OFF (--no-sandbox)');
    expect(screen).toContain('What can you do?');
    expect(screen).not.toContain('fix the failing test');
    terminal.type('\u001b[200~tell me\nwhat can you do\n/quit\u001b[201~');
    await terminal.waitFor('the paste', () => terminal.cursorLine() === '  /quit');
    terminal.type(ENTER);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(`/quit${ENTER}`);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it.each([['xterm-256color'], ['dumb']])(
    'starts each row of a warning about the configuration with the mark, if TERM is %s',
    async (TERM) => {
      const directory = temporaryDirectory();
      writeFiles(directory, { '.ybs.json': JSON.stringify({ unknown_key_of_a_project: 1 }) });
      const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], {
        directory,
        columns: 50,
        environment: { TERM },
      });
      await terminal.waitForPrompt();
      const rows = terminal.screen().split('\n');
      const first = rows.findIndex((row) => row.startsWith('▌ ! '));
      const last = rows.findIndex((row) => row.startsWith('▌ ybs '));
      const warning = rows.slice(first, last);
      expect(warning.join('')).toContain('unknown_key_of_a_project');
      expect(warning.filter((row) => !row.startsWith('▌ '))).toEqual([]);
      expect(await leave(terminal)).toBe(0);
    },
  );

  it('neither sends several lines that arrive together nor takes one as an answer if TERM is dumb', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', shipped.url, '--no-sandbox'], {
      environment: { TERM: 'dumb' },
    });
    await terminal.waitForPrompt();
    terminal.type(`write${ENTER}!touch ran${ENTER}`);
    await terminal.waitFor('the lines', () => terminal.cursorLine() === '> write⏎!touch ran⏎');
    terminal.type('\u007f\u007fm');
    await terminal.waitFor('the lines', () => terminal.cursorLine() === '> write⏎!touch ram');
    terminal.type(CTRL_C);
    await terminal.waitForPrompt();
    expect(existsSync(path.join(terminal.directory, 'ran'))).toBe(false);
    terminal.type(`write a short greeting${ENTER}`);
    await terminal.waitForText('(or only Enter)');
    await terminal.waitForPrompt('▌   > ');
    terminal.type(`no${ENTER}y`);
    await terminal.waitFor('the question again', (screen) => screen.split('▌   >').length === 3);
    terminal.type(ENTER);
    await terminal.waitFor('the result', (screen) => /denied|created/.test(screen));
    expect(terminal.screen()).toMatch(/write_file: denied$/m);
    expect(await leave(terminal)).toBe(0);
  });

  it('takes no reply of the terminal and no mouse report for a key, and reads the keys of keyboard protocols', async () => {
    const editor = path.join(temporaryDirectory(), 'opened');
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], {
      environment: { EDITOR: `touch '${editor}' #` },
    });
    await terminal.waitForPrompt();
    // Those of xterm 379 and kitty 0.26.5, among other keys; some replies end with BEL, which is Ctrl-G.
    const replies = recorded.replies
      .map(([, , bytes = '']) => bytes)
      .filter((bytes) => Buffer.byteLength(bytes) === bytes.length);
    expect(replies.length).toBeGreaterThan(80);
    terminal.type(`a${replies.join('')}b`);
    await terminal.waitFor('the letters', () => terminal.cursorLine() === '> ab');
    for (const reply of replies.slice(0, 20)) {
      terminal.type(reply.slice(0, 3));
      terminal.type(reply.slice(3));
    }
    terminal.type('\u001b[27;2;13~c\u001b[13;2ud\u001b[99:67;2;67u\u001b[99;1:3u');
    await terminal.waitFor('the keys', () => terminal.cursorLine() === '  dC');
    expect(terminal.screen()).toMatch(/> ab\n {2}c\n {2}dC$/m);
    terminal.type('\u001b[99;5u');
    await terminal.waitForPrompt();
    expect(existsSync(editor)).toBe(false);
    expect(await leave(terminal)).toBe(0);
  });

  it('continues after a paste whose end is lost', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox']);
    await terminal.waitForPrompt();
    terminal.type('\u001b[200~partial paste');
    await terminal.waitFor('the paste', () => terminal.cursorLine() === '> partial paste');
    terminal.type('x');
    await terminal.waitFor('the key', () => terminal.cursorLine() === '> partial pastex');
    terminal.type(CTRL_C);
    expect(await leave(terminal)).toBe(0);
  });

  it('reads lines after the question about the project if TERM is dumb', async () => {
    const [directory, config] = [temporaryDirectory(), temporaryDirectory()];
    writeFiles(directory, { '.ybs.json': '{"git": {"commit_message_prefix": "a: "}}' });
    writeFiles(config, { 'ybs/trust.json': '{"version": 1, "projects": {}}' });
    chmodSync(path.join(config, 'ybs/trust.json'), 0o600);
    const environment = { TERM: 'dumb', XDG_CONFIG_HOME: config };
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], { directory, environment });
    await terminal.waitForText('Do you trust the project');
    await terminal.waitForPrompt('▌   > ');
    terminal.type(`y${ENTER}`);
    await terminal.waitForPrompt();
    terminal.type(`what can you do${ENTER}`);
    await terminal.waitForText('I can read, search');
    expect(await leave(terminal)).toBe(0);
  });

  it('takes no reply of the terminal for text if TERM is dumb', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], { environment: { TERM: 'dumb' } });
    await terminal.waitForPrompt();
    terminal.type('a\u001b]11;rgb:1c1c/1e1e/2626\u0007\u001b[?62;22c\u001b[<65;40;17M\u001b[I\u001b[98ub');
    await terminal.waitFor('the letters', () => terminal.cursorLine() === '> abb');
    terminal.type('\u001b[27;5;99~');
    expect(await leave(terminal)).toBe(0);
  });

  it('accepts each of its commands', async () => {
    const directory = temporaryDirectory();
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', shipped.url], { directory });
    await terminal.waitForPrompt();
    const rows: readonly (readonly [typed: string, shown: string])[] = [
      ['what can you do', 'I can read, search'],
      ['!echo one', 'exit code 0 after '],
      ['!!echo $((40 + 2)); (exit 3)', '\n42\n▌ exit code 3 after '],
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
      ['/copy', 'Sent the last answer to the clipboard'],
      ['/diff', 'No file differs'],
      ['/undo', 'There is nothing to undo'],
      ['/checkpoints', 'This session has changed no file.'],
      ['/rewind', '1  what can you do'],
      ['/config ui', 'ui.color'],
      ['/effort low', 'The effort is low'],
      ['/model nope', 'mock does not list nope; the next request shows whether it has it. It offers: mock-model.'],
      ['/model mock-model', 'The model is mock/mock-model from'],
      ['/provider openai', 'The model stays mock/mock-model.'],
      ['/save kept', 'Saved a copy of this session'],
      ['/session', 'prompts\n'],
      ['/sessions', 'prompts: what can you do'],
      ['/export kept.md', 'Exported this session'],
      ['what can you do? @file:kept.md', '@file:kept.md ('],
      ['/agent', 'No agent is chosen.'],
      ['/skills', 'There are no skills.'],
      ['/mcp', 'There are no servers.'],
      ['/clear', 'Cleared the conversation'],
      ['/load kept', 'Loaded kept'],
      ['/resume nope', 'There is no session "nope"'],
    ];
    for (const [typed, shown] of rows) {
      terminal.type(`${typed}${ENTER}`);
      await terminal.waitForText(`\n> ${typed}\n`);
      await terminal.waitForText(shown);
      await terminal.waitForPrompt();
    }
    for (const [typed, completed] of [
      ['see @file:ke', '> see @file:kept.md'],
      ['/dif', '> /diff'],
      ['/eff\tlo', '> /effort low '],
    ] as const) {
      terminal.type(`${typed}\t`);
      await terminal.waitFor(completed, () => terminal.cursorLine().startsWith(completed));
      terminal.type(CTRL_C);
      await terminal.waitForPrompt();
    }
    const names = rows.flatMap(([typed]) => /^\/(\S+)/.exec(typed)?.slice(1) ?? []);
    expect([...new Set([...names, 'quit', 'exit'])].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    terminal.type(`/exit${ENTER}`);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('ends at once when its session cannot be opened', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'config.json': '{"safety":{"sandbox_allowed_paths":["./loop"]}}' });
    symlinkSync('loop', path.join(directory, 'loop'));
    const terminal = startInTerminal(['-p', 'mock', '-c', 'config.json'], { directory });
    expect((await terminal.ended).exitCode).toBe(2);
    expect(terminal.screen()).toMatch(/^ybs: A directory cannot be used: .*loop/m);
  });

  it('inserts a paste where the cursor is, and at Ctrl-C clears the line, stops a run and its command, and leaves', async () => {
    const command = 'echo pid $$; sleep 300';
    const server = await startRecordingServer({
      scenarios: [
        scenario('wait', 'wait', [
          { response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] } },
          { response: { content: 'Slept.' } },
        ]),
        scenario('there', 'are you there', [{ response: { content: 'Still here.' } }]),
        scenario('any', '', [{ response: { content: 'Read.' } }]),
      ],
    });
    const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url, ...mode]);
    await terminal.waitForPrompt();
    terminal.type(`ab${LEFT}`);
    await terminal.waitFor('the cursor', () => terminal.cursorLine() === '> a');
    terminal.type('\u001b[200~one\ntwo\u001b[201~');
    await terminal.waitForText('> aone\n  twob');
    expect(terminal.cursorLine()).toBe('  two');
    terminal.type(`!${ENTER}`);
    await terminal.waitForText('Read.');
    expect(server.lastUserText()).toBe('aone\ntwo!b');
    await terminal.waitForPrompt();
    // A paste that the terminal does not mark.
    terminal.type('half\r!touch ran\r');
    terminal.type('a thought');
    await terminal.waitForText('> half\n  !touch ran\n  a thought');
    terminal.type(CTRL_C);
    await terminal.waitForText('^C');
    await terminal.waitForPrompt();
    expect(existsSync(path.join(terminal.directory, 'ran'))).toBe(false);
    terminal.type(`wait${ENTER}`);
    await terminal.waitFor('the command', (screen) => /^▌ +pid \d+$/m.test(screen));
    const pid = Number(/^▌ +pid (\d+)$/m.exec(terminal.screen())?.[1]);
    terminal.type(CTRL_C);
    await terminal.waitForText('Stopped.');
    await terminal.waitForPrompt();
    expect(isProcessRunning(pid)).toBe(false);
    terminal.type(`are you there${ENTER}`);
    await terminal.waitForText('Still here.');
    await terminal.waitForPrompt();
    terminal.type(CTRL_C);
    await terminal.waitForText('(Ctrl-C again to leave)');
    await terminal.waitForPrompt();
    terminal.type(CTRL_C);
    expect((await terminal.ended).exitCode).toBe(130);
  });
});

/** A model whose answer stops after three words until the test is over, and one that answers at once. */
const PATIENT = {
  scenarios: [
    scenario('slow', 'slow', [
      {
        response: { content: 'One two three. One two three.' },
        timing: { time_to_first_token_ms: 1, piece_delay_ms: 600_000, chunk: { by: 'words', size: 3 } },
      },
    ]),
    scenario('any', '', [{ response: { content: 'Read.' } }]),
  ],
};

describe.runIf(process.platform !== 'win32')('a session', () => {
  it('accepts input during a run, stops at Escape, and can be continued, at two widths', async () => {
    const server = await startRecordingServer(PATIENT);
    const directory = temporaryDirectory();
    const environment = { XDG_CONFIG_HOME: temporaryDirectory(), EDITOR: "sed -i 's/a/A/; s/typd/typed/'" };
    const start = async (columns: number) => {
      const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { directory, columns, environment });
      await terminal.waitForPrompt();
      return terminal;
    };
    const typeDuringRun = async (terminal: TerminalSession, columns: number) => {
      expect(terminal.screen().split('\n').at(-1)).toMatch(
        /^▌ (?:sandbox OFF · )?mock\/mock-model · ask(?: · sandbox on)?$/,
      );
      terminal.type(`slow${ENTER}`);
      await terminal.waitForText('\nOne two');
      terminal.type(`and then this${ENTER}`);
      await terminal.waitForText('▌ for the next request: and then this');
      terminal.type('typd\u0007');
      await terminal.waitFor('the line', () => terminal.cursorLine() === 'next> typed');
      expect(terminal.screen()).toMatch(
        /\nOne two.*\n▌ for the next request: and then this\nnext> typed\n▌ Enter: with the next request · Ctrl-Q: after this run\n(?:▌ . (?:answering|waiting for the server) \d+ s \(Esc stops\)\n)?▌ mock/,
      );
      terminal.resize(columns - 20);
      await terminal.waitFor('the line', () => terminal.cursorLine() === 'next> typed');
      terminal.resize(columns);
      terminal.type('\u001b');
      await terminal.waitForText('Stopped.');
      await terminal.waitFor('both lines', () => terminal.cursorLine() === '  typed');
      expect(terminal.screen()).toContain('\n> and then this\n  typed\n▌ mock');
      terminal.type('\u0007');
      await terminal.waitForText('> And then this');
      terminal.type(ENTER);
      await terminal.waitForText('Read.');
      expect(server.lastUserText()).toBe('And then this\ntyped');
      expect(await leave(terminal)).toBe(0);
      const hint = terminal.screen().split('\n▌ To continue:\n').at(-1)?.replaceAll('\n', '');
      expect(hint).toMatch(/^XDG_CONFIG_HOME=\S+ ybs --provider mock --endpoint http:\S+ --resume session-\S+$/);
    };
    await typeDuringRun(await start(60), 60);
    const next = await start(100);
    next.type(`${UP}${UP}${UP}`);
    await next.waitFor('the first message', () => next.cursorLine() === '> slow');
    next.type('\u0012then');
    await next.waitFor('the search', () => next.cursorLine().startsWith('search "then": And '));
    next.type(`${CTRL_C}${CTRL_U}`);
    await next.waitForPrompt();
    await typeDuringRun(next, 100);
  });

  it('keeps the typed text when the editor fails, and when the width changes', async () => {
    const server = await startRecordingServer(PATIENT);
    const environment = { EDITOR: 'sh -c "exit 1"' };
    const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { environment });
    await terminal.waitForPrompt();
    terminal.type(`/mode${ENTER}`);
    await terminal.waitForText('The permission mode is');
    await terminal.waitForPrompt();
    terminal.type('kept\u0007');
    await terminal.waitForText('\n▌ The editor sh -c "exit 1" failed with exit code 1.\n> kept');
    terminal.type(CTRL_U);
    const draft = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0')).join('');
    terminal.type(draft);
    const drawn = async (columns: number) =>
      terminal.waitFor('the draft', (screen) => {
        const rows = screen.split('\n').slice(0, -1);
        const first = rows.findLastIndex((row) => row.startsWith('> 000'));
        const isWide = rows[first]?.length === columns - 1 || rows[first]?.length === columns - 2;
        const text = rows.slice(first).map((row) => row.slice(2).trimEnd());
        return isWide && text.join('') === draft;
      });
    await drawn(100);
    for (const columns of [60, 30, 100, 50, 100]) {
      terminal.resize(columns);
      await drawn(columns);
    }
    expect(terminal.screen()).toMatch(
      /\n> \/mode\n▌ The permission mode is ask\. Others: .*full-access\.\n▌ The editor .*\n> 000/,
    );
    terminal.type(CTRL_U);
    expect(await leave(terminal)).toBe(0);
  });
});
