import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRecordingServer } from '../support/recording-server.ts';
import { runBin, startBin } from '../support/run-bin.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PLAYGROUND = path.join(import.meta.dirname, '../../examples/playground');

function playground(): string {
  const directory = temporaryDirectory();
  cpSync(PLAYGROUND, directory, { recursive: true });
  return directory;
}

describe('one run', () => {
  // readme.test.ts compares the whole text of a run with edits and commands.
  it('prints answers and calls, and works in the directory of --cwd', async () => {
    const args = ['--cwd', playground(), '-p', 'mock', 'explain the cart'];
    const { code, stdout, stderr } = await runBin(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Let me look at it\.\n▌ ● read src\/cart\.js\n▌ {3}→ read_file: lines 1–33 of 33\n/);
    expect(stdout).toMatch(/wrong at exactly 50\.00\.\n▌ \d+ tokens in, \d+ out\n$/);
  });

  it('stops without a message when the output has been closed', async () => {
    const run = startBin(['--output-format', 'json', '-p', 'mock', 'explain the cart'], { directory: playground() });
    await run.waitFor('\n');
    run.hangUp();
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});

describe('piped input', () => {
  it('is context for a prompt', async () => {
    const server = await startRecordingServer({
      scenarios: [{ name: 'a', trigger: 'explain', steps: [{ response: { content: 'A stack trace.' } }] }],
    });
    const args = ['-p', 'mock', '--endpoint', server.url, 'explain'];
    const { code, stdout } = await runBin(args, { input: 'Error: boom\n  at x.js:1\n' });
    expect({ code, stdout: stdout.split('\n')[0] }).toEqual({ code: 0, stdout: 'A stack trace.' });
    expect(server.lastUserText()).toBe('explain\n\n<stdin>\nError: boom\n  at x.js:1\n</stdin>');
  });
});
