import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { raceAbort } from '../../agent/async/abort.ts';
import { messageOf } from '../../agent/errors.ts';
import type { ProgramCommand, Shell, ShellExit, ShellOutput } from '../../agent/ports/shell.ts';
import { BRIDGE_DESCRIPTOR } from '../../policy/sandbox/bubblewrap.ts';
import { startProblem } from '../../text/error-code.ts';
import type { ConfinedCommand, OpenProgram } from '../sandbox/sandbox.ts';
import { newId } from '../system.ts';
import { createProcessTree } from './process-tree.ts';
import { RunningCommand, type SandboxMonitor } from './running-command.ts';
import { sendFilter } from './sandbox-descriptors.ts';
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

/**
 * The number of attempts to start a sandbox, each of which takes 30 ms. Next to programs whose sockets live for 20 ms,
 * two of three attempts fail on a busy machine.
 */
const MAX_STARTS = 20;

/** Runs a program in the sandbox, by the contract of `Shell`. */
async function* runConfined(
  command: ProgramCommand,
  confine: Confine,
  signal: AbortSignal,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  const { program, args, network = false, hosts, readOnly = false, localSockets = false, ...others } = command;
  const { searched, view, ...surroundings } = others;
  const { workingDirectory, environment } = surroundings;
  const limits = { network, hosts, readOnly, localSockets, searched, view };
  let problem = '';
  // A socket or a file may vanish after it was found, and then there is nothing that could be covered.
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    let confined: ConfinedCommand;
    try {
      // It only reads, which may take seconds on a busy machine, so that it can go on without its command.
      confined = await raceAbort(confine({ program, args, ...limits, workingDirectory, environment }), signal);
    } catch (error) {
      if (signal.aborted) return yield exitBeforeStart({ cause: 'aborted' });
      problem = messageOf(error);
      break;
    }
    const inside = { ...surroundings, environment: confined.environment };
    const { filter, proxy, misplaced } = confined;
    const monitor: SandboxMonitor | undefined = confined.hasMonitor
      ? { started: false, filter, proxy, misplaced }
      : undefined;
    problem = '';
    let isChecked = false;
    // Without the word of ybs, the sandbox starts nothing that could change a file.
    const check = async () => (monitor?.started === false ? {} : confined.check());
    try {
      for await (const event of runProgram(confined.program, confined.args, inside, signal, monitor)) {
        // Until the command has started, the output is that of the sandbox.
        const isSetup = monitor?.started === false && problem.length < MAX_PROBLEM;
        if (event.type === 'output' && isSetup && event.stream === 'stderr') {
          problem += event.text;
          continue;
        }
        if (event.type === 'exit' && isSetup && event.cause === 'exited' && event.exitCode === 1) {
          isChecked = true;
          problem ||= monitor.refused ?? '';
          break;
        }
        if (problem !== '') yield { type: 'output', stream: 'stderr', text: problem };
        problem = '';
        if (event.type === 'output') {
          yield event;
          continue;
        }
        isChecked = true;
        return yield { ...event, ...(await check()) };
      }
    } finally {
      // The caller left before the end, which has ended the program: what it did is put back all the same.
      if (!isChecked) await check();
    }
  }
  yield exitBeforeStart({ cause: 'failed_to_start', reason: `the sandbox: ${problem.trim()}` });
}

/** The length of the output of a sandbox that does not start. */
const MAX_PROBLEM = 1_000;

/**
 * Runs a program with its arguments, without a shell, by the contract of `Shell`. `monitor`: it is a sandbox, whose
 * first processes watch those inside and report when the command starts.
 */
export async function* runProgram(
  program: string,
  args: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
  monitor?: SandboxMonitor,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  let running: RunningCommand | undefined;
  try {
    const started = await start(program, args, surroundings, signal, monitor);
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
  monitor: SandboxMonitor | undefined,
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
        ...(monitor === undefined ? [] : (['pipe', 'pipe'] as const)),
        ...(monitor?.proxy === undefined ? [] : (['pipe'] as const)),
      ],
      buffer: false,
      reject: false,
      killDescendants: true,
      forceKillAfterDelay: false,
    });
    const { pid, nodeChildProcess, stdout, stderr } = started;
    if (pid === undefined) {
      const { originalMessage } = await started;
      return exitBeforeStart({ cause: 'failed_to_start', reason: startProblem(originalMessage ?? 'unknown reason') });
    }
    // Reports a signal that cannot be delivered a second time; without a listener, that would end the process.
    nodeChildProcess.on('error', () => {});
    sendFilter(nodeChildProcess, monitor?.filter);
    const channel: unknown = nodeChildProcess.stdio.at(BRIDGE_DESCRIPTOR);
    if (channel instanceof Duplex) monitor?.proxy?.serve(channel);
    const tree = createProcessTree(pid, (name) => started.kill(name), monitor !== undefined);
    const stream = nodeChildProcess.stdio[3];
    const report = monitor !== undefined && stream instanceof Duplex ? { stream, monitor } : undefined;
    return new RunningCommand({ child: nodeChildProcess, stdout, stderr, tree, report }, { timeoutMs, signal });
  } catch (error) {
    return exitBeforeStart({ cause: 'failed_to_start', reason: startProblem(messageOf(error)) });
  } finally {
    // The program has its own descriptor of the file.
    await inputFile?.close();
  }
}

/**
 * Opens a file that contains a text and has lost its name, as the standard input of a program. A file cannot block, and
 * unlike the sockets that Node.js uses as pipes, a program can open it again as `/dev/stdin`. The caller closes it.
 */
async function openInput(text: string): Promise<FileHandle> {
  const file = path.join(os.tmpdir(), `ybs-input-${newId()}`);
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return await open(file, 'r');
  } finally {
    await rm(file, { force: true });
  }
}

function exitBeforeStart(ending: Pick<ShellExit, 'cause' | 'reason'>): ShellExit {
  return { type: 'exit', ...ending, durationMs: 0, leftProcesses: false };
}
