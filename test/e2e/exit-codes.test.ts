import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ybsEntry } from '../support/processes/entry.ts';
import { isProcessRunning } from '../support/processes/process-state.ts';
import { binEnvironment, runBin, startBin } from '../support/processes/run-bin.ts';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../support/wires/recording-server.ts';

const answer = { response: { content: 'Done.' } };
const scenario = (name: string, steps: readonly object[]) => ({ name, trigger: `play ${name}`, steps });

describe.runIf(process.platform === 'linux')('an output that cannot be written', () => {
  it('is reported as a failure with its reason, even for a short answer', async () => {
    const arguments_ = ['-c', '"$0" "$1" --help > /dev/full', process.execPath, ybsEntry];
    const { exitCode, stderr } = await execa('sh', arguments_, { reject: false });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'ybs: The disk is full. Free some space or write the output elsewhere, then start again.',
    });
  });
});

it('says that ybs was updated if the rest of its files is gone', async () => {
  const directory = temporaryDirectory();
  const dist = path.join(directory, 'dist');
  cpSync(path.dirname(ybsEntry), dist, { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), '{"version":"0.0.0"}');
  const ybs = execa(process.execPath, [path.join(dist, path.basename(ybsEntry)), '-p', 'mock'], {
    ...{ cwd: temporaryDirectory(), env: binEnvironment(), extendEnv: false, reject: false },
  });
  // It says that it waits for its input.
  await once(ybs.stderr, 'data');
  for (const name of readdirSync(dist)) if (name.startsWith('chunk-')) rmSync(path.join(dist, name));
  ybs.stdin.end('fix it\n');
  const { exitCode, stderr } = await ybs;
  expect(stderr).toMatch(/\nybs: The files of ybs were replaced or removed while it ran, such as by an update\./);
  expect(exitCode).toBe(1);
});

describe.runIf(process.platform === 'linux')('a limit of the file size', () => {
  it.each([
    ['the session', 'x'.repeat(9000), 1, 'the limit of the file size (ulimit -f) is reached'],
    ['the compile cache of Node.js at its exit', 'Done.', 0, ''],
  ])('does not end ybs with a signal when it is reached by %s', async (_file, content, code, message) => {
    const call = { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'ls' } }] } };
    const { url } = await startRecordingServer({ scenarios: [scenario('list', [call, { response: { content } }])] });
    // The cache directory that ybs chooses, not that of the tests.
    const env = { HOME: temporaryDirectory(), XDG_CACHE_HOME: temporaryDirectory(), NODE_COMPILE_CACHE: undefined };
    const args = ['-p', 'mock', '--endpoint', url, '--permission-mode', 'full-access', 'play list'];
    const script = `ulimit -f 14; exec "$0" "$@" --no-sandbox --cwd ${temporaryDirectory()} < /dev/null`;
    const limited = ['-c', script, process.execPath, ybsEntry, ...args];
    const { exitCode, signal, stderr } = await execa('sh', limited, { reject: false, env });
    expect({ exitCode, signal }).toEqual({ exitCode: code, signal: undefined });
    expect(stderr).toContain(message);
  });
});

describe.runIf(process.platform !== 'win32')('the exit code 130', () => {
  // Terminal tests send SIGINT and SIGHUP.
  it('follows SIGTERM during a command, of which no process is left', async () => {
    const command = 'echo pid $$; sleep 600 & echo pid $!; wait';
    const call = { response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] } };
    const { url } = await startRecordingServer({ scenarios: [scenario('wait', [call, answer])] });
    // Process ids in the sandbox have no meaning outside it.
    const args = ['-p', 'mock', '--endpoint', url, '--permission-mode', 'full-access', '--no-sandbox', 'play wait'];
    const run = startBin(args);
    await run.waitFor('  pid ', 2);
    run.signal('SIGTERM');
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('Stopped.\n');
    const pids = [...stdout.matchAll(/ pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.filter(isProcessRunning)).toEqual([]);
    expect(pids).toHaveLength(2);
  });

  it('follows the end of the reader of the output, without a message', async () => {
    const steps = [{ response: { content: 'word '.repeat(20_000) }, timing: { piece_delay_ms: 20 } }];
    const { url } = await startRecordingServer({ scenarios: [scenario('talk', steps)] });
    const run = startBin(['--output-format', 'json', '-p', 'mock', '--endpoint', url, 'play talk']);
    await run.waitFor('\n');
    run.hangUp();
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});

describe('changes of the configuration', () => {
  it('are all kept when several processes make them at the same time', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryDirectory() };
    const keys = ['llm.max_tokens', 'agent.max_iterations', 'session.max_sessions', 'ui.bell_seconds'];
    await Promise.all(keys.map((key) => runBin(['config', 'set', key, '77'], { environment })));
    const { stdout } = await runBin(['config', '--output-format', 'json'], { environment });
    const rows: { name: string; value: unknown }[] = JSON.parse(stdout);
    expect(keys.map((key) => rows.find(({ name }) => name === key)?.value)).toEqual([77, 77, 77, 77]);
  });
});

it.each([['test'], ['eval'], ['story', 'from']])('a file that is missing ends %s %s with 2', async (...words) => {
  const { code, stderr } = await runBin([...words, 'missing.json']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/missing\.json.*correct the path/is) });
});
