import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/adapters/files/node-file-system.ts';
import { createNodeShell } from '../../../src/adapters/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/adapters/shell/shell-program.ts';
import type { ToolResult } from '../../../src/ports/tool.ts';
import { createRunShell } from '../../../src/tools/shell/run-shell.ts';
import { shellEnvironment } from '../../../src/tools/shell/shell-environment.ts';

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'run-shell-')));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

interface Bench {
  readonly log: string;
  readonly run: (args: unknown, signal?: AbortSignal) => Promise<ToolResult>;
}

/** The tool over the real shell and the real disk. */
function setUp(): Bench {
  const root = mkdtempSync(path.join(directory, 'case-'));
  const workspace = path.join(root, 'workspace');
  mkdirSync(path.join(workspace, 'app'), { recursive: true });
  writeFileSync(path.join(workspace, 'app', 'main.js'), 'console.log(process.argv.length)\n');
  const outputDirectory = path.join(root, 'output');
  const tool = createRunShell({
    fileSystem: createNodeFileSystem(),
    shell: createNodeShell({ program: chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync }) }),
    environment: shellEnvironment({ PATH: process.env['PATH'], OPENAI_API_KEY: 'canary' }, []),
    outputDirectory,
    maxOutputChars: 10_000,
    pathRules: {
      workspace,
      allowedRoots: [workspace],
      readOnlyRoots: [outputDirectory],
      blockedPaths: [],
      platform: 'posix',
    },
  });
  const run: Bench['run'] = async (args, signal = new AbortController().signal) => {
    const context = { callId: 'call_1', signal };
    const steps = (await tool.plan(args, context)).run();
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
    }
  };
  return { log: path.join(outputDirectory, 'call_1.log'), run };
}

// The commands are written for a POSIX shell.
describe.skipIf(process.platform === 'win32')('run_shell on this machine', { concurrent: true }, () => {
  it('runs a program in its directory', async () => {
    const { run } = setUp();
    const { content } = await run({ command: 'node main.js && echo oops >&2 && exit 3', working_dir: 'app' });
    expect(content.replace(/duration: .*/, 'duration')).toBe(
      'exit_code: 3\nduration\ndirectory: app\n\n2\n[stderr]\noops\n',
    );
  });

  it('keeps every byte of a long output in the log, however it is split', async () => {
    const { run, log } = setUp();
    const { content } = await run({ command: 'seq 1 300000 | sed "s/$/ €😀/"' });
    const expected = Array.from({ length: 300_000 }, (_, index) => `${index + 1} €😀\n`).join('');
    expect(readFileSync(log, 'utf8') === expected).toBe(true);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(content.length).toBeLessThan(10_500);
    expect(content).toContain(`Read the rest with read_file from ${log}.`);
    expect(content.endsWith('\n299999 €😀\n300000 €😀\n')).toBe(true);
  });

  it('handles 70 MB with bounded memory and a bounded log', async () => {
    const { run, log } = setUp();
    const before = process.memoryUsage().rss;
    const { content, summary } = await run({ command: 'yes 123456789 | head -n 7000000' });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(summary).toMatch(/^exit code 0 /);
    expect(content).toContain('of 7000000 omitted');
    expect(content).toContain(`${log}, which is incomplete: it is limited to 64 MB.`);
    expect(statSync(log).size).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it('notes that a silent command may have waited for input', async () => {
    const { content, isError } = await setUp().run({ command: 'exec sleep 600', timeout: 1 });
    expect(content).toMatch(/^exit_code: none, timed out after 1 s, ended by SIGTERM\n/);
    expect(content).toContain('may have waited for input');
    expect(isError).toBe(true);
  });

  it('does not wait for a server left in the background, and reports its end', async () => {
    const { content } = await setUp().run({ command: 'sleep 600 & echo started' });
    expect(content).toMatch(/^exit_code: 0\n/);
    expect(content).toContain('the command left background processes');
  });

  it('stops on an abort', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const { summary } = await setUp().run({ command: 'sleep 600; echo late' }, controller.signal);
    expect(summary).toMatch(/^stopped after /);
  });
});
