import path from 'node:path';

/** The shell that runs commands, as `program ...args <command line>`. */
export interface ShellProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** The name of the shell in the system prompt. */
  readonly name: 'bash' | 'sh' | 'Git Bash' | 'PowerShell';
}

/** The facts on which the choice of a shell depends. `exists` takes absolute paths. */
export interface MachineFacts {
  readonly platform: 'posix' | 'windows';
  readonly environment: Readonly<Record<string, string>>;
  readonly exists: (file: string) => boolean;
}

const BASH_ARGS = ['--noprofile', '--norc', '-c'];

/**
 * Chooses the shell of a machine. Pure. On Windows, only the Bash of Git is used, because the `bash.exe` in System32
 * runs in a virtual machine with other paths.
 */
export function chooseShellProgram(machine: MachineFacts): ShellProgram {
  return machine.platform === 'windows' ? chooseOnWindows(machine) : chooseOnPosix(machine);
}

function chooseOnPosix({ exists }: MachineFacts): ShellProgram {
  if (exists('/bin/bash')) return { program: '/bin/bash', args: BASH_ARGS, name: 'bash' };
  return { program: '/bin/sh', args: ['-c'], name: 'sh' };
}

function chooseOnWindows({ environment, exists }: MachineFacts): ShellProgram {
  const read = caseInsensitive(environment);
  const localPrograms = read('LOCALAPPDATA');
  const roots = [
    read('ProgramFiles'),
    read('ProgramW6432'),
    read('ProgramFiles(x86)'),
    localPrograms === undefined ? undefined : path.win32.join(localPrograms, 'Programs'),
  ];
  for (const root of roots) {
    if (root === undefined) continue;
    const program = path.win32.join(root, 'Git', 'bin', 'bash.exe');
    if (exists(program)) return { program, args: BASH_ARGS, name: 'Git Bash' };
  }
  const systemRoot = read('SystemRoot') ?? 'C:\\Windows';
  return {
    program: path.win32.join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-Command'],
    name: 'PowerShell',
  };
}

function caseInsensitive(environment: Readonly<Record<string, string>>): (name: string) => string | undefined {
  const values = new Map(Object.entries(environment).map(([name, value]) => [name.toUpperCase(), value]));
  return (name) => values.get(name.toUpperCase());
}
