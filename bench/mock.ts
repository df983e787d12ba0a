// How fast mock-llm-server is beside a bare node:http server and beside aimock: `npm run bench:mock -- [--full]`.
// All of it is ratios: every burst of a candidate stands between two bursts of the bare server, and its value is the
// ratio to their mean, so that a busy moment of the machine hits both. Prints medians and the targets; a missed target
// is no failure, because a shared machine measures itself. `--full` has more rounds and 40 000 requests for the memory.
// Targets are for a load of equal requests, which the server remembers; the rows below them have no two alike.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from './median.ts';
import { type Burst, sendBurst } from './mock/load-client.ts';
import { type Candidate, candidates, type Running, start } from './mock/servers.ts';
import { formatTable, type Row } from './mock/table.ts';
import { REQUESTS } from './mock/workload.ts';

const root = path.join(import.meta.dirname, '..');
if (!existsSync(path.join(root, 'dist/mock-llm-server.js')))
  throw new Error('dist/ is missing. Build it first: npm run build');

const full = process.argv.includes('--full');
const rounds = full ? 9 : 5;
const scale = full ? 3 : 1;
const MEMORY_REQUESTS = full ? 40_000 : 4_000;

const BURSTS: readonly (readonly [name: string, Burst, limit?: number])[] = [
  ['not streamed, 32 at a time', { body: REQUESTS.plain, requests: 2_000 * scale, concurrency: 32 }, 0.75],
  ['not streamed, 256 at a time', { body: REQUESTS.plain, requests: 2_000 * scale, concurrency: 256 }, 0.75],
  ['agent of 20 tool rounds, 8 at a time', { body: REQUESTS.agent, requests: 600 * scale, concurrency: 8 }, 0.9],
  ['stream of 200 pieces, 1 at a time', { body: REQUESTS.stream, requests: 300 * scale, concurrency: 1 }, 1],
  ['stream of 200 pieces, 32 at a time', { body: REQUESTS.stream, requests: 600 * scale, concurrency: 32 }, 1],
];
const VARIED = BURSTS.map(([name, burst]) => [`${name}, no two alike`, { ...burst, varied: true }] as const);
/** Bursts of a candidate before it is measured: what is run for the first time is compiled while it runs. */
const WARM_UP_BURSTS = 3;

const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const servers = candidates(scratch);
const running: Running[] = [];
try {
  const rows = [...(await measureSpeed()), ...(await measureMany()), await measureStarts(), await measureMemory()];
  const about = `${rounds} interleaved rounds, ${Math.round(REQUESTS.agent.length / 1000)} KB agent body`;
  console.log(`Node ${process.versions.node}, ${about}; ratios to bare node:http, medians (range)\n`);
  console.log(formatTable(rows));
} finally {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(scratch, { recursive: true, force: true });
}

async function launch(candidate: Candidate): Promise<Running> {
  const server = await start(candidate);
  running.push(server);
  return server;
}

async function measureSpeed(): Promise<readonly Row[]> {
  const [bare, own, aimock] = [await launch(servers.bare), await launch(servers.own), await launch(servers.aimock)];
  const rows: Row[] = [];
  for (const [name, burst, limit] of [...BURSTS, ...VARIED]) {
    for (let time = 0; time < WARM_UP_BURSTS; time += 1) {
      for (const { port } of [bare, own, aimock]) await sendBurst(port, burst);
    }
    const ratios: { own: number[]; aimock: number[] } = { own: [], aimock: [] };
    let before = await sendBurst(bare.port, burst);
    for (let round = 0; round < rounds; round += 1) {
      for (const which of ['own', 'aimock'] as const) {
        const rate = await sendBurst({ own, aimock }[which].port, burst);
        const after = await sendBurst(bare.port, burst);
        ratios[which].push(rate / ((before + after) / 2));
        before = after;
      }
    }
    rows.push({ name, ...ratios, better: 'more', target: limit, unit: '' });
  }
  return rows;
}

/** What a request costs with 1 000 scenarios, beside 10. */
async function measureMany(): Promise<readonly Row[]> {
  const [few, many] = [await launch(servers.own), await launch(servers.many)];
  const burst = { body: REQUESTS.plain, requests: 1_500 * scale, concurrency: 32 };
  for (const { port } of [few, many]) await sendBurst(port, burst);
  const own: number[] = [];
  let before = await sendBurst(few.port, burst);
  for (let round = 0; round < rounds; round += 1) {
    const rate = await sendBurst(many.port, burst);
    const after = await sendBurst(few.port, burst);
    own.push((before + after) / 2 / rate);
    before = after;
  }
  return [
    {
      name: 'cost of 1 000 scenarios to that of 10',
      own,
      aimock: [],
      better: 'less',
      target: 1.3,
      unit: '×',
    },
  ];
}

async function measureStarts(): Promise<Row> {
  const times: Record<'bare' | 'own' | 'aimock', number[]> = { bare: [], own: [], aimock: [] };
  // The first round fills disk and compile caches and is not counted.
  for (let round = 0; round <= (full ? 15 : 7); round += 1) {
    for (const name of ['bare', 'own', 'aimock'] as const) {
      const server = await start(servers[name]);
      await server.stop();
      if (round > 0) times[name].push(server.startMs);
    }
  }
  const bare = median(times.bare);
  const [own, aimock] = [times.own, times.aimock].map((list) => list.map((time) => time / bare));
  return {
    name: 'start to first answer',
    own: own ?? [],
    aimock: aimock ?? [],
    better: 'less',
    target: 1.6,
    unit: '×',
  };
}

async function measureMemory(): Promise<Row> {
  const peaks: Record<'own' | 'aimock', number[]> = { own: [], aimock: [] };
  for (const name of ['own', 'aimock'] as const) {
    const server = await launch(servers[name]);
    const share = Math.round(MEMORY_REQUESTS / 4);
    await sendBurst(server.port, { body: REQUESTS.plain, requests: share, concurrency: 32 });
    await sendBurst(server.port, { body: REQUESTS.agent, requests: 2 * share, concurrency: 8 });
    await sendBurst(server.port, { body: REQUESTS.stream, requests: share, concurrency: 32 });
    const peak = server.peakMemory();
    if (peak !== undefined) peaks[name].push(peak);
    await server.stop();
  }
  const name = `peak memory after ${MEMORY_REQUESTS} requests`;
  return { name, ...peaks, better: 'less', target: 150, unit: ' MB' };
}
