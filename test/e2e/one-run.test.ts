import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEvents } from '../support/agent-event-schema.ts';
import { runBin, startBin } from '../support/run-bin.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PLAYGROUND = path.join(import.meta.dirname, '../../examples/playground');
const FIX = ['--provider', 'mock', '--permission-mode', 'full-access', 'fix the failing test'];

function playground(): string {
  const directory = temporaryDirectory();
  cpSync(PLAYGROUND, directory, { recursive: true });
  return directory;
}

describe('one run', () => {
  // readme.test.ts compares the whole text of a run with edits and commands.
  it('prints answers and calls, works in the directory of --cwd, and does not read standard input', async () => {
    const args = ['--cwd', playground(), '-p', 'mock', 'explain the cart'];
    const { code, stdout, stderr } = await runBin(args, { input: '/nonsense\n' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Let me look at it\.\n● read src\/cart\.js\n {2}→ read_file: lines 1–33 of 33\n/);
    expect(stdout).toMatch(/wrong at exactly 50\.00\.\n\d+ tokens in, \d+ out\n$/);
    expect(stdout).not.toContain('Unknown command');
  });

  it('as JSON is one event per line and nothing else', async () => {
    const directory = playground();
    const { code, stdout, stderr } = await runBin(['--output-format', 'json', ...FIX], { directory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const events = parseEvents(stdout);
    expect(events[0]).toMatchObject({ type: 'session_start', model: 'mock/mock-model', permissionMode: 'full-access' });
    expect(events.at(-1)).toEqual({ type: 'run_end', outcome: 'done', message: 'Done.' });
    const called = events.flatMap((event) => (event.type === 'tool_call' ? [event.call.id] : []));
    const answered = events.flatMap((event) => (event.type === 'tool_result' ? [event.callId] : []));
    expect(answered).toEqual(called);
    expect(called).toHaveLength(4);
    const outputs = events.flatMap((event) => (event.type === 'tool_output' ? [event.text] : [])).join('');
    expect(outputs).toMatch(/\bfail 1\n[\s\S]*\bfail 0\n/);
    expect(readFileSync(path.join(directory, 'src/cart.js'), 'utf8')).toContain('amount >= FREE_SHIPPING_FROM');
  });

  it('--dry-run plans everything and runs nothing', async () => {
    const directory = playground();
    const before = readFileSync(path.join(directory, 'src/cart.js'), 'utf8');
    const { code, stdout } = await runBin(['--dry-run', ...FIX], { directory });
    expect(code).toBe(0);
    expect(stdout).toContain('● edit src/cart.js (+1 −1)\n  ✗ edit_file: dry run, not executed\n');
    expect(stdout).not.toContain('fail 1');
    expect(readFileSync(path.join(directory, 'src/cart.js'), 'utf8')).toBe(before);
  });

  it('stops without a message when the output has been closed', async () => {
    const run = startBin(['--output-format', 'json', ...FIX], { directory: playground() });
    await run.waitFor('\n');
    run.hangUp();
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});

describe('piped input', () => {
  it('is one message per line, including commands and !commands', async () => {
    const input = 'what can you do?\n/hepl\n!echo from the shell\n\nexplain the cart';
    const { code, stdout, stderr } = await runBin(['-p', 'mock'], { directory: playground(), input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const order = ['I can read,', 'Did you mean /help?', '\nfrom the shell\n', 'I am the embedded mock', '→ read_file'];
    const positions = order.map((text) => stdout.indexOf(text));
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect(positions).toEqual(positions.toSorted((left, right) => left - right));
  });

  it('ends with the exit code of the last run', async () => {
    const input = 'explain the cart\nwrite a todo list\n/tools\n';
    expect((await runBin(['-p', 'mock'], { directory: playground(), input })).code).toBe(3);
  });

  it('that is empty starts no run', async () => {
    expect(await runBin(['-p', 'mock'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
