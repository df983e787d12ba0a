// Measures what recording costs a client: `npm run bench:record -- [rounds]`. The built mock server plays the provider; it
// streams an answer of 200 pieces, 5 ms apart. The client reads it in turns from the provider and through
// `mock-llm-server record`, over each protocol. Exits with 1 if one byte differs. The page record.md has the figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import { medianWithRange } from './median.ts';
import { PROTOCOLS, workloadOf } from './mock/workloads.ts';

const bin = path.join(import.meta.dirname, '../../dist/mock-llm-server.js');
const ListeningSchema = z.object({ url: z.string() });
const rounds = Number(process.argv[2] ?? 9);

const PIECES = 200;
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const scenario = {
  scenarios: [
    {
      name: 'stream',
      trigger: { regex: '[^]' },
      auxiliary: false,
      steps: [
        {
          response: { content: Array.from({ length: PIECES }, (_, index) => `word${index}`).join(' ') },
          timing: { piece_delay_ms: 5 },
        },
      ],
    },
  ],
};

/** Starts the built command and resolves with its address and its process. */
async function start(args: readonly string[]) {
  const server = execa(process.execPath, [bin, ...args], { stdin: 'ignore', stderr: 'ignore', reject: false });
  for await (const line of createInterface({ input: server.stdout })) {
    return { url: ListeningSchema.parse(JSON.parse(line)).url, server };
  }
  throw new Error(`mock-llm-server ${args.join(' ')} did not start`);
}

/** The whole body, and the milliseconds until its first and its last byte. */
async function read(url: string, request: { readonly path: string; readonly body: string }) {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const response = await fetch(url + request.path, { method: 'POST', headers, body: request.body });
  const chunks: Uint8Array[] = [];
  let first = Number.NaN;
  for await (const chunk of response.body ?? []) {
    if (chunks.length === 0) first = performance.now() - started;
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), first, last: performance.now() - started };
}

/** Milliseconds of processor time that a process has used, with all threads. Only on Linux. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const file = path.join(scratch, 'stream.json');
writeFileSync(file, JSON.stringify(scenario));
const upstream = await start(['--port', '0', '--no-watch', '--lint', 'off', '--scenarios', file]);
const out = path.join(scratch, 'story');
const proxy = await start(['record', '--port', '0', '--upstream', upstream.url, '--out', out]);
try {
  console.log(
    `Node ${process.versions.node}, ${rounds} rounds, load ${os.loadavg()[0]?.toFixed(1)}; medians (range)\n`,
  );
  console.log('| protocol | first byte later, ms | last byte, times | processor time of the recorder, ms an answer |');
  console.log('| --- | ---: | ---: | ---: |');
  for (const protocol of PROTOCOLS) {
    const { stream } = workloadOf(protocol).requests;
    const [laters, ratios]: [number[], number[]] = [[], []];
    const before = cpuOf(proxy.server.pid);
    for (let round = 0; round < rounds; round++) {
      const request = { path: stream.path, body: stream.body.join(String(round)) };
      const direct = await read(upstream.url, request);
      const recorded = await read(proxy.url, request);
      if (!direct.body.equals(recorded.body)) {
        console.error(`${protocol}: the bytes differ`);
        process.exitCode = 1;
      }
      laters.push(recorded.first - direct.first);
      ratios.push(recorded.last / direct.last);
    }
    const cpu = (cpuOf(proxy.server.pid) - before) / rounds;
    console.log(`| ${protocol} | ${medianWithRange(laters, 1)} | ${medianWithRange(ratios, 3)} | ${cpu.toFixed(0)} |`);
  }
} finally {
  proxy.server.kill('SIGTERM');
  upstream.server.kill('SIGTERM');
  await proxy.server;
  await upstream.server;
  rmSync(scratch, { recursive: true, force: true });
}
