import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createNodeShell } from '../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../src/node/shell/shell-program.ts';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { shellBench } from '../support/random/shell-bench.ts';

const MAX_GROWTH = 150 * 1024 * 1024;
const memory = (): number => process.memoryUsage().rss;

// The commands are written for a POSIX shell.
describe.skipIf(process.platform === 'win32')('the memory of this process stays bounded', () => {
  it('while the shell passes on 100 MB', async () => {
    const shell = createNodeShell({
      program: chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync }),
    });
    const command = {
      command: 'yes 123456789 | head -n 10000000',
      workingDirectory: tmpdir(),
      environment: { PATH: process.env['PATH'] ?? '' },
      timeoutMs: 600_000,
    };
    const before = memory();
    let highest = before;
    let size = 0;
    let pieces = 0;
    for await (const event of shell.run(command, new AbortController().signal)) {
      if (event.type === 'exit') continue;
      size += event.text.length;
      if (++pieces % 50 === 0) highest = Math.max(highest, memory());
    }
    expect(size).toBe(100_000_000);
    expect(highest - before).toBeLessThan(MAX_GROWTH);
  });

  it('while run_shell reports 70 MB and limits the log', async () => {
    const { run, log } = shellBench(temporaryDirectory());
    const before = memory();
    const { content, summary } = await run({ command: 'yes 123456789 | head -n 7000000' });
    expect(memory() - before).toBeLessThan(MAX_GROWTH);
    expect(summary).toMatch(/^exit code 0 /);
    expect(content).toContain('of 7000000 omitted');
    expect(content).toContain(`${log}, which is incomplete: it is limited to 64 MB.`);
    expect(statSync(log).size).toBeLessThanOrEqual(64 * 1024 * 1024);
  });
});
