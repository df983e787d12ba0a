// Measures the start of the built command against a bare Node with an empty module: `npm run bench:startup [runs]`.
// The runs of all candidates are interleaved, so that other load of the machine affects them alike. Prints medians and
// budgets. A missed budget is not a failure, because the figures depend on the machine and its load.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { execa } from 'execa';
import { median } from './median.ts';

interface Candidate {
  readonly name: string;
  readonly budget?: number;
  readonly measure: () => Promise<number>;
}

const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'dist/ybs.js');
if (!existsSync(bin)) throw new Error('dist/ybs.js is missing. Build it first: npm run build');

const runs = Number(process.argv[2] ?? 15);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const empty = path.join(scratch, 'empty.mjs');
writeFileSync(empty, '');
const environment = benchEnvironment();

const bare: Candidate = { name: 'node, empty module', measure: () => timeRun([empty]) };
const bareInTerminal: Candidate = { name: 'node, empty module, in a terminal', measure: () => timeInTerminal([empty]) };
const candidates: readonly (readonly [Candidate, Candidate])[] = [
  [{ name: 'ybs --version', budget: 10, measure: () => timeRun([bin, '--version']) }, bare],
  [{ name: 'ybs --help', budget: 15, measure: () => timeRun([bin, '--help']) }, bare],
  [
    {
      name: 'ybs, first prompt in a terminal',
      budget: 60,
      measure: () => timeInTerminal([bin, '--provider', 'mock', '--cwd', scratch], /> $/),
    },
    bareInTerminal,
  ],
];

try {
  await report();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function report(): Promise<void> {
  const all = [bare, bareInTerminal, ...candidates.map(([candidate]) => candidate)];
  const times = new Map<Candidate, number[]>(all.map((candidate) => [candidate, []]));
  // The first round fills disk and compile caches and does not count.
  for (let round = 0; round <= runs; round += 1) {
    for (const candidate of all) {
      const milliseconds = await candidate.measure();
      if (round > 0) times.get(candidate)?.push(milliseconds);
    }
  }
  const medianOf = (candidate: Candidate): number => median(times.get(candidate) ?? []);
  console.log(`Node ${process.versions.node}, medians of ${runs} interleaved runs, milliseconds\n`);
  for (const candidate of [bare, bareInTerminal])
    console.log(`${candidate.name.padEnd(36)} ${medianOf(candidate).toFixed(1)}`);
  for (const [candidate, base] of candidates) {
    const over = medianOf(candidate) - medianOf(base);
    const ratio = medianOf(candidate) / medianOf(base);
    console.log(
      `${candidate.name.padEnd(36)} ${medianOf(candidate).toFixed(1)}   ${over.toFixed(1)} over node (budget ${candidate.budget}), ${ratio.toFixed(2)} times`,
    );
  }
}

/** Milliseconds from the start of a process to its end. */
async function timeRun(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await execa(process.execPath, args, { env: environment, extendEnv: false, stdin: 'ignore' });
  return performance.now() - started;
}

/** Milliseconds from the start of a process in a pseudo-terminal to its end, or until its output matches `ready`. */
function timeInTerminal(args: string[], ready?: RegExp): Promise<number> {
  const started = performance.now();
  const terminal = spawnInTerminal(process.execPath, args, { env: environment, cols: 100, rows: 30 });
  const timeout = setTimeout(() => terminal.kill('SIGKILL'), 10_000);
  return new Promise((resolve, reject) => {
    let output = '';
    terminal.onData((data) => {
      output += data;
      if (ready === undefined || !ready.test(visible(output))) return;
      resolve(performance.now() - started);
      terminal.kill('SIGKILL');
    });
    terminal.onExit(() => {
      clearTimeout(timeout);
      if (ready === undefined) resolve(performance.now() - started);
      else reject(new Error(`the prompt did not appear; the output was:\n${output}`));
    });
  });
}

/** Terminal output without escape sequences. */
function visible(output: string): string {
  const start = String.fromCharCode(27);
  return output.replaceAll(new RegExp(`${start}\\[[0-9;?]*[a-zA-Z]`, 'g'), '');
}

/** A small environment, because certificates and options of the developer's Node would affect the figures. */
function benchEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: scratch,
    XDG_CACHE_HOME: path.join(scratch, 'cache'),
    TERM: 'xterm-256color',
  };
}
