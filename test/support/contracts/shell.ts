import { expect, it } from 'vitest';
import type { Shell, ShellCommand, ShellExit, ShellOutput } from '../../../src/agent/ports/shell.ts';
import type { ScriptedCommand } from '../fakes/scripted-shell.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** A shell with the surroundings that a case needs. */
export interface ShellSubject {
  /** Creates a shell for these commands. A real shell ignores the script, because the command lines are real. */
  readonly shellFor: (...script: readonly ScriptedCommand[]) => Shell;
  /** An existing directory. */
  readonly directory: string;
  /** Lets time pass on a virtual clock. */
  readonly pass: (ms: number) => Promise<void>;
}

const never = new AbortController().signal;

/** Runs the contract of `Shell`. */
export function shellContract(implementations: readonly Implementation<ShellSubject>[]): void {
  contractSuite('Shell', implementations, (create) => {
    const commandOf = (command: string, directory: string, timeoutMs = 600_000): ShellCommand => ({
      command,
      workingDirectory: directory,
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      timeoutMs,
    });

    it.concurrent('yields the output of both streams and then one exit', async () => {
      const { shellFor, directory } = create();
      const command = 'echo out; echo problem >&2; exit 3';
      const shell = shellFor({ command, steps: [{ stdout: 'out\n' }, { stderr: 'problem\n' }], end: 3 });
      const run = await collect(shell.run(commandOf(command, directory), never));
      expect(run).toMatchObject({ stdout: 'out\n', stderr: 'problem\n' });
      expect(run.exit).toMatchObject({ cause: 'exited', exitCode: 3, leftProcesses: false });
      expect(run.exit.signal).toBeUndefined();
    });

    it.concurrent('names the signal that ended a command', async () => {
      const { shellFor, directory } = create();
      const command = 'kill -KILL $$';
      const shell = shellFor({ command, end: { signal: 'SIGKILL' } });
      const { exit } = await collect(shell.run(commandOf(command, directory), never));
      expect(exit).toMatchObject({ cause: 'signalled', signal: 'SIGKILL' });
      expect(exit.exitCode).toBeUndefined();
    });

    it.concurrent('ends a command at its timeout and keeps its output', async () => {
      const { shellFor, directory, pass } = create();
      const command = 'echo working; exec sleep 600';
      const shell = shellFor({ command, steps: [{ stdout: 'working\n' }], end: 'never' });
      const running = collect(shell.run(commandOf(command, directory, 100), never));
      await pass(100);
      const { stdout, exit } = await running;
      expect(stdout).toBe('working\n');
      expect(exit).toMatchObject({ cause: 'timed_out', signal: 'SIGTERM' });
    });

    it.concurrent('kills a command that ignores TERM after an abort', async () => {
      const { shellFor, directory, pass } = create();
      const command = "trap '' TERM; echo ready; sleep 600";
      const shell = shellFor({ command, steps: [{ stdout: 'ready\n' }], end: 'never', ignoresTerm: true });
      const controller = new AbortController();
      const running = collect(shell.run(commandOf(command, directory), controller.signal), () => controller.abort());
      await pass(500);
      const { exit } = await running;
      expect(exit).toMatchObject({ cause: 'aborted', signal: 'SIGKILL' });
    });

    it.concurrent('kills a command that ignores TERM after a timeout', async () => {
      const { shellFor, directory, pass } = create();
      const command = "trap '' TERM; sleep 600";
      const shell = shellFor({ command, end: 'never', ignoresTerm: true });
      const running = collect(shell.run(commandOf(command, directory, 100), never));
      await pass(2_100);
      const { exit } = await running;
      expect(exit).toMatchObject({ cause: 'timed_out', signal: 'SIGKILL' });
    });

    it.concurrent('runs no command when the signal is already aborted', async () => {
      const { shellFor, directory } = create();
      const shell = shellFor();
      const { stdout, exit } = await collect(shell.run(commandOf('echo ran', directory), AbortSignal.abort()));
      expect({ stdout, cause: exit.cause }).toEqual({ stdout: '', cause: 'aborted' });
    });

    it.concurrent('reports the reason why a command could not be started', async () => {
      const { shellFor, directory } = create();
      const command = 'echo ran';
      const shell = shellFor({ command, end: { failedToStart: 'no such directory' } });
      const { stdout, exit } = await collect(shell.run(commandOf(command, `${directory}/missing`), never));
      expect({ stdout, cause: exit.cause }).toEqual({ stdout: '', cause: 'failed_to_start' });
      expect(exit.reason).toMatch(/\S/);
      expect(exit.exitCode).toBeUndefined();
    });

    it.concurrent('ends the command when the reader stops', async () => {
      const { shellFor, directory } = create();
      const command = 'echo ready; exec sleep 600';
      const shell = shellFor({ command, steps: [{ stdout: 'ready\n' }], end: 'never' });
      for await (const event of shell.run(commandOf(command, directory), never)) {
        expect(event).toEqual({ type: 'output', stream: 'stdout', text: 'ready\n' });
        break;
      }
    });

    it.concurrent('keeps two parallel commands separate', async () => {
      const { shellFor, directory } = create();
      const endless = 'echo first; exec sleep 600';
      const short = 'echo second';
      const shell = shellFor(
        { command: endless, steps: [{ stdout: 'first\n' }], end: 'never' },
        { command: short, steps: [{ stdout: 'second\n' }] },
      );
      const controller = new AbortController();
      const stopped = collect(shell.run(commandOf(endless, directory), controller.signal));
      const finished = await collect(shell.run(commandOf(short, directory), never));
      controller.abort();
      expect(finished).toMatchObject({ stdout: 'second\n', exit: { cause: 'exited', exitCode: 0 } });
      expect((await stopped).exit.cause).toBe('aborted');
    });
  });
}

/** The output of a command and its exit. `onOutput` is called with each piece. */
export async function collect(
  events: AsyncIterable<ShellOutput | ShellExit>,
  onOutput: () => void = () => {},
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exit: ShellExit }> {
  const output = { stdout: '', stderr: '' };
  let exit: ShellExit | undefined;
  for await (const event of events) {
    if (exit !== undefined) throw new Error(`the shell yielded after its exit: ${JSON.stringify(event)}`);
    if (event.type === 'output') {
      output[event.stream] += event.text;
      onOutput();
    } else exit = event;
  }
  if (exit === undefined) throw new Error(`the shell yielded no exit, only ${JSON.stringify(output)}`);
  return { ...output, exit };
}
