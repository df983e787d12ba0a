// Compares the speed of mock-llm-server with a bare node:http server and aimock: `npm run bench:mock -- [options]`.
//   --full         more rounds, and 40 000 requests to measure the memory
//   --quick        one round of few requests, which only shows that the bench works
//   --only TEXT    only the rows whose name contains the text
//   --json         prints the rows as JSON
// No two requests are equal, because each prompt has its own number. The figures are ratios of the CPU time per request
// of the server process with all threads: bare server to candidate, so 1 is as fast as node:http and more is better.
// A missed target is printed but is not a failure, because the figures depend on the machine and its load.
// The page mock.md says what the time of a request consists of.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './measure.ts';
import { blockPairs } from './mock/blocks.ts';
import { captureAnswers, checkAnswers, checkBlock } from './mock/captured-answers.ts';
import { type Burst, sendBurst } from './mock/load-client.ts';
import { measureRatios } from './mock/ratios.ts';
import { type Candidate, candidates, type Running, start } from './mock/servers.ts';
import { formatTable, type Row, summarize } from './mock/table.ts';
import { MISS, PROTOCOLS, workloadOf } from './mock/workloads.ts';

const root = path.join(import.meta.dirname, '../..');
if (!existsSync(path.join(root, 'dist/mock-llm-server.js')))
  throw new Error('dist/ is missing. Build it first: npm run build');

const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const { rounds, scale, starts, memoryRequests } = options.full
  ? { rounds: 9, scale: 2, starts: 15, memoryRequests: 40_000 }
  : options.quick
    ? { rounds: 1, scale: 0.05, starts: 1, memoryRequests: 400 }
    : { rounds: 5, scale: 1, starts: 7, memoryRequests: 4_000 };

interface SpeedRow {
  readonly name: string;
  readonly burst: Burst;
  readonly target?: number | undefined;
}

const chat = workloadOf('openai-chat').requests;
const SPEED_ROWS: readonly SpeedRow[] = PROTOCOLS.flatMap((protocol) => {
  const { plain, agent, stream } = workloadOf(protocol).requests;
  const isChat = protocol === 'openai-chat';
  const row = (name: string, burst: Burst, target?: number) => ({ name: `${protocol}, ${name}`, burst, target });
  const targetOf = (chatTarget: number, target?: number) => (isChat ? chatTarget : target);
  return [
    row('first request, 1 at a time', { request: plain, requests: 300, concurrency: 1 }),
    row('first request, 32 at a time', { request: plain, requests: 750, concurrency: 32 }, targetOf(0.5)),
    row('agent of 20 rounds, 1 at a time', { request: agent, requests: 100, concurrency: 1 }),
    row('agent of 20 rounds, 32 at a time', { request: agent, requests: 200, concurrency: 32 }, targetOf(0.6, 0.45)),
    row('stream of 200 pieces, 1 at a time', { request: stream, requests: 100, concurrency: 1 }),
    row('stream of 200 pieces, 32 at a time', { request: stream, requests: 200, concurrency: 32 }, targetOf(1, 0.6)),
  ];
});
const MISS_ROW = 'cost of a miss relative to a hit, 10 000 scenarios';
const MANY_ROW = 'cost with 1 000 scenarios relative to 10';
const CHECKS_ROW = 'cost of the checks';
const BLOCKS_ROW = 'cost relative to as much text';
const LOAD_ROW = 'load of a recording of 60 steps with pictures';
const START_ROW = 'start to first answer';
const MEMORY_ROW = `peak memory after ${memoryRequests} requests`;

