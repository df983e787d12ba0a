import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { messageOf } from '../../core/errors.ts';
import type { ProgramCommand, Shell, ShellExit, ShellOutput } from '../../ports/shell.ts';
import type { ConfinedCommand, OpenProgram } from '../sandbox/sandbox.ts';
import { createProcessTree } from './process-tree.ts';
import { openInput } from './program-input.ts';
import { RunningCommand } from './running-command.ts';
import type { ShellProgram } from './shell-program.ts';

type Surroundings = Omit<ProgramCommand, 'program' | 'args'>;

/** Prepares a command for the sandbox. Rejects if that is impossible. */
export type Confine = (command: OpenProgram) => Promise<ConfinedCommand>;

/** Creates a shell that runs commands as processes of this machine; in the sandbox if there is `confine`. */
export function createNodeShell({
  program: shell,
  confine,
}: {
  readonly program: ShellProgram;
  readonly confine?: Confine | undefined;
}): Shell {
  return {
    run(command, signal) {
      const started =
        'program' in command ? command : { ...command, program: shell.program, args: [...shell.args, command.command] };
      if (confine !== undefined) return runConfined(started, confine, signal);
      return runProgram(started.program, started.args, started, signal);
    },
  };
}

/** Runs a program in the sandbox, by the contract of `Shell`. */
async function* runConfined(
  { program, args, network = false, readOnly = false, ...surroundings }: ProgramCommand,
  confine: Confine,
  signal: AbortSignal,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  const { workingDirectory, environment } = surroundings;
  let confined: ConfinedCommand;
  try {
    confined = await confine({ program, args, workingDirectory, network, readOnly });
  } catch (error) {
    yield exitBeforeStart({ cause: 'failed_to_start', reason: messageOf(error) });
    return;
  }
  const inside = { ...surroundings, environment: { ...environment, ...confined.variables } };
  const events = runProgram(confined.program, confined.args, inside, signal, confined.hasMonitor);
  for await (const event of events) {
    if (event.type === 'output') {
      yield event;
      continue;
    }
    const created = await confined.findCreated();
    yield created.length === 0 ? event : { ...event, created };
  }
}

/**
 * Runs a program with its arguments, without a shell, by the contract of `Shell`. `hasMonitor`: it is a sandbox, whose
 * first processes watch those inside.
 */
export async function* runProgram(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
  hasMonitor = false,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  let running: RunningCommand | undefined;
  try {
    const started = await start(program, args, surroundings, signal, hasMonitor);
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
  hasMonitor: boolean,
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
      stdio: [
        inputFile?.createReadStream({ autoClose: false }) ?? 'ignore',
        ...(['pipe', 'pipe'] as const),
        ...(hasMonitor ? (['pipe'] as const) : []),
      ],
      buffer: false,
      reject: false,
      killDescendants: true,
      forceKillAfterDelay: false,
    });
    const { pid, nodeChildProcess, stdout, stderr } = started;
    const report = hasMonitor ? nodeChildProcess.stdio[3] : undefined;
    if (pid === undefined) {
      const { originalMessage } = await started;
      return exitBeforeStart({ cause: 'failed_to_start', reason: originalMessage ?? 'unknown reason' });
    }
    // Reports a signal that cannot be delivered a second time; without a listener, that would end the process.
    nodeChildProcess.on('error', () => {});
    const tree = createProcessTree(pid, (name) => started.kill(name), hasMonitor);
    return new RunningCommand(
      { child: nodeChildProcess, stdout, stderr, tree, ...(report instanceof Readable && { report }) },
      { timeoutMs, signal },
    );
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
