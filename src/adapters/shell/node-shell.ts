import type { FileHandle } from 'node:fs/promises';
import { messageOf } from '../../core/errors.ts';
import type { ProgramCommand, Shell, ShellExit, ShellOutput } from '../../ports/shell.ts';
import { createProcessTree } from './process-tree.ts';
import { openInput } from './program-input.ts';
import { RunningCommand } from './running-command.ts';
import type { ShellProgram } from './shell-program.ts';

type Surroundings = Omit<ProgramCommand, 'program' | 'args'>;

/** Creates a shell that runs commands as processes of this machine. */
export function createNodeShell({ program }: { readonly program: ShellProgram }): Shell {
  return {
    run(command, signal) {
      if ('program' in command) return runProgram(command.program, command.args, command, signal);
      return runProgram(program.program, [...program.args, command.command], command, signal);
    },
  };
}

/** Runs a program with its arguments, without a shell, by the contract of `Shell`. */
export async function* runProgram(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  let running: RunningCommand | undefined;
  try {
    const started = await start(program, args, surroundings, signal);
    if (!(started instanceof RunningCommand)) {
      yield started;
      return;
    }
    running = started;
    for (;;) {
      const event = await running.next();
      yield event;
      if (event.type === 'exit') return;
    }
  } finally {
    await running?.stop();
  }
}

async function start(
  program: string,
  args: readonly string[],
  { workingDirectory, environment, timeoutMs, input }: Surroundings,
  signal: AbortSignal,
): Promise<RunningCommand | ShellExit> {
  let inputFile: FileHandle | undefined;
  try {
    if (input !== undefined) inputFile = await openInput(input);
    // Loaded on the first command, because it takes longer to load than the rest of the program.
    const { execa } = await import('execa');
    if (signal.aborted) return exitBeforeStart({ cause: 'aborted' });
    const { NODE_V8_COVERAGE } = environment;
    const started = execa(program, args, {
      cwd: workingDirectory,
      // Node passes its own NODE_V8_COVERAGE to every child unless the name is present, even without a value.
      env: { ...environment, NODE_V8_COVERAGE },
      extendEnv: false,
      // Not a pipe, because Debian's Bash reads ~/.bashrc if its input is a socket, and `cat` would wait forever.
      stdin: inputFile?.createReadStream({ autoClose: false }) ?? 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      reject: false,
      killDescendants: true,
      forceKillAfterDelay: false,
    });
    const { pid, nodeChildProcess, stdout, stderr } = started;
    if (pid === undefined) {
      const { originalMessage } = await started;
      return exitBeforeStart({ cause: 'failed_to_start', reason: originalMessage ?? 'unknown reason' });
    }
    // Reports a signal that cannot be delivered a second time; without a listener, that would end the process.
    nodeChildProcess.on('error', () => {});
    const tree = createProcessTree(pid, (name) => started.kill(name));
    return new RunningCommand({ child: nodeChildProcess, stdout, stderr, tree }, { timeoutMs, signal });
  } catch (error) {
    return exitBeforeStart({ cause: 'failed_to_start', reason: messageOf(error) });
  } finally {
    // The program has its own descriptor of the file.
    await inputFile?.close();
  }
}

function exitBeforeStart(ending: Pick<ShellExit, 'cause' | 'reason'>): ShellExit {
  return { type: 'exit', ...ending, durationMs: 0, leftProcesses: false };
}