const wanted = (name: string): boolean => name.includes(options.only);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const servers = candidates(scratch);
const running: Running[] = [];
try {
  const rows = await measureAll();
  const [plain, agent] = [chat.plain, chat.agent].map(({ body }) => Math.round(body.join('').length / 1000));
  const load = os.loadavg().map((value) => value.toFixed(1));
  const about =
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${os.cpus().length} processors, load ` +
    `${load.join(' ')}, ${rounds} interleaved rounds; a first request has ${plain} KB, an agent's ${agent} KB`;
  if (options.json) console.log(JSON.stringify({ about, rows: summarize(rows) }, null, 2));
  else console.log(`${about}; CPU time, bare node:http to candidate, medians (range)\n\n${formatTable(rows)}`);
} finally {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(scratch, { recursive: true, force: true });
}

async function measureAll(): Promise<readonly Row[]> {
  const own = await launch(servers.own);
  const workloads = PROTOCOLS.map(workloadOf);
  writeFileSync(path.join(scratch, 'answers.json'), JSON.stringify(await captureAnswers(own.port, workloads)));
  const rows: Row[] = [];
  const speedRows = SPEED_ROWS.filter(({ name }) => wanted(name));
  if (speedRows.length > 0) {
    const [bare, aimock] = [await launch(servers.bare), await launch(servers.aimock)];
    for (const { port } of [own, bare, aimock]) {
      for (const workload of workloads) await checkAnswers(port, workload);
    }
    for (const row of speedRows) rows.push(await measureSpeed(row, { bare, own, aimock }));
  }
  if (wanted(MISS_ROW)) rows.push(await measureMiss());
  if (wanted(MANY_ROW)) rows.push(await measureMany());
  if (wanted(CHECKS_ROW)) rows.push(...(await measureChecks()));
  if (wanted(BLOCKS_ROW)) rows.push(...(await measureBlocks()));
  if (wanted(LOAD_ROW)) rows.push(await measureLoad());
  if (wanted(START_ROW)) rows.push(...(await measureStarts()));
  if (wanted(MEMORY_ROW)) rows.push(await measureMemory());
  return rows;
}

async function launch(candidate: Candidate): Promise<Running> {
  const server = await start(candidate);
  running.push(server);
  return server;
}

function scaled(burst: Burst): Burst {
  return { ...burst, requests: Math.ceil(burst.requests * scale) };
}

async function measureSpeed(
  row: SpeedRow,
  { bare, own, aimock }: Record<'bare' | 'own' | 'aimock', Running>,
): Promise<Row> {
  const { name, target } = row;
  const burst = scaled(row.burst);
  const sides = [own, aimock].map((server) => ({ server, burst }));
  const [ours, theirs] = await measureRatios({ server: bare, burst }, sides, rounds);
  const inverse = (values: readonly number[] = []) => values.map((value) => 1 / value);
  return {
    name,
    unit: '',
    better: 'more',
    target,
    own: inverse(ours?.cpu),
    aimock: inverse(theirs?.cpu),
    microseconds: ours?.microseconds ?? [],
    wall: { own: inverse(ours?.wall), aimock: inverse(theirs?.wall) },
  };
}

async function measureMiss(): Promise<Row> {
  const server = await launch(servers.tenThousand);
  const hit = scaled({ request: chat.plain, requests: 200, concurrency: 8 });
  return measureCost(MISS_ROW, { server, burst: hit }, { server, burst: { ...hit, request: MISS, status: 400 } }, 2);
}

async function measureMany(): Promise<Row> {
  const burst = scaled({ request: chat.plain, requests: 1_500, concurrency: 32 });
  // Both servers are new: one that has answered the other rows has less code to compile.
  const [few, many] = [await launch(servers.own), await launch(servers.thousand)];
  return measureCost(MANY_ROW, { server: few, burst }, { server: many, burst }, 1.3);
}

/** The cost of checking requests, in CPU and wall time, relative to a server that checks nothing. */
async function measureChecks(): Promise<readonly Row[]> {
  const [checked, unchecked] = [await launch(servers.own), await launch(servers.unchecked)];
  const rows: Row[] = [];
  for (const protocol of PROTOCOLS) {
    const { agent, stream } = workloadOf(protocol).requests;
    for (const [kind, request] of Object.entries({ agent, stream })) {
      const burst = scaled({ request, requests: 200, concurrency: 32 });
      const name = `${CHECKS_ROW}, ${protocol}, ${kind}, 32 at a time`;
      rows.push(await measureCost(name, { server: unchecked, burst }, { server: checked, burst }, 1.1));
    }
  }
  return rows;
}

