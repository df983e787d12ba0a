import { messageOf } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { Shell, ShellCommand, ShellExit, ShellOutput } from '../../agent/ports/shell.ts';

/** A command, as the protocol encodes it. */
export interface TerminalCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: { name: string; value: string }[];
  readonly cwd: string;
  readonly outputByteLimit: number;
}

/** The end of a command, as the protocol encodes it. */
export interface TerminalEnd {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** A terminal of a client. Each call rejects when the client cannot do it. */
export interface ClientTerminal {
  readonly id: string;
  currentOutput(): Promise<{ readonly output: string; readonly truncated: boolean }>;
  waitForExit(): Promise<TerminalEnd>;
  kill(): Promise<unknown>;
  /** Also ends the command if it still runs. */
  release(): Promise<unknown>;
}

export interface ClientTerminals {
  readonly clock: Clock;
  /** The variables of the client that its commands must not get. */
  readonly secrets: readonly string[];
  readonly create: (command: TerminalCommand) => Promise<ClientTerminal>;
  /** Called with the terminal of a tool call, before its command ends. */
  readonly onOpen: (callId: string, id: string) => void;
}

/** The programs and arguments of the shells of ybs, by their names for the model. A client on Windows keeps our shell. */
const SHELLS: ReadonlyMap<string, readonly [program: string, ...args: string[]]> = new Map([
  ['bash', ['/bin/bash', '--noprofile', '--norc', '-c']],
  ['sh', ['/bin/sh', '-c']],
]);

/** The size of the output that a client keeps, in bytes. */
const MAX_OUTPUT = 1024 * 1024;

/** The time for a client to report the end of a command that it was asked to end, by the cause. */
const GRACE_MS = { timed_out: 2_000, aborted: 500 } as const;

/** The time for a client to send the output of a command that has ended. */
const OUTPUT_MS = 2_000;

/**
 * A shell that runs the commands of tool calls in terminals of a client, and everything else as before. The output comes at
 * the end, because the client shows it. A client that is asked to end a command gets as much time as our own
 * processes; the processes that it leaves behind are unknown.
 */
export function withClientTerminals(
  { shell, name }: { readonly shell: Shell; readonly name: string },
  terminals: ClientTerminals,
): Shell {
  const program = SHELLS.get(name);
  if (program === undefined) return shell;
  return {
    run(command, signal) {
      if ('program' in command || command.callId === undefined) return shell.run(command, signal);
      const request = terminalCommand(command, program, terminals.secrets);
      return runInTerminal(request, command.callId, command.timeoutMs, terminals, signal);
    },
  };
}

/**
 * The request for a command. A client adds `env` to its own environment, so that the variables that it must not pass on are
 * set to nothing. The input of a terminal is its user, whom no command may wait for.
 */
export function terminalCommand(
  { command, workingDirectory, environment }: ShellCommand,
  [program, ...args]: readonly [string, ...string[]],
  secrets: readonly string[],
): TerminalCommand {
  const variables = { ...Object.fromEntries(secrets.map((name) => [name, ''])), ...environment };
  return {
    command: program,
    args: [...args, `exec </dev/null; ${command}`],
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    cwd: workingDirectory,
    outputByteLimit: MAX_OUTPUT,
  };
}

/** Runs a command by the contract of `Shell`, as far as the client keeps to it. */
async function* runInTerminal(
  request: TerminalCommand,
  callId: string,
  timeoutMs: number,
  terminals: ClientTerminals,
  signal: AbortSignal,
): AsyncGenerator<ShellOutput | ShellExit, void, void> {
  const { clock } = terminals;
  const started = clock.now();
  const exit = (ending: Pick<ShellExit, 'cause' | 'exitCode' | 'signal' | 'reason'>): ShellExit => {
    return { type: 'exit', ...ending, durationMs: clock.now() - started, leftProcesses: false };
  };
  if (signal.aborted) return yield exit({ cause: 'aborted' });
  const done = new AbortController();
  const stopped = clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal])).then(
    () => 'timed_out' as const,
    () => 'aborted' as const,
  );
  const within = <Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> =>
    Promise.race([work, clock.sleep(ms, done.signal).then(() => undefined)]);
  const creating = terminals.create(request);
  try {
    const created = await Promise.race([creating.then((terminal) => ({ terminal }), toFailure), stopped]);
    if (typeof created === 'string') return yield exit({ cause: created });
    if ('failure' in created) {
      return yield exit({ cause: 'failed_to_start', reason: `the editor: ${created.failure}` });
    }
    const { terminal } = created;
    terminals.onOpen(callId, terminal.id);
    const ending = terminal.waitForExit().then(endOf, toFailure);
    const first = await Promise.race([ending, stopped]);
    const isStopped = typeof first === 'string';
    if (isStopped) terminal.kill().catch(() => {});
    const end = isStopped ? await within(ending, GRACE_MS[first]) : first;
    const shown = await within(terminal.currentOutput().catch(toFailure), OUTPUT_MS);
    const text = outputOf(shown ?? { failure: 'no answer' });
    if (text !== '') yield { type: 'output', stream: 'stdout', text };
    if (end === undefined || 'failure' in end) {
      yield note(`The editor did not report the end of the command: ${end?.failure ?? 'no answer'}. It may still run.`);
      return yield exit({ cause: isStopped ? first : 'exited' });
    }
    yield exit({ ...end, ...(isStopped && { cause: first }) });
  } finally {
    done.abort();
    // A terminal that is created after the end of its command is released, too.
    creating.then((terminal) => terminal.release()).catch(() => {});
  }
}

interface Failure {
  readonly failure: string;
}

function toFailure(error: unknown): Failure {
  return { failure: messageOf(error) };
}

/** The end of a command that the client did not end for us. */
function endOf({ exitCode, signal }: TerminalEnd): Pick<ShellExit, 'cause' | 'exitCode' | 'signal'> {
  if (exitCode != null) return { cause: 'exited', exitCode };
  return signal == null ? { cause: 'exited' } : { cause: 'signalled', signal };
}

function outputOf(shown: { readonly output: string; readonly truncated: boolean } | Failure): string {
  if ('failure' in shown) return `[The editor did not send the output: ${shown.failure}]\n`;
  return `${shown.truncated ? '[The editor kept only the end of the output, 1 MB.]\n' : ''}${shown.output}`;
}

function note(text: string): ShellOutput {
  return { type: 'output', stream: 'stderr', text: `[${text}]\n` };
}
