import { describe, expect, it } from 'vitest';
import type { ToolProgress } from '../../../../src/agent/ports/tool.ts';
import { type CommandPorts, runUserCommand, type UserCommandReport } from '../../../../src/tools/shell/run-command.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { createScriptedShell, type ScriptedCommand } from '../../../support/fakes/scripted-shell.ts';

async function runTyped(
  script: ScriptedCommand,
  more: Partial<CommandPorts> = {},
): Promise<UserCommandReport & { live: ToolProgress[]; files: unknown }> {
  const { fileSystem, volume } = createMemoryFileSystem();
  const shell = createScriptedShell(createManualClock(), {
    workingDirectory: '/home/me',
    timeoutMs: 60_000,
    ...script,
  });
  const ports = { fileSystem, shell, outputDirectory: '/out', environment: {}, maxOutputChars: 100, ...more };
  const steps = runUserCommand(ports, script.command, '/home/me', new AbortController().signal);
  const live: ToolProgress[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return { ...step.value, live, files: volume.toJSON('/out') };
    live.push(step.value);
  }
}

describe('a command that the user typed', () => {
  it('yields its output and returns a report for the model', async () => {
    expect(await runTyped({ command: 'git status', steps: [{ stdout: 'clean\n' }], end: 1 })).toEqual({
      summary: 'exit code 1 after 0.0 s',
      report:
        '[Shell command output]\nCommand: git status\nexit_code: 1\nduration: 0.0 s\ndirectory: /home/me\n\nclean\n',
      live: [{ stream: 'stdout', text: 'clean\n' }],
      files: {},
    });
  });

  it('yields its output without escape sequences, even if one arrives in two pieces', async () => {
    const steps = [
      { stdout: 'a \u001b[3' },
      { stderr: '\u001b[1mb\n' },
      { stdout: '1mred\u001b[0m 5%\r\u001b]0;t\u0007\u0000' },
    ];
    const { live } = await runTyped({ command: 'ls --color', steps });
    expect(live).toEqual([
      { stream: 'stdout', text: 'a ' },
      { stream: 'stderr', text: 'b\n' },
      { stream: 'stdout', text: 'red 5%\r\u2400' },
    ]);
  });

  it('returns a report even if it could not be started', async () => {
    const { report, summary } = await runTyped({ command: 'ls', end: { failedToStart: 'spawn ENOENT' } });
    expect(summary).toBe('could not be started: spawn ENOENT');
    expect(report).toMatch(
      /^\[Shell command failed\]\nCommand: ls\nexit_code: none, the command could not be started: spawn ENOENT\n/,
    );
  });

  it('reports to the model what the sandbox denied', async () => {
    const steps = [{ stdout: 'curl: (6) Could not resolve host: a.test\n' }];
    const { report } = await runTyped({ command: 'curl a.test', steps, end: 6 }, { sandboxed: true });
    expect(report).toContain('commands run in a sandbox without network');
  });

  it('writes a log if its output is long', async () => {
    const output = 'x'.repeat(500);
    const { report, files } = await runTyped({ command: 'cat', steps: [{ stdout: output }] });
    expect(report).toContain('read_file from /out/user-command.log');
    expect(files).toEqual({ '/out/user-command.log': output });
  });
});
