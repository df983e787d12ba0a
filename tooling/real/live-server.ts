import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/agent/errors.ts';
import { runCommand } from './install.ts';
import type { Address, RealServer, ServerStart, StartContext } from './real-server.ts';
import { lastLines, type ServerProcess, startProcess, waitUntilReady } from './server-process.ts';

/** A server that answers, with everything behind it. */
export interface LiveServer {
  readonly addresses: readonly Address[];
  /** The last output of the server. */
  output(): string;
  /** Ends it without notice. What is behind it stays. */
  kill(): Promise<void>;
  /** Starts it again, on the same port, if it was killed. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server and loads its model. Rejects, with its last output, when it does not answer; then nothing is left. */
export async function launch(
  server: Pick<RealServer, 'start'>,
  context: StartContext,
  signal: AbortSignal,
): Promise<LiveServer> {
  await mkdir(context.temporary, { recursive: true });
  const start = await server.start(context);
  const behind: ServerProcess[] = [];
  let main: ServerProcess | undefined;
  const stop = async (): Promise<void> => {
    for (const running of [main, ...behind.toReversed()]) await running?.kill();
  };
  const begin = async (each: Omit<ServerStart, 'addresses'>, keep: (running: ServerProcess) => void): Promise<void> => {
    const environment = environmentOf(context.temporary, each.environment);
    const running = startProcess({ ...each, environment, directory: context.temporary });
    keep(running);
    await waitUntilReady(running, { url: each.readyUrl, milliseconds: each.readyMs }, signal);
  };
  const restart = () =>
    begin(start, (running) => {
      main = running;
    });
  const load = async (each: Omit<ServerStart, 'addresses'>, output: () => string): Promise<void> => {
    for (const step of each.load ?? []) {
      await runCommand(step, context.temporary, environmentOf(context.temporary, each.environment), signal).catch(
        (error: unknown) => {
          throw new Error(`it did not load the model: ${String(error)}\nIts last output:\n${lastLines(output())}`);
        },
      );
    }
  };
  try {
    for (const each of start.behind ?? []) {
      try {
        await begin(each, (running) => behind.push(running));
        await load(each, () => behind.at(-1)?.output() ?? '');
      } catch (error) {
        throw new Error(`${path.basename(each.file)} behind it: ${messageOf(error)}`);
      }
    }
    await restart();
    await load(start, () => main?.output() ?? '');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: start.addresses,
    output: () => main?.output() ?? '',
    kill: async () => main?.kill(),
    revive: async () => (main?.isRunning() ? undefined : restart()),
    stop,
  };
}

/** The environment of a server: programs and libraries of the user, but a home in the temporary directory. */
function environmentOf(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'PYENV_ROOT'];
  const inherited = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), HOME: home, TMPDIR: home, ...extra };
}
