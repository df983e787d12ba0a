import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { MarkupName } from '../../mock-llm-server/weights/markups/markups.ts';
import { messageOf } from '../../src/agent/errors.ts';
import { type Check, NotRun, type Variant, type World } from '../../test/real/check.ts';
import { killLeftCommands } from '../../test/real/run-ybs.ts';
import { installationOf, isInstalled } from './install.ts';
import { type LiveServer, launch } from './live-server.ts';
import type { Address, ModelFiles, RealServer, StartContext } from './real-server.ts';
import { addressName, type CheckOutcome, type CheckResult, indent, type ServerResult } from './results.ts';
import { freePort } from './server-process.ts';
import { SERVERS } from './servers.ts';

/** Time after which a check counts as failed. All stories on a busy machine take long. */
const CHECK_MS = 1_800_000;

/** Wires that play a check at the same time. Most of the time, they wait for retries and stories. */
const LANES = 3;

/** Surroundings of a run over several servers. */
export interface RealRun {
  readonly cache: string;
  /** An existing directory for all files of the run. */
  readonly temporary: string;
  readonly servers: readonly RealServer[];
  readonly checks: readonly Check[];
  /** True for the checks that are asked for; the others count as not run. */
  readonly isWanted?: (check: string) => boolean;
  /** Compiles the model with this window and markup, once for each. */
  readonly model: (window: number, markup?: MarkupName) => Promise<ModelFiles>;
  /** The number of the fact about a server that explains this failure of a check. */
  readonly fact: (server: string, address: Address, check: string, failure: string) => number | undefined;
  /** The mock with these scenarios, to compare a server with. */
  readonly mock: (scenarios: readonly string[]) => Pick<RealServer, 'start'>;
  readonly report: (line: string) => void;
}

/** The window that a server loads for most checks: that of the model, so that a long result fits. */
export const WINDOW = 49_152;

/** Runs all checks with each server that is installed. A server that does not start does not keep the next from running. */
export async function runServers(run: RealRun, signal: AbortSignal): Promise<readonly ServerResult[]> {
  const { scenarios } = await run.model(WINDOW);
  const mock = await start(run.mock(scenarios), run, WINDOW, signal);
  try {
    const results: ServerResult[] = [];
    for (const server of run.servers) {
      signal.throwIfAborted();
      results.push({ server, outcome: await outcomeOf(server, { ...run, liveMock: mock }, signal) });
    }
    return results;
  } finally {
    await mock.stop();
  }
}

/** A run with the mock that every server is compared with. */
type ComparedRun = RealRun & { readonly liveMock: LiveServer };

async function outcomeOf(server: RealServer, run: ComparedRun, signal: AbortSignal): Promise<ServerResult['outcome']> {
  const { name, version } = server;
  if (!(await isInstalled(run.cache, server))) {
    const reason = `it is not installed; npm run test:real -- --install ${name} does that (${server.cost})`;
    run.report(`${name} ${version}: ${reason}`);
    return { type: 'missing', reason };
  }
  const variants = variantsOf(server, run, signal);
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
    // Each check over all wires, so that they share the instance that it needs.
    for (const check of run.checks) {
      const ofCheck = await inLanes(live.addresses, check.killsServer ? 1 : LANES, (address) => {
        const others = live.addresses.filter((each) => each !== address && each.behind === address.behind);
        const isFirst = address.behind === live.addresses[0]?.behind;
        return checkAddress({ server, address, others, isFirst, variants }, check, run, signal);
      });
      results.push(...ofCheck);
    }
    return { type: 'ran', results };
  } finally {
    await variants.stop();
    await live.stop();
  }
}

/** The results of a function for each item in order, for at most `lanes` items at the same time. */
async function inLanes<T, R>(items: readonly T[], lanes: number, run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<T, R>();
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) results.set(item, await run(item));
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return items.flatMap((item) => results.get(item) ?? []);
}

/** The instances of a server with other options, one at a time. */
interface Variants {
  start(options: Variant): Promise<LiveServer>;
  stop(): Promise<void>;
}

function variantsOf(server: RealServer, run: RealRun, signal: AbortSignal): Variants {
  let current: { readonly name: string; readonly live: LiveServer } | undefined;
  const stop = async (): Promise<void> => {
    const live = current?.live;
    current = undefined;
    await live?.stop();
  };
  const begin = async ({ window = WINDOW, markup }: Variant): Promise<LiveServer> => {
    const name = `${window} ${markup}`;
    if (current?.name === name) return current.live;
    await stop();
    const live = await start(server, run, window, signal, markup);
    current = { name, live };
    return live;
  };
  // Several wires ask at the same time. After a start that failed, the next one tries again.
  let last: Promise<unknown> = Promise.resolve();
  return {
    stop,
    start(options) {
      const started = last.then(() => begin(options));
      last = started.catch(() => {});
      return started;
    },
  };
}

