import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shellBench } from '../../support/random/shell-bench.ts';

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'run-shell-')));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

// The commands are written for a POSIX shell.
describe.skipIf(process.platform === 'win32')('run_shell on this machine', { concurrent: true }, () => {
  it('runs a program in its directory', async () => {
    const { run } = shellBench(directory);
    const { content } = await run({ command: 'node main.js && echo oops >&2 && exit 3', working_dir: 'app' });
    expect(content.replace(/duration: .*/, 'duration')).toBe(
      'exit_code: 3\nduration\ndirectory: app\n\n2\n[stderr]\noops\n',
    );
  });

  it('keeps every byte of a long output in the log, however it is split', async () => {
    const { run, log } = shellBench(directory);
    const { content } = await run({ command: 'seq 1 300000 | sed "s/$/ €😀/"' });
    const expected = Array.from({ length: 300_000 }, (_, index) => `${index + 1} €😀\n`).join('');
    expect(readFileSync(log, 'utf8') === expected).toBe(true);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(content.length).toBeLessThan(10_500);
    expect(content).toContain(`Read the rest with read_file from ${log}.`);
    expect(content.endsWith('\n299999 €😀\n300000 €😀\n')).toBe(true);
  });

  it('notes that a silent command may have waited for input', async () => {
    const { content, isError } = await shellBench(directory).run({ command: 'exec sleep 600', timeout: 1 });
    expect(content).toMatch(/^exit_code: none, timed out after 1 s, ended by SIGTERM\n/);
    expect(content).toContain('may have waited for input');
    expect(isError).toBe(true);
  });

  it('does not wait for a server left in the background, and reports its end', async () => {
    const { content } = await shellBench(directory).run({ command: 'sleep 600 & echo started' });
    expect(content).toMatch(/^exit_code: 0\n/);
    expect(content).toContain('the command left background processes');
  });

  it('stops on an abort', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const { summary } = await shellBench(directory).run({ command: 'sleep 600; echo late' }, controller.signal);
    expect(summary).toMatch(/^stopped after /);
  });
});
