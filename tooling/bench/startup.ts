// Measures the start of the built command and a one-shot answer against a bare Node with an empty module:
// `npm run bench:startup [runs]`. The runs of all candidates are interleaved, so that other load of the machine affects
// them alike. Prints medians, ranges and budgets. A missed budget is not a failure, because the figures depend on the
// machine and its load. The page startup.md says what the time of an answer consists of.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { execa } from 'execa';
import { conditions, interleave, median, medianWithRange, requireBuild } from './measure.ts';
import { startHelloMock } from './mock-process.ts';
import { runTimed } from './timed-process.ts';

interface Candidate {
  readonly name: string;
  /** At most so many milliseconds over the base, or so many times the base. */
  readonly budget?: { readonly over: number } | { readonly times: number };
  readonly measure: () => Promise<number>;
}

const bin = path.join(requireBuild(), 'ybs.js');

/** The question for trust of the scratch directory. Its input line comes later: no key that was typed before answers it. */
const PROMPT = /Do you trust the project in .*y yes/s;
const CTRL_D = '\u0004';

const runs = Number(process.argv[2] ?? 15);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const empty = path.join(scratch, 'empty.mjs');
writeFileSync(empty, '');
const environment = benchEnvironment();
const mock = await startHelloMock(scratch);

const bare: Candidate = { name: 'node, empty module', measure: () => timeRun([empty]) };
const bareInTerminal: Candidate = { name: 'node, empty module, in a terminal', measure: () => timeInTerminal([empty]) };
const bareCpu: Candidate = { name: 'node, empty module, CPU', measure: () => cpuTime([empty]) };
const candidates: readonly (readonly [Candidate, Candidate])[] = [
  [{ name: 'ybs --version', budget: { over: 10 }, measure: () => timeRun([bin, '--version']) }, bare],
  [{ name: 'ybs --help', budget: { over: 15 }, measure: () => timeRun([bin, '--help']) }, bare],
  [
    {
      name: 'ybs, first prompt in a terminal',
      budget: { over: 60 },
      measure: () => timeInTerminal([bin, '--provider', 'mock', '--cwd', scratch], PROMPT),
    },
    bareInTerminal,
  ],
  [
    oneShot('openai-chat', ['--provider', 'openai-compatible'], {
      LLM_BASE_URL: `${mock.url}/v1`,
      LLM_AUTH_TOKEN: 'unused',
    }),
    bareCpu,
  ],
  [
    oneShot('anthropic-messages', ['--provider', 'anthropic'], {
      ANTHROPIC_BASE_URL: mock.url,
      ANTHROPIC_API_KEY: 'sk-ant-unused',
    }),
    bareCpu,
  ],
];

try {
  await report();
} finally {
  await mock.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function report(): Promise<void> {
  const bases = [bare, bareInTerminal, bareCpu];
  const all = [...bases, ...candidates.map(([candidate]) => candidate)];
  const times = await interleave(runs, Object.fromEntries(all.map(({ name, measure }) => [name, measure])));
  console.log(`${conditions(`${runs} interleaved runs`)}\n`);
  const print = (candidate: Candidate, more = ''): void =>
    console.log(`${candidate.name.padEnd(40)} ${medianWithRange(times(candidate.name), 1)}${more}`);
  for (const base of bases) print(base);
  for (const [candidate, base] of candidates) {
    const [own, other] = [median(times(candidate.name)), median(times(base.name))];
    print(
      candidate,
      `   ${(own - other).toFixed(1)} over node, ${(own / other).toFixed(2)} times${budgetOf(candidate)}`,
    );
  }
}

function budgetOf({ budget }: Candidate): string {
  if (budget === undefined) return '';
  return 'over' in budget ? ` (budget ${budget.over} over node)` : ` (budget ${budget.times} times)`;
}

/** A run with one prompt, which the mock server in another process answers. */
function oneShot(wire: string, options: readonly string[], variables: Readonly<Record<string, string>>): Candidate {
  const args = [bin, ...options, '--model', 'mock-model', '--cwd', scratch, 'say hello'];
  return {
    name: `ybs, one answer over ${wire}, CPU`,
    budget: { times: 5 },
    measure: () => cpuTime(args, variables),
  };
}

/** Milliseconds of CPU time of a process with all its threads and children. */
async function cpuTime(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<number> {
  const env = { ...environment, ...variables };
  const { cpu, exitCode, stderr } = await runTimed([process.execPath, ...args], { cwd: scratch, env });
  if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return cpu;
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
    let elapsed: number | undefined;
    terminal.onData((data) => {
      output += data;
      if (elapsed !== undefined || ready === undefined || !ready.test(visible(output))) return;
      elapsed = performance.now() - started;
      // A process that is killed leaves no compiled code for the next start.
      terminal.write(CTRL_D);
    });
    terminal.onExit(() => {
      clearTimeout(timeout);
      if (ready === undefined) resolve(performance.now() - started);
      else if (elapsed !== undefined) resolve(elapsed);
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