async function start(
  server: Pick<RealServer, 'start'> & Partial<RealServer>,
  run: RealRun,
  window: number,
  signal: AbortSignal,
  markup?: MarkupName,
): Promise<LiveServer> {
  const model = await run.model(window, markup);
  const temporary = await mkdtemp(path.join(run.temporary, 'server-'));
  const context: StartContext = {
    installation: installationOf(run.cache, { name: server.name ?? '', version: server.version ?? '' }),
    temporary,
    model,
    freePort,
    async installationOf(name) {
      const other = SERVERS.find((each) => each.name === name);
      if (other === undefined || !(await isInstalled(run.cache, other))) return undefined;
      return installationOf(run.cache, other);
    },
  };
  return launch(server, context, signal);
}

async function checkAddress(
  {
    server,
    address,
    others,
    isFirst,
    variants,
  }: {
    readonly server: RealServer;
    readonly address: Address;
    readonly others: readonly Address[];
    /** True if the server itself plays the model, or the first of those behind it. */
    readonly isFirst: boolean;
    readonly variants: Variants;
  },
  check: Check,
  run: ComparedRun,
  signal: AbortSignal,
): Promise<CheckResult> {
  signal.throwIfAborted();
  if (run.isWanted?.(check.name) === false) {
    return { address, check: check.name, seconds: 0, outcome: { type: 'not run', reason: 'it is not asked for' } };
  }
  const temporary = await mkdtemp(path.join(run.temporary, 'check-'));
  const own: LiveServer[] = [];
  const { stories } = await run.model(WINDOW);
  const facts = new Set<number>();
  const world: World = {
    address,
    others,
    stories,
    temporary,
    window() {
      if (address.window !== undefined) throw new NotRun('the server states no window');
      return WINDOW;
    },
    mock: sameWire(run.liveMock, address),
    isFact(part, difference) {
      const fact = run.fact(server.name, address, part, difference);
      if (fact !== undefined) facts.add(fact);
      return fact !== undefined;
    },
    async mockOf(scenarios) {
      const mock = await start(run.mock([scenarios]), run, WINDOW, signal);
      own.push(mock);
      return sameWire(mock, address);
    },
    async spare() {
      if (!isFirst) throw new NotRun('a gateway ends alike, whatever is behind it');
      const live = await variants.start({});
      await live.revive();
      return { address: sameWire(live, address), kill: live.kill };
    },
    async variant(options) {
      const { window, markup = 'hermes' } = options;
      if (window !== undefined && address.window === 'none') throw new NotRun('the server has no window');
      if (server.markups?.includes(markup) === false)
        throw new NotRun('the server has no parser for it that any model can use');
      return sameWire(await variants.start(options), address);
    },
  };
  const started = performance.now();
  const outcome = await outcomeOfCheck(check, world, signal);
  killLeftCommands(temporary);
  for (const live of own) await live.stop();
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  signal.throwIfAborted();
  const seconds = (performance.now() - started) / 1000;
  const judged = judge(outcome);
  const line = `${judged.type.padEnd(7)} ${seconds.toFixed(1).padStart(5)} s  ${addressName(address)}: ${check.name}`;
  run.report(`  ${line}`);
  // A run over all wires takes long, and may be stopped before its report.
  if (judged.type === 'failed') run.report(indent(judged.reason));
  return { address, check: check.name, seconds, outcome: judged };

  function judge(outcome: CheckOutcome): CheckOutcome {
    if (outcome.type === 'passed') return { ...outcome, facts: [...facts].toSorted((left, right) => left - right) };
    if (outcome.type !== 'failed') return outcome;
    const fact = run.fact(server.name, address, check.name, outcome.reason);
    return fact === undefined ? outcome : { type: 'fact', number: fact };
  }
}

/** The address of another server, or of another instance, on the same wire. */
function sameWire({ addresses }: LiveServer, address: Address): Address {
  const same =
    addresses.find((each) => addressName(each) === addressName(address)) ??
    addresses.find(({ wire }) => wire === address.wire);
  if (same === undefined) throw new Error(`the other server has no ${address.wire}`);
  return same;
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
    return { type: 'passed', facts: [] };
  } catch (error) {
    if (error instanceof NotRun) return { type: 'not run', reason: error.message };
    return { type: 'failed', reason: messageOf(error) };
  }
}
