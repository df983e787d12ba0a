import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolResult } from '../../../src/agent/ports/tool.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/node/shell/shell-program.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { ReadLedger } from '../../../src/tools/files/read-ledger.ts';
import { createRunShell } from '../../../src/tools/shell/run-shell.ts';
import { shellEnvironment } from '../../../src/tools/shell/shell-environment.ts';

/** `run_shell` in a separate workspace, and the path of its log. */
export interface ShellBench {
  readonly log: string;
  readonly run: (args: unknown, signal?: AbortSignal) => Promise<ToolResult>;
}

/** The tool over the real shell and the real disk, in a new directory within `directory`. */
export function shellBench(directory: string): ShellBench {
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
    digest: computeDigest,
    ledger: new ReadLedger(),
    pathRules: {
      workspace,
      allowedRoots: [workspace],
      readOnlyRoots: [outputDirectory],
      blockedPaths: [],
      platform: 'posix',
    },
  });
  const run: ShellBench['run'] = async (args, signal = new AbortController().signal) => {
    const context = { callId: 'call_1', signal, pause: async () => {} };
    const steps = (await tool.plan(args, context)).run();
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
    }
  };
  return { log: path.join(outputDirectory, 'call_1.log'), run };
}
