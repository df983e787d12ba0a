import { randomBytes, randomInt } from 'node:crypto';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/load.ts';
import { ScenarioError } from '../scenario/problems.ts';
import { createScenarioStore, type ScenarioStore, watchScenarios } from '../scenario/reload.ts';
import { isLoopback } from '../server/access.ts';
import { type RunningServer, startMockServer } from '../server/listen.ts';
import { countOf, errorText } from '../text.ts';
import type { ServeCommand } from './arguments.ts';
import { MAX_SEED } from './arguments.ts';

/** How the start of the command went. `exitCode` 2: the scenarios are at fault; 1: the address. */
export type StartOutcome =
  | { readonly type: 'listening'; readonly server: RunningServer }
  | { readonly type: 'failed'; readonly exitCode: 1 | 2; readonly message: string };

/** What the command line asks for, with what the environment adds to it. */
export interface RunOptions extends Omit<ServeCommand, 'type' | 'scenarios'> {
  readonly paths: readonly string[];
  /** Takes whole lines. */
  readonly writeLog: (text: string) => void;
}

/** A write for each line would cost more than an answer; nobody sees that the log is that late. */
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
    log(`chaos: a part of ${rate} of the requests goes wrong; again with --chaos ${rate} --seed ${seed}`);
  }
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'));
  try {
    const common = { port, host, allowHosts, log, lint, overrideGlobals: true, scenarios: store.current };
    const server = await startMockServer({ ...common, ...(token !== undefined && { token }), ...(chaos && { chaos }) });
    if (!isLoopback(host)) warnOfReach(host, options.token === undefined ? token : undefined, log);
    if (!options.watch) return { type: 'listening', server };
    const watcher = watchScenarios(paths, { onChange: () => void store.reload(), onError: log });
    // Before the address is printed: whoever reads it may change a file at once.
    await watcher.ready;
    const close = () => {
      watcher.close();
      return server.close();
    };
    return { type: 'listening', server: { ...server, close } };
  } catch (error) {
    // What was logged stands before the reason.
    lines.flush();
    return {
      type: 'failed',
      exitCode: 1,
      message: explainListenError(error, { host, port }, { host: '--host', port: '--port' }),
    };
  }
}

/** `madeUp` is the token that nobody but this line tells. */
function warnOfReach(host: string, madeUp: string | undefined, log: (line: string) => void): void {
  log(`warning: ${host} can be reached from other machines; every request needs the token as its API key`);
  if (madeUp !== undefined) log(`token for this run: ${madeUp}`);
}

/** Takes lines and writes those of a while at once. */
export interface LineBatch {
  readonly add: (line: string) => void;
  /** Writes what is there now, for the end of a process. */
  readonly flush: () => void;
}

/** A write for every request would cost more than its answer. `later` calls back at the end of the while; `write` gets whole lines. */
export function batchLines(write: (text: string) => void, later: (callback: () => void) => void): LineBatch {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    add(line) {
      if (waiting === '') later(flush);
      waiting += `${line}\n`;
    },
    flush,
  };
}

/** Where a server was to listen. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** What the person calls the two options: `--port` on the command line. */
interface OptionNames {
  readonly host: string;
  readonly port: string;
}

/** One line for the person who started the server: why it cannot listen there, and what to do. Pure. */
export function explainListenError(error: unknown, { host, port }: Address, names: OptionNames): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with ${names.port} (0 picks a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} may not be opened by this user; choose one above 1023 with ${names.port}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with ${names.host}`;
    default:
      return `cannot listen on ${host}, port ${port}: ${errorText(error)}`;
  }
}