async function measureCost(
  name: string,
  base: { server: Running; burst: Burst },
  side: { server: Running; burst: Burst },
  target: number,
): Promise<Row> {
  const [ratios] = await measureRatios(base, [side], rounds);
  const { cpu, wall, microseconds } = ratios ?? { cpu: [], wall: [], microseconds: [] };
  return { name, unit: '×', better: 'less', target, own: cpu, microseconds, wall: { own: wall } };
}

/** The cost of each kind of block in a stream, relative to a text with the same words. */
async function measureBlocks(): Promise<readonly Row[]> {
  const server = await launch(servers.blocks);
  const burst = (request: Burst['request']) => scaled({ request, requests: 100, concurrency: 8 });
  const rows: Row[] = [];
  for (const { kind, block, text } of blockPairs()) {
    await checkBlock(server.port, kind, block);
    const base = { server, burst: burst(text) };
    rows.push(await measureCost(`${BLOCKS_ROW}, ${kind}`, base, { server, burst: burst(block) }, 1.1));
  }
  return rows;
}

/** CPU time that a recording adds to the start. */
async function measureLoad(): Promise<Row> {
  const own: number[] = [];
  for (let round = 0; round <= starts; round += 1) {
    const [without, loaded] = [await start(servers.own), await start(servers.pictures)];
    await Promise.all([without.stop(), loaded.stop()]);
    if (round > 0) own.push((loaded.startUp.cpu ?? Number.NaN) - (without.startUp.cpu ?? Number.NaN));
  }
  return { name: LOAD_ROW, unit: ' ms', better: 'less', target: 200, own };
}

async function measureStarts(): Promise<readonly Row[]> {
  const names = ['bare', 'own', 'aimock'] as const;
  const times = { bare: startTimes(), own: startTimes(), aimock: startTimes() };
  // The first round fills disk and compile caches and does not count.
  for (let round = 0; round <= starts; round += 1) {
    for (const name of names) {
      const { startUp, stop } = await start(servers[name]);
      await stop();
      if (round === 0) continue;
      times[name].wall.push(startUp.wall);
      if (startUp.cpu !== undefined) times[name].cpu.push(startUp.cpu);
    }
  }
  return (['cpu', 'wall'] as const).map((clock) => {
    const bare = median(times.bare[clock]);
    const [own, aimock] = [times.own, times.aimock].map((time) => time[clock].map((value) => value / bare));
    const name = `${START_ROW}, ${clock === 'cpu' ? 'CPU' : 'wall'}`;
    return { name, unit: '×', better: 'less', target: 1.8, own: own ?? [], aimock: aimock ?? [] };
  });
}

function startTimes(): { cpu: number[]; wall: number[] } {
  return { cpu: [], wall: [] };
}

async function measureMemory(): Promise<Row> {
  const peaks: Record<'own' | 'aimock', number[]> = { own: [], aimock: [] };
  const share = Math.round(memoryRequests / 4);
  for (const name of ['own', 'aimock'] as const) {
    const server = await launch(servers[name]);
    await sendBurst(server, { request: chat.plain, requests: share, concurrency: 32 });
    await sendBurst(server, { request: chat.agent, requests: 2 * share, concurrency: 8 });
    await sendBurst(server, { request: chat.stream, requests: share, concurrency: 32 });
    const peak = server.peakMemory();
    if (peak !== undefined) peaks[name].push(peak);
    await server.stop();
  }
  return { name: MEMORY_ROW, ...peaks, unit: ' MB', better: 'less', target: 200 };
}
