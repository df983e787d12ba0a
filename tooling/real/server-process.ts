import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Characters of the output of a server that are kept: its last ones. */
const KEPT_OUTPUT = 20_000;

/** Time between two questions to a server that is starting. */
const POLL_MS = 100;

/**
 * Runs a command as the leader of a process group that ends with its parent: when the pipe on standard input closes,
 * because the parent ended in whatever way, the whole group is killed.
 */
const GUARDED = `exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ cat <&3 >/dev/null; kill -KILL 0; } 2>/dev/null &
guard=$!
wait "$server"
code=$?
kill "$guard" 2>/dev/null
exit "$code"`;

/** A command to start, with the whole environment that it gets. */
export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** A process group with a server. */
export interface ServerProcess {
  /** The last output, standard output and standard error in the order of their arrival. */
  output(): string;
  /** True until the command has ended. */
  isRunning(): boolean;
  /** The exit code, as soon as the output is complete; null if the command was killed or could not be started. */
  readonly ended: Promise<number | null>;
  /** Ends the whole group at once, as a crash does: nothing of it writes anything that is kept. */
  kill(): Promise<void>;
}

/** Starts a command in a process group of its own. Its output is kept, and nothing of it is printed. */
export function startProcess({ file, args, environment, directory }: ServerCommand): ServerProcess {
  const child = spawn('sh', ['-c', GUARDED, 'sh', file, ...args], {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let running = true;
  const keep = (text: string): void => {
    output = (output + text).slice(-KEPT_OUTPUT);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  child.stdin.on('error', () => {});
  child.on('exit', () => {
    running = false;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      running = false;
      keep(String(error));
      resolve(null);
    });
    // Its output is complete only when the pipes are closed.
    child.on('close', resolve);
  });
  return {
    output: () => output,
    isRunning: () => running,
    ended,
    async kill() {
      if (child.pid !== undefined) killGroup(child.pid);
      await ended;
    },
  };
}

/** Kills all processes of a group. One that has ended has none. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * Waits until the server answers this address with a success. Rejects when it ends before, when the time is over, or when
 * the signal is aborted; the message contains the last lines of its output.
 */
export async function waitUntilReady(
  server: ServerProcess,
  { url, milliseconds }: { readonly url: string; readonly milliseconds: number },
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (server.isRunning()) {
    signal.throwIfAborted();
    const answered = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (answered) return;
    if (performance.now() > deadline) {
      throw new Error(
        `it did not answer ${url} within ${milliseconds / 1000} s. Its last output:\n${lastLines(server.output())}`,
      );
    }
    await wait(POLL_MS, undefined, { signal });
  }
  await server.kill();
  throw new Error(`it ended before it answered. Its last output:\n${lastLines(server.output())}`);
}

/** The last lines of an output, indented. */
export function lastLines(output: string, count = 20): string {
  const lines = output.trimEnd().split('\n').slice(-count);
  return lines.map((line) => `    ${line}`).join('\n');
}

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
