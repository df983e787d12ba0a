import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInTerminal } from '../support/pty.ts';
import { startRecordingServer } from '../support/recording-server.ts';
import { runBin } from '../support/run-bin.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A model that answers two prompts, and a home and a directory that several starts of ybs share. */
async function setUp() {
  const step = (content: string) => ({ steps: [{ response: { content } }] });
  const server = await startRecordingServer({
    scenarios: [
      { name: 'second', trigger: 'and then', ...step('Then tea.') },
      { name: 'first', trigger: 'what first', ...step('First water.') },
    ],
  });
  const home = temporaryDirectory();
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const directory = temporaryDirectory();
  const sessions = path.join(home, '.config/ybs/sessions');
  const logs = () => readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
  const read = (name: string) => readFileSync(path.join(sessions, name), 'utf8');
  return {
    server,
    options: { environment, directory },
    args: ['-p', 'mock', '--endpoint', server.url],
    sessions,
    logs,
    read,
  };
}

describe('a single run', () => {
  it('is stored, and goes on with --continue and --resume', async () => {
    const { server, options, args, sessions, logs, read } = await setUp();
    expect((await runBin([...args, 'what first?'], options)).stdout).toContain('First water.\n');
    const [log = ''] = logs();
    expect(log).toMatch(/^session-\d{8}-\d{6}-[0-9a-f]{4}\.jsonl$/);
    const before = read(log);
    expect((await runBin([...args, '--continue', 'and then?'], options)).stdout).toContain('Then tea.\n');
    expect(server.userTexts()).toEqual(['what first?', 'and then?']);
    expect(read(log).startsWith(before)).toBe(true);
    expect(readdirSync(sessions)).toEqual([log]);
    const [, id = ''] = /"sessionId":"([^"]+)"/.exec(before) ?? [];
    expect((await runBin([...args, '--resume', id.slice(0, 8), 'and then?'], options)).code).toBe(0);
    expect(server.userTexts()).toHaveLength(3);
    expect(logs()).toEqual([log]);
  });

  it.each([
    ['a list that nobody can choose from', ['--resume'], '--resume needs the id of a session here.'],
    ['no session of the directory', ['--continue'], 'There is no session of '],
  ])('ends with code 2 for %s', async (_name, session, message) => {
    const { options, args, sessions } = await setUp();
    const { code, stderr } = await runBin([...args, ...session], {
      ...options,
      input: 'what first?',
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(sessions)).toBe(false);
  });
});

describe.runIf(process.platform !== 'win32')('the chat in a terminal', () => {
  it('goes on with a session from the list, saves it, and loads another one', async () => {
    const { server, options, args, logs } = await setUp();
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
