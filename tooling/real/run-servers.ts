import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/agent/errors.ts';
import { type Check, NotRun, type World } from '../../test/real/check.ts';
import { installationOf, isInstalled } from './install.ts';
import { type LiveServer, launch } from './live-server.ts';
import type { Address, ModelFiles, RealServer, StartContext } from './real-server.ts';
import { addressName, type CheckOutcome, type CheckResult, type ServerResult } from './results.ts';
import { freePort } from './server-process.ts';

/** Time after which a check counts as failed. */
const CHECK_MS = 120_000;

/** Surroundings of a run over several servers. */
export interface RealRun {
  readonly cache: string;
  /** An existing directory for all files of the run. */
  readonly temporary: string;
  readonly servers: readonly RealServer[];
  readonly checks: readonly Check[];
  /** Compiles the model with this window, once for each window. */
  readonly model: (window: number) => Promise<ModelFiles>;
  readonly known: (server: string, address: Address, check: string) => number | undefined;
  readonly report: (line: string) => void;
}

/** The window that a server loads for most checks: that of the model, so that a long result fits. */
export const WINDOW = 131_072;

/** Runs all checks with each server that is installed. A server that does not start does not keep the next from running. */
export async function runServers(run: RealRun, signal: AbortSignal): Promise<readonly ServerResult[]> {
  const results: ServerResult[] = [];
  for (const server of run.servers) {
    signal.throwIfAborted();
    results.push({ server, outcome: await outcomeOf(server, run, signal) });
  }
  return results;
}

async function outcomeOf(server: RealServer, run: RealRun, signal: AbortSignal): Promise<ServerResult['outcome']> {
  const { name, version } = server;
  if (!(await isInstalled(run.cache, server))) {
    const reason = `it is not installed; npm run test:real -- --install ${name} does that (${server.cost})`;
    run.report(`${name} ${version}: ${reason}`);
    return { type: 'missing', reason };
  }
  let live: LiveServer;
  run.report(`${name} ${version}: starting`);
  try {
    live = await start(server, run, WINDOW, signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    run.report(`${name} ${version} did not start: ${reason}`);
    return { type: 'not started', reason: `it did not start: ${reason}` };
  }
  try {
    const results: CheckResult[] = [];
    for (const address of live.addresses) {
      for (const check of run.checks) results.push(await checkAddress(server, address, check, run, signal));
    }
    return { type: 'ran', results };
  } finally {
    await live.stop();
  }
}

async function start(server: RealServer, run: RealRun, window: number, signal: AbortSignal): Promise<LiveServer> {
  const model = await run.model(window);
  const temporary = await mkdtemp(path.join(run.temporary, 'server-'));
  const context: StartContext = {
    installation: installationOf(run.cache, server),
    temporary,
    model,
    freePort,
    async installationOf(name) {
      const other = run.servers.find((each) => each.name === name);
      if (other === undefined || !(await isInstalled(run.cache, other))) return undefined;
      return installationOf(run.cache, other);
    },
  };
  return launch(server, context, signal);
}

async function checkAddress(
  server: RealServer,
  address: Address,
  check: Check,
  run: RealRun,
  signal: AbortSignal,
): Promise<CheckResult> {
  signal.throwIfAborted();
  const temporary = path.join(run.temporary, 'check');
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const own: LiveServer[] = [];
  const world: World = {
    server: server.name,
    address,
    temporary,
    async another({ window = WINDOW } = {}) {
      if (server.startsSlowly === true) throw new NotRun('the server takes too long to start for one check');
      const live = await start(server, run, window, signal);
      own.push(live);
      const same = live.addresses.find((each) => addressName(each) === addressName(address));
      if (same === undefined) throw new Error(`the other instance has no ${addressName(address)}`);
      return { ...live, address: same };
    },
  };
  const started = performance.now();
  const outcome = await outcomeOfCheck(check, world, signal);
  for (const live of own) await live.stop();
  signal.throwIfAborted();
  const seconds = (performance.now() - started) / 1000;
  const known = outcome.type === 'failed' ? run.known(server.name, address, check.name) : undefined;
  const number = known === undefined ? '' : ` (known failure ${known})`;
  run.report(
    `  ${outcome.type.padEnd(7)} ${seconds.toFixed(1).padStart(5)} s  ${addressName(address)}: ${check.name}${number}`,
  );
  return { address, check: check.name, seconds, outcome: outcome.type === 'failed' ? { ...outcome, known } : outcome };
}

async function outcomeOfCheck(check: Check, world: World, signal: AbortSignal): Promise<CheckOutcome> {
  const timeout = AbortSignal.timeout(CHECK_MS);
  const ended = AbortSignal.any([signal, timeout]);
  const aborted = new Promise<never>((_resolve, reject) => {
    ended.addEventListener('abort', () => reject(new Error(`the check took longer than ${CHECK_MS / 1000} s`)), {
      once: true,
    });
  });
  try {
    await Promise.race([check.run(world), aborted]);
    return { type: 'passed' };
  } catch (error) {
    if (error instanceof NotRun) return { type: 'not run', reason: error.message };
    return { type: 'failed', reason: messageOf(error) };
  }
}
