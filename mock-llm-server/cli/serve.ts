import { randomBytes, randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  let requests = 0;
  const log = (line: string) => {
    requests += 1;
    lines.add(line);
  };
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
    const collect = collectWhenIdle(() => requests, collectGarbage);
    const idle = setInterval(collect, IDLE_MS).unref();
    // The caller prints the address afterwards, and its reader may change a file at once.
    await watcher?.ready;
    const close = async () => {
      clearInterval(idle);
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

/** Time without a request after which the server counts as idle. */
const IDLE_MS = 2000;
/** Requests whose memory is worth a collection, which takes about 100 ms. */
const MIN_REQUESTS = 1000;

/**
 * Returns a function that collects garbage if no request came since its last call and many since the last collection: V8
 * keeps the memory of a burst, 190 MB after 100,000 requests against 101 MB.
 */
export function collectWhenIdle(count: () => number, collect: () => void): () => void {
  let [seen, collected] = [0, 0];
  return () => {
    const requests = count();
    if (requests === seen && requests - collected >= MIN_REQUESTS) {
      collect();
      collected = requests;
    }
    seen = requests;
  };
}

/** Gives all memory back that can be. For the process of the command, because it changes the flags of V8. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
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
