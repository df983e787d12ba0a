import path from 'node:path';

/** The shell that commands are handed to: `program ...args <command line>`. */
export interface ShellProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** What the model is told it writes commands for. */
  readonly name: 'bash' | 'sh' | 'Git Bash' | 'PowerShell';
  readonly kind: 'posix' | 'powershell';
}

/** What the choice depends on. `exists` answers for absolute paths. */
export interface ShellSurroundings {
  readonly platform: 'posix' | 'windows';
  readonly environment: Readonly<Record<string, string>>;
  readonly exists: (file: string) => boolean;
}

const BASH_ARGS = ['--noprofile', '--norc', '-c'];

/**
 * Chooses the shell of this machine. Pure. On Windows only the Bash of Git counts: the `bash.exe` in System32 is
 * another machine's shell with other paths.
 */
export function chooseShellProgram(surroundings: ShellSurroundings): ShellProgram {
  return surroundings.platform === 'windows' ? chooseOnWindows(surroundings) : chooseOnPosix(surroundings);
}

function chooseOnPosix({ exists }: ShellSurroundings): ShellProgram {
  if (exists('/bin/bash')) return { program: '/bin/bash', args: BASH_ARGS, name: 'bash', kind: 'posix' };
  return { program: '/bin/sh', args: ['-c'], name: 'sh', kind: 'posix' };
}

function chooseOnWindows({ environment, exists }: ShellSurroundings): ShellProgram {
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
    if (exists(program)) return { program, args: BASH_ARGS, name: 'Git Bash', kind: 'posix' };
  }
  const systemRoot = read('SystemRoot') ?? 'C:\\Windows';
  return {
    program: path.win32.join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    args: ['-NoProfile', '-NonInteractive', '-Command'],
    name: 'PowerShell',
    kind: 'powershell',
  };
}

function caseInsensitive(environment: Readonly<Record<string, string>>): (name: string) => string | undefined {
  const values = new Map(Object.entries(environment).map(([name, value]) => [name.toUpperCase(), value]));
  return (name) => values.get(name.toUpperCase());
}
