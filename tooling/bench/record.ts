// Measures what recording costs a client: `npm run bench:record -- [rounds]`. The built mock server plays the provider; it
// streams an answer of 200 pieces, 5 ms apart. The client reads it in turns from the provider and through
// `mock-llm-server record`, over each protocol. Exits with 1 if one byte differs. The page record.md has the figures.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { conditions, cpuOf, medianWithRange } from './measure.ts';
import { PROTOCOLS, workloadOf } from './mock/workloads.ts';
import { startServer } from './mock-process.ts';

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

const file = path.join(scratch, 'stream.json');
writeFileSync(file, JSON.stringify(scenario));
const upstream = await startServer(['--port', '0', '--no-watch', '--lint', 'off', '--scenarios', file]);
const out = path.join(scratch, 'story');
const proxy = await startServer(['record', '--port', '0', '--upstream', upstream.url, '--out', out]);
try {
  console.log(`${conditions(`${rounds} rounds`)}\n`);
  console.log('| protocol | first byte later, ms | last byte, times | processor time of the recorder, ms an answer |');
  console.log('| --- | ---: | ---: | ---: |');
  for (const protocol of PROTOCOLS) {
    const { stream } = workloadOf(protocol).requests;
    const [laters, ratios]: [number[], number[]] = [[], []];
    const before = cpuOf(proxy);
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
    const cpu = (cpuOf(proxy) - before) / rounds;
    console.log(`| ${protocol} | ${medianWithRange(laters, 1)} | ${medianWithRange(ratios, 3)} | ${cpu.toFixed(0)} |`);
  }
} finally {
  await proxy.stop();
  await upstream.stop();
  rmSync(scratch, { recursive: true, force: true });
}
