import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEvents } from '../../support/agent/published-schema.ts';
import { pathWithQuickNpm } from '../../support/processes/quick-npm.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';
import { serveShippedStories } from '../../support/wires/serve-scenarios.ts';

const PLAYGROUND = path.join(import.meta.dirname, '../../../examples/playground');
const shipped = serveShippedStories();

/** Options of a run with full access on the bundled stories in this process. */
const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
const options = () => ['--provider', 'mock', '--endpoint', shipped.url, ...mode];
const fix = () => [...options(), 'fix the failing test'];

function playground(): string {
  const directory = temporaryDirectory();
  cpSync(PLAYGROUND, directory, { recursive: true });
  return directory;
}

describe('one run', () => {
  it('prints answers and calls, and works in the directory of --cwd', async () => {
    const args = ['--cwd', playground(), '-p', 'mock', 'explain the cart'];
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Let me look at it\.\n▌ ● read src\/cart\.js\n▌ {3}→ read_file: lines 1–33 of 33\n/);
    expect(stdout).toMatch(/wrong at exactly 50\.00\.\n▌ [\d,]+ tokens in, [\d,]+ out\n$/);
  });

  it('uses the embedded mock model with --provider mock, even if a server is configured for it', async () => {
    const directory = playground();
    const server = await startRecordingServer({
      scenarios: [{ name: 'a', trigger: 'explain', steps: [{ response: { content: 'From the server.' } }] }],
    });
    const config = path.join(temporaryDirectory(), 'config.json');
    writeFileSync(config, JSON.stringify({ llm: { provider: 'mock', endpoint: server.url, model: 'other' } }));
    const run = async (...args: readonly string[]) =>
      (await runMain(['--quiet', '--config', config, ...args, 'explain the cart'], { directory })).stdout;
    expect(await run()).toBe('From the server.\n');
    expect(await run('-p', 'mock')).toMatch(/wrong at exactly 50\.00\.\n$/);
  });

  it('with --quiet prints only the final answer, or the reason why there is none on standard error', async () => {
    const args = ['--quiet', '-p', 'mock', 'explain the cart'];
    const { code, stdout, stderr } = await runMain(args, { directory: playground() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(?!Let me look)[^●→]+wrong at exactly 50\.00\.\n$/);
    const denied = await runMain(['--quiet', '-p', 'mock', 'fix the failing test'], { directory: playground() });
    expect(denied).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^ybs: [^\n]+\n$/) });
  });

  it.each([
    ['in a dry run', ['--dry-run'], playground, 'This is a dry run, so that call did not run and nothing is done.\n'],
    ['without the files of the story', [], temporaryDirectory, /^I stop here: that call did not run/],
  ] as const)('of a demo reports nothing that was not done, %s', async (_name, more, open, said) => {
    const args = [...options(), ...more, '--quiet', 'raise the shipping price'];
    const { stdout } = await runMain(args, { directory: open() });
    if (typeof said === 'string') expect(stdout).toBe(said);
    else expect(stdout).toMatch(said);
  });

  it('as JSON prints only one event per line', async () => {
    const directory = playground();
    const environment = { PATH: pathWithQuickNpm() };
    const { code, stdout, stderr } = await runMain(['--output-format', 'json', ...fix()], { directory, environment });
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

  it('with --dry-run plans all calls, shows the changes and runs only reads', async () => {
    const directory = playground();
    const before = readFileSync(path.join(directory, 'src/cart.js'), 'utf8');
    const { code, stdout } = await runMain(['--dry-run', ...fix()], { directory });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n▌ ● edit src\/cart\.js \(\+1 −1\)\n▌ {3}--- a\/src\/cart\.js\n[^●]*\n▌ {3}\+ .*>=.*\n/);
    expect(stdout).toContain('  ✗ edit_file: dry run, not executed\n');
    expect(stdout).toContain('  → read_file: ');
    expect(stdout).not.toContain('fail 1');
    expect(readFileSync(path.join(directory, 'src/cart.js'), 'utf8')).toBe(before);
  });

  it.each([
    ['anthropic', ''],
    ['codex', '/v1'],
    ['gemini', '/v1beta'],
    ['ollama', ''],
  ])('of the provider %s works over its own API', async (provider, basePath) => {
    const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'written' } };
    const steps = [{ response: { tool_calls: [call] } }, { response: { content: 'Written.' } }];
    const { url } = await startRecordingServer({ scenarios: [{ name: 'write', trigger: 'write it', steps }] });
    const directory = temporaryDirectory();
    const args = ['-p', provider, '--endpoint', `${url}${basePath}`, '--permission-mode', 'full-access', 'write it'];
    const { code, stdout, stderr } = await runMain(args, { directory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('→ write_file: ');
    expect(readFileSync(path.join(directory, 'a.txt'), 'utf8')).toBe('written');
  });
});

describe('piped input', () => {
  it('is context for a prompt', async () => {
    const server = await startRecordingServer({
      scenarios: [{ name: 'a', trigger: 'explain', steps: [{ response: { content: 'A stack trace.' } }] }],
    });
    const args = ['-p', 'mock', '--endpoint', server.url, 'explain'];
    const { code, stdout } = await runMain(args, { input: 'Error: boom\n  at x.js:1\n' });
    expect({ code, stdout: stdout.split('\n')[0] }).toEqual({ code: 0, stdout: 'A stack trace.' });
    expect(server.lastUserText()).toBe('explain\n\n<stdin>\nError: boom\n  at x.js:1\n</stdin>');
  });

  it('without a prompt is one prompt, in which commands of the chat are text', async () => {
    const directory = playground();
    const input = '!touch pwned\nplease explain the cart\n/quit\n !touch pwned\n';
    const { code, stdout, stderr } = await runMain(options(), { directory, input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/tokens in/g)).toHaveLength(1);
    expect(stdout).toContain('→ read_file');
    expect(existsSync(path.join(directory, 'pwned'))).toBe(false);
  });

  it('without any text is rejected with a hint', async () => {
    const { code, stdout, stderr } = await runMain(['-p', 'mock'], { input: ' \n\n' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'ybs: There is no prompt: standard input is empty and not a terminal. Give one: ybs "fix the test"\n',
    );
  });

  it('that is too long is rejected, however long its lines are', async () => {
    const { code, stdout, stderr } = await runMain(['-p', 'mock', 'explain'], { input: 'x'.repeat(4_000_001) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'ybs: Standard input is longer than 4 MB, more than a model can read. Give a part of it, such as the end: tail -n 1000\n',
    );
  });
});
