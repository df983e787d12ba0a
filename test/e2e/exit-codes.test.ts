import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ybsEntry } from '../support/processes/entry.ts';
import { isProcessRunning } from '../support/processes/process-state.ts';
import { startBin } from '../support/processes/run-bin.ts';
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

describe.runIf(process.platform !== 'win32')('the exit code 130', () => {
  // Terminal tests send SIGINT and SIGHUP.
  it('is for SIGTERM in the middle of a command, with nothing left behind', async () => {
    const command = 'echo pid $$; sleep 600 & echo pid $!; wait';
    const call = { response: { tool_calls: [{ name: 'run_shell', arguments: { command } }] } };
    const { url } = await startRecordingServer({ scenarios: [scenario('wait', [call, answer])] });
    // In the sandbox, the ids of processes mean nothing outside.
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

  it('is for an output that its reader has closed, without a message', async () => {
    const steps = [{ response: { content: 'word '.repeat(20_000) }, timing: { piece_delay_ms: 20 } }];
    const { url } = await startRecordingServer({ scenarios: [scenario('talk', steps)] });
    const run = startBin(['--output-format', 'json', '-p', 'mock', '--endpoint', url, 'play talk']);
    await run.waitFor('\n');
    run.hangUp();
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});
