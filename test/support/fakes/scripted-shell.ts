import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { ProgramCommand, Shell, ShellCommand, ShellExit, ShellOutput } from '../../../src/agent/ports/shell.ts';

/** A step of a scripted command: output, or a duration in milliseconds of the clock. */
export type ScriptedStep = { readonly stdout: string } | { readonly stderr: string } | { readonly wait: number };

/** One expected command; for a program, its path and its arguments with spaces between them. Absent properties are not checked. */
export interface ScriptedCommand {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  readonly input?: string;
  readonly steps?: readonly ScriptedStep[];
  /** The exit code, 0 by default. `never`: it runs until it is stopped. */
  readonly end?: number | 'never' | { readonly signal: string } | { readonly failedToStart: string };
  /** True when only KILL stops it. */
  readonly ignoresTerm?: boolean;
  readonly leftProcesses?: boolean;
}

/** A command that was started. */
interface StartedCommand extends ShellCommand {
  readonly input?: string;
}

/** A shell that runs commands from a script, strictly and in order. */
export interface ScriptedShell extends Shell {
  /** The commands in the order of their start. */
  readonly commands: readonly StartedCommand[];
  enqueue(...script: readonly ScriptedCommand[]): void;
  /** Throws when a scripted command did not run, or an unexpected one did. */
  assertExhausted(): void;
}

const GRACE_MS = { timed_out: 2_000, aborted: 500 } as const;

/** A shell with this script. Waits, timeouts and the time from TERM to KILL pass on `clock`. */
export function createScriptedShell(clock: Clock, ...script: readonly ScriptedCommand[]): ScriptedShell {
  const expected = [...script];
  const commands: StartedCommand[] = [];
  const problems: string[] = [];

  const accept = (command: StartedCommand): ScriptedCommand => {
    const next = expected.shift();
    const problem = next === undefined ? 'the script is over' : findDifference(next, command);
    if (next !== undefined && problem === undefined) return next;
    problems.push(`${JSON.stringify(command.command)} was run: ${problem}`);
    throw new Error(problems.at(-1));
  };

  return {
    commands,
    enqueue: (...more) => void expected.push(...more),
    async *run(command, signal) {
      if (signal.aborted) {
        yield { type: 'exit', cause: 'aborted', durationMs: 0, leftProcesses: false };
        return;
      }
      const started = startedCommand(command);
      commands.push(started);
      const run = new ScriptedRun(accept(started), command.timeoutMs, clock, signal);
      try {
        yield* run.events();
      } finally {
        await run.stop();
      }
    },
    assertExhausted() {
      const left = expected.map(({ command }) => `${JSON.stringify(command)} was never run`);
      if (problems.length + left.length === 0) return;
      throw new Error(`the script and the run differ:\n${[...problems, ...left].join('\n')}`);
    },
  };
}

function startedCommand(command: ShellCommand | ProgramCommand): StartedCommand {
  if ('command' in command) return command;
  const { program, args, ...surroundings } = command;
  return { ...surroundings, command: [program, ...args].join(' ') };
}

function findDifference(expected: ScriptedCommand, actual: StartedCommand): string | undefined {
  const keys = ['command', 'workingDirectory', 'timeoutMs', 'input'] as const;
  const key = keys.find((name) => expected[name] !== undefined && expected[name] !== actual[name]);
  if (key === undefined) return undefined;
  return `expected ${key} ${JSON.stringify(expected[key])}, got ${JSON.stringify(actual[key])}`;
}

/** A running scripted command. It continues even if its output is not read. */
class ScriptedRun {
  readonly #script: ScriptedCommand;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #started: number;
  readonly #deadline: number;
  readonly #output: ShellOutput[] = [];
  readonly #end: Promise<ShellExit>;
  #exit: ShellExit | undefined;
  #wake: () => void = () => {};

  constructor(script: ScriptedCommand, timeoutMs: number, clock: Clock, signal: AbortSignal) {
    this.#script = script;
    this.#clock = clock;
    this.#started = clock.now();
    this.#deadline = this.#started + timeoutMs;
    const stop = (): void => this.#abort.abort();
    signal.addEventListener('abort', stop, { once: true });
    this.#end = this.#play().then((exit) => {
      signal.removeEventListener('abort', stop);
      this.#exit = exit;
      this.#wake();
      return exit;
    });
  }

  async *events(): AsyncGenerator<ShellOutput | ShellExit, void, void> {
    for (;;) {
      const piece = this.#output.shift() ?? this.#exit;
      if (piece !== undefined) yield piece;
      if (piece?.type === 'exit') return;
      if (piece === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#end;
  }

  async #play(): Promise<ShellExit> {
    const { steps = [], end = 0 } = this.#script;
    if (typeof end === 'object' && 'failedToStart' in end) {
      return this.#exitWith({ cause: 'failed_to_start', reason: end.failedToStart });
    }
    for (const step of steps) {
      if ('wait' in step) {
        const stopped = await this.#waitFor(step.wait);
        if (stopped !== undefined) return this.#terminate(stopped);
      } else {
        const [stream, text] =
          'stdout' in step ? (['stdout', step.stdout] as const) : (['stderr', step.stderr] as const);
        this.#output.push({ type: 'output', stream, text });
        this.#wake();
      }
    }
    if (typeof end === 'number') return this.#exitWith({ cause: 'exited', exitCode: end });
    if (typeof end === 'object') return this.#exitWith({ cause: 'signalled', signal: end.signal });
    return this.#terminate((await this.#waitFor(Number.POSITIVE_INFINITY)) ?? 'timed_out');
  }

  /** Waits; returns the reason if the command is stopped before the time has passed. */
  async #waitFor(ms: number): Promise<keyof typeof GRACE_MS | undefined> {
    const left = this.#deadline - this.#clock.now();
    try {
      await this.#clock.sleep(Math.min(ms, left), this.#abort.signal);
      return ms < left ? undefined : 'timed_out';
    } catch {
      return 'aborted';
    }
  }

  async #terminate(cause: keyof typeof GRACE_MS): Promise<ShellExit> {
    if (this.#script.ignoresTerm !== true) return this.#exitWith({ cause, signal: 'SIGTERM' });
    await this.#clock.sleep(GRACE_MS[cause], new AbortController().signal);
    return this.#exitWith({ cause, signal: 'SIGKILL' });
  }

  #exitWith(ending: Pick<ShellExit, 'cause' | 'exitCode' | 'signal' | 'reason'>): ShellExit {
    const durationMs = this.#clock.now() - this.#started;
    return { type: 'exit', ...ending, durationMs, leftProcesses: this.#script.leftProcesses ?? false };
  }
}
