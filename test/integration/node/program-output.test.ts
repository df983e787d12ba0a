import { realpathSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { readProgramOutput } from '../../../src/node/shell/program-output.ts';

const home = realpathSync(os.homedir());
const never = new AbortController().signal;
const run = (code: string, signal = never) =>
  readProgramOutput(process.execPath, ['-e', code], { environment: { GREETING: 'hello' }, home }, signal);

describe('the output of a program', () => {
  it('is its standard output, from a run in the home directory with the environment', async () => {
    const code = "console.error('noise'); console.log(process.env.GREETING, process.cwd())";
    expect(await run(code)).toEqual({ type: 'output', text: `hello ${home}\n` });
  });

  it.each([
    ['its exit code', 'process.exit(3)', 'exit code 3'],
    ['a signal', "process.kill(process.pid, 'SIGKILL')", 'signalled'],
    ['its length', "process.stdout.write('x'.repeat(100_000))", 'it printed too much'],
  ])('is missing because of %s', async (_name, code, reason) => {
    expect(await run(code)).toEqual({ type: 'failed', reason });
  });

  it('is missing for a program that does not exist, and after an abort', async () => {
    const missing = await readProgramOutput('no-such-program-here', [], { environment: {}, home }, never);
    expect(missing).toEqual({ type: 'failed', reason: 'it is not installed or cannot be started' });
    expect(await run('setInterval(() => {}, 1000)', AbortSignal.timeout(300))).toEqual({
      type: 'failed',
      reason: 'aborted',
    });
  });
});
