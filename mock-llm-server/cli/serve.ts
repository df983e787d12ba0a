import { randomBytes, randomInt } from 'node:crypto';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/load.ts';
import { ScenarioError } from '../scenario/problems.ts';
import { createScenarioStore, type ScenarioStore, watchScenarios } from '../scenario/reload.ts';
import { isLoopback } from '../server/access.ts';
import { type RunningServer, startMockServer } from '../server/listen.ts';
import { countOf, errorText } from '../text.ts';
import { MAX_SEED, type ServeCommand } from './arguments.ts';

/** Outcome of a start. `exitCode` 2: the scenarios are invalid; 1: the address cannot be used. */
export type StartOutcome =
  | { readonly type: 'listening'; readonly server: RunningServer }
  | { readonly type: 'failed'; readonly exitCode: 1 | 2; readonly message: string };

/** Options of the command line and of the environment. */
export interface RunOptions extends Omit<ServeCommand, 'type' | 'scenarios'> {
  readonly paths: readonly string[];
  /** Receives whole lines. */
  readonly writeLog: (text: string) => void;
}

/** Delay of the log: writing each line by itself would cost more than an answer. */
const LOG_DELAY_MS = 20;

/** Loads the scenarios and starts the server for a process of its own. */
export async function runServer(options: RunOptions): Promise<StartOutcome> {
  const { port, host, paths, allowHosts, lint } = options;
  const lines = batchLines(options.writeLog, (flush) => setTimeout(flush, LOG_DELAY_MS));
  process.once('exit', lines.flush);
  const log = lines.add;
  const load = () => loadScenarioFiles(paths, nodeScenarioFiles);
  let store: ScenarioStore;
  try {
    store = createScenarioStore({ files: await load(), load, log });
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { type: 'failed', exitCode: 2, message: error.message };
  }
  log(`${countOf(store.current().scenarios.length, 'scenario')} loaded`);
  const chaos = options.chaos && { rate: options.chaos.rate, seed: options.chaos.seed ?? randomInt(MAX_SEED + 1) };
  if (chaos !== undefined) {
    const { rate, seed } = chaos;
    log(`chaos fails a fraction of ${rate} of the requests; repeat it with --chaos ${rate} --seed ${seed}`);
  }
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'));
  try {
    const common = { port, host, allowHosts, log, lint, overrideGlobals: true, scenarios: store.current };
    const server = await startMockServer({ ...common, ...(token !== undefined && { token }), ...(chaos && { chaos }) });
    if (!isLoopback(host)) warnOfReach(host, options.token === undefined ? token : undefined, log);
    if (!options.watch) return { type: 'listening', server };
    const watcher = watchScenarios(paths, { onChange: () => void store.reload(), onError: log });
    // Before the address is printed, because its reader may change a file at once.
    await watcher.ready;
    const close = () => {
      watcher.close();
      return server.close();
    };
    return { type: 'listening', server: { ...server, close } };
  } catch (error) {
    // The log precedes the reason.
    lines.flush();
    return { type: 'failed', exitCode: 1, message: explainListenError(error, host, port) };
  }
}

/** `generated` is a token that only this log line shows. */
function warnOfReach(host: string, generated: string | undefined, log: (line: string) => void): void {
  log(`warning: other machines can reach ${host}; every request needs the token as its API key`);
  if (generated !== undefined) log(`token for this run: ${generated}`);
}

/**
 * Collects lines and writes them together. `later` schedules the next write, and `flush` writes at once, at the end of a
 * process; `write` receives whole lines.
 */
export function batchLines(write: (text: string) => void, later: (callback: () => void) => void) {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    add(line: string) {
      if (waiting === '') later(flush);
      waiting += `${line}\n`;
    },
    flush,
  };
}

/** One line for the user: why the server cannot listen at an address, and what to do. Pure. */
export function explainListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another port (0 picks a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} may not be opened by this user; choose a port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${errorText(error)}`;
  }
}
