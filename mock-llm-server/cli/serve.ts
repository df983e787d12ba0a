import { randomBytes, randomInt } from 'node:crypto';
import { createJournal } from '../journal/journal.ts';
import { describeUnused } from '../journal/tally.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/loading/load.ts';
import { createScenarioStore, watchScenarios } from '../scenario/loading/reload.ts';
import { isLoopback } from '../server/access.ts';
import { type RunningServer, startMockServer } from '../server/listen.ts';
import { countOf, escapeControls } from '../text.ts';
import { MAX_SEED, type ServeCommand } from './arguments.ts';

/** Options of the command line and of the environment. */
export interface RunOptions extends Omit<ServeCommand, 'type' | 'scenarios'> {
  readonly paths: readonly string[];
  /** Receives whole lines. */
  readonly writeLog: (text: string) => void;
}

/** A server of the command line. */
export interface ServedScenarios extends Pick<RunningServer, 'url'> {
  /** Also ends open connections. Resolves to the exit code of the process when the port is free. */
  close(): Promise<{ readonly exitCode: 0 | 1 }>;
}

/** Delay of the log: writing lines one by one would cost more than an answer. */
const LOG_DELAY_MS = 20;

/**
 * Loads the scenarios and starts the server of a dedicated process. Rejects with a `ScenarioError` if the scenarios are
 * invalid, and with an `Error` for the user if the server cannot listen.
 */
export async function runServer(options: RunOptions): Promise<ServedScenarios> {
  const { port, host, paths, allowHosts, lint, as, allow, limits, drift } = options;
  const lines = openLog(options.writeLog);
  const log = lines.add;
  const load = () => loadScenarioFiles(paths, nodeScenarioFiles);
  const store = createScenarioStore({ files: await load(), load, log });
  log(`${countOf(store.current().scenarios.length, 'scenario')} loaded`);
  const chaos = options.chaos && { rate: options.chaos.rate, seed: options.chaos.seed ?? randomInt(MAX_SEED + 1) };
  if (chaos !== undefined) {
    const { rate, seed } = chaos;
    log(`chaos fails a fraction of ${rate} of the requests; repeat it with --chaos ${rate} --seed ${seed}`);
  }
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'));
  try {
    const journal = createJournal();
    const { current: scenarios } = store;
    const modes = { lint, as, allow, limits, drift, ...(chaos && { chaos }), overrideGlobals: true };
    const access = { port, host, allowHosts, ...(token !== undefined && { token }) };
    const server = await startMockServer({ ...access, ...modes, scenarios, journal, log });
    if (!isLoopback(host)) warnOfReach(host, options.token === undefined ? token : undefined, log);
    const watcher = options.watch
      ? watchScenarios(paths, { onChange: () => void store.reload(), onError: log })
      : undefined;
    // The caller prints the address afterwards, and its reader may change a file at once.
    await watcher?.ready;
    const close = async () => {
      watcher?.close();
      await server.close();
      const drifted = journal.drifted();
      if (drifted > 0) log(`${countOf(drifted, 'part')} of prompts drifted; ybs test --rebase accepts the new prompts`);
      log(escapeControls(describeUnused(store.current().scenarios, journal)));
      return { exitCode: drift === 'fail' && drifted > 0 ? 1 : 0 } as const;
    };
    return { ...server, close };
  } catch (error) {
    // The log is written before the error.
    lines.flush();
    throw error;
  }
}

/** `generated` is a token that only this log line shows. */
function warnOfReach(host: string, generated: string | undefined, log: (line: string) => void): void {
  log(`warning: other machines can reach ${host}; every request needs the token as its API key`);
  if (generated !== undefined) log(`token for this run: ${generated}`);
}

/** The log of a process, whose lines are written with a short delay and when it exits. */
export function openLog(write: (text: string) => void) {
  const lines = batchLines(write, (flush) => setTimeout(flush, LOG_DELAY_MS));
  process.once('exit', lines.flush);
  return lines;
}

/**
 * Collects lines and writes them together. `schedule` delays the next write, `flush` writes at once, and `write`
 * receives whole lines.
 */
export function batchLines(write: (text: string) => void, schedule: (flush: () => void) => void) {
  let pending = '';
  const flush = () => {
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  };
  return {
    add(line: string) {
      if (pending === '') schedule(flush);
      pending += `${line}\n`;
    },
    flush,
  };
}
