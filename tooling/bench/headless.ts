// Measures ybs as a host drives it: `npm run bench:headless -- [rounds]`. Each round plays a block of turns in this
// process, then over stream-json and over yume-json with a process of ybs that stays, against one mock server; and starts
// ybs for one message and a bare Node that prints a line. The conversations grow alike, and the first round does not
// count. Needs a build and Linux. A missed target is not a failure: the page headless.md has figures with their load.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openAgent } from '../../src/open-agent.ts';
import { type Cost, conditions, cpuOf, interleave, median, medianWithRange, requireBuild } from './measure.ts';
import { startHelloMock } from './mock-process.ts';

const TURNS = 25;
const rounds = Number(process.argv[2] ?? 9);
const bin = path.join(requireBuild(), 'ybs.js');
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const line = path.join(scratch, 'line.mjs');
writeFileSync(line, 'console.log("{}")');
const mock = await startHelloMock(scratch);
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: scratch,
  LLM_BASE_URL: `${mock.url}/v1`,
  LLM_AUTH_TOKEN: 'unused',
};
const MODEL = ['--provider', 'openai-compatible', '--model', 'mock-model'];

try {
  await report();
} finally {
  await mock.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function report(): Promise<void> {
  const agent = await openAgent({
    workspace: scratch,
    config: {
      llm: { provider: 'openai-compatible', endpoint: env.LLM_BASE_URL, model: 'mock-model' },
      session: { auto_save: true, storage_path: path.join(scratch, 'sessions') },
    },
  });
  const stream = startHost(
    [...MODEL, '--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'],
    { type: 'user', message: { role: 'user', content: 'say hello' } },
    'result',
  );
  const yume = startHost(['start', ...MODEL], { type: 'user', content: 'say hello' }, 'message_stop');
  const inProcess = async (): Promise<void> => {
    for await (const event of agent.run('say hello')) {
      if (event.type === 'run_end' && event.outcome !== 'done') throw new Error(event.message);
    }
  };
  const once = [...MODEL, '--output-format', 'stream-json', '-p', 'say hello'];
  const costs = await interleave(rounds, {
    'a turn in this process': () => block(inProcess, () => cpuOf(process)),
    'a turn over stream-json': () => block(stream.turn, stream.cpu),
    'a turn over yume-json': () => block(yume.turn, yume.cpu),
    'first line of node': () => firstLine([line]),
    'first line of ybs': () => firstLine([bin, ...once]),
  });
  stream.stop();
  yume.stop();
  await agent.close();
  console.log(`${conditions(`${rounds} interleaved rounds`)}\n`);
  const compare = (name: string, base: string, target: string): void => {
    for (const clock of ['wall', 'cpu'] as const) {
      const [own, other] = [costs(name), costs(base)];
      const values = (list: readonly Cost[]): readonly number[] => list.map((cost) => cost[clock]);
      const pairs = own.map((cost, index) => [cost[clock], other[index]?.[clock] ?? Number.NaN] as const);
      const more = medianWithRange(
        pairs.map(([left, right]) => left - right),
        1,
      );
      const ratio = median(pairs.map(([left, right]) => left / right)).toFixed(2);
      const figures = `${medianWithRange(values(own), 1)}   ${base}: ${medianWithRange(values(other), 1)}`;
      console.log(`${name}, ${clock}: ${figures}   more: ${more}, ${ratio} times${clock === 'wall' ? target : ''}`);
    }
  };
  compare('a turn over stream-json', 'a turn in this process', ' (target 15 more)');
  compare('a turn over yume-json', 'a turn in this process', ' (target 15 more)');
  compare('first line of ybs', 'first line of node', ' (target 80 more)');
}

/** The mean cost of a turn in a block of turns. */
async function block(turn: () => Promise<void>, cpu: () => number): Promise<Cost> {
  const [wall, used] = [performance.now(), cpu()];
  for (let index = 0; index < TURNS; index += 1) await turn();
  return { wall: (performance.now() - wall) / TURNS, cpu: (cpu() - used) / TURNS };
}

/** A process of ybs that stays. A turn ends with a line of the type `last`. */
function startHost(args: readonly string[], message: object, last: string) {
  const child = spawn(process.execPath, [bin, ...args], { cwd: scratch, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    cpu: () => cpuOf(child),
    stop: () => child.stdin.end(),
    async turn(): Promise<void> {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      for (;;) {
        const next = await lines.next();
        if (next.done === true) throw new Error(`ybs ${args.join(' ')} ended`);
        const printed: { readonly type?: unknown; readonly is_error?: unknown } = JSON.parse(next.value);
        if (printed.is_error === true) throw new Error(next.value);
        if (printed.type === last) return;
      }
    },
  };
}

/** The time to the first line of a process, and its processor time until then. */
async function firstLine(args: readonly string[]): Promise<Cost> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: scratch, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const first of createInterface({ input: child.stdout })) {
    const cost = { wall: performance.now() - started, cpu: cpuOf(child) };
    if (!first.startsWith('{')) throw new Error(first);
    child.stdout.resume();
    await new Promise((resolve) => child.once('close', resolve));
    return cost;
  }
  throw new Error(`${args.join(' ')} printed nothing`);
}
