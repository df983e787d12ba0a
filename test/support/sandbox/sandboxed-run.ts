import { existsSync, realpathSync } from 'node:fs';
import process from 'node:process';
import type { ShellCommand, ShellExit } from '../../../src/agent/ports/shell.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { type ConfinedCommand, createSandbox, type OpenProgram } from '../../../src/node/sandbox/sandbox.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { buildSandboxRules, type SandboxSettings } from '../../../src/policy/sandbox/rules.ts';

/** The shell of commands. */
export const BASH = { program: '/bin/bash', args: ['--noprofile', '--norc', '-c'], name: 'bash' } as const;

/** The home directory and the workspace of a sandboxed command. */
export interface SandboxedPlaces {
  readonly home: string;
  readonly workspace: string;
}

/** The environment of commands without that of the sandbox. */
export function plainEnvironment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: home };
}

const searchPath = process.env['PATH'] ?? '';
/** One for all commands, because it checks the machine once. No workspace holds a program of `PATH`. */
const sandbox = createSandbox(BASH, searchPath);

/** Prepares a command for the sandbox of ybs, as `run_shell` does. */
export async function confine(
  command: OpenProgram,
  { home, workspace }: SandboxedPlaces,
  settings: Partial<SandboxSettings> = {},
): Promise<ConfinedCommand> {
  const rules = await buildSandboxRules(
    {
      ...{ workspace, home, searchPath, platform: 'posix', homeMode: 'read-only', localSockets: false },
      digest: computeDigest,
      ...{ allowedPaths: ['.'], blockedPaths: ['~/.config'], ownDirectories: ['~/.config/ybs'] },
      ...{ guardedPaths: ['./tools'], secretVariables: [], ...settings },
    },
    async (file) => (existsSync(file) ? realpathSync(file) : file),
    createNodeFileSystem(),
  );
  return sandbox.confine(command, rules);
}

/** Runs a command line as `run_shell` does, in the sandbox of ybs. Rejects if it cannot be started. */
export async function runInSandbox(
  { command, ...more }: Pick<ShellCommand, 'command' | 'network' | 'localSockets' | 'readOnly' | 'searched' | 'view'>,
  places: SandboxedPlaces,
  stop: AbortSignal,
  settings: Partial<SandboxSettings> = {},
): Promise<{ readonly output: string; readonly exit: ShellExit }> {
  const shell = createNodeShell({ program: BASH, confine: (each) => confine(each, places, settings) });
  let output = '';
  const surroundings = {
    workingDirectory: places.workspace,
    environment: plainEnvironment(places.home),
    timeoutMs: 120_000,
  };
  for await (const event of shell.run({ command, ...more, ...surroundings }, stop)) {
    if (event.type === 'output') output += event.text;
    else if (event.cause === 'failed_to_start') throw new Error(event.reason);
    else return { output, exit: event };
  }
  throw new Error('The shell ended without an exit event.');
}
