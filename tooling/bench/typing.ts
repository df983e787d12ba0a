// Measures what a user waits for at the terminal, on the built program in a pseudo-terminal: `npm run bench:typing`.
// Needs a build and Linux: processor time is that of the threads in /proc.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import type { AgentEvent } from '../../src/agent/ports/events.ts';
import { eventLine, versionLine } from '../../src/session/log/log-line.ts';
import { medianWithRange } from './measure.ts';

const ENTRY = fileURLToPath(new URL('../../dist/ybs.js', import.meta.url));
const ROUNDS = 7;
const KEYS = 30;
const PASTED = Array.from({ length: 2_000 }, (_, index) => `const value${index} = compute(${index});`).join('\r');
const ANSWER = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }] };
const END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
let onRequest = (): void => {};
const server = createServer((request, response) => {
  if (request.method === 'POST') onRequest();
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end([ANSWER, END].map((data) => `data: ${JSON.stringify(data)}\n\n`).join(''));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
try {
  await measure(500);
  await measure(2_000);
} finally {
  server.close();
  rmSync(home, { recursive: true, force: true });
}

/** The log of a session with this many messages, half of them answers of 1 KB. */
function writeLog(messages: number): string {
  const time = '2026-01-18T14:30:22.000Z';
  const events: AgentEvent[] = [
    ...[
      {
        type: 'session_start',
        sessionId: `bench-${messages}`,
        time,
        model: 'm',
        workspace: home,
        permissionMode: 'ask',
      } as const,
    ],
    ...Array.from({ length: messages / 2 }, (_, index): readonly AgentEvent[] => [
      {
        type: 'user_message',
        text: `Please look at part ${index} of the cart, and tell me what it does with the prices.`,
      },
      {
        type: 'assistant_message',
        message: {
          role: 'assistant',
          content: `Part ${index} adds the prices of the cart. `.repeat(25),
          toolCalls: [],
        },
        finish: 'stop',
      },
      { type: 'run_end', outcome: 'done', message: 'Done.' },
    ]).flat(),
  ];
  const lines = events.flatMap((event) => eventLine(time, event, (text) => text) ?? []);
  const sessions = path.join(home, '.config/ybs/sessions');
  mkdirSync(sessions, { recursive: true });
  writeFileSync(path.join(sessions, `bench-${messages}.jsonl`), `${[versionLine(time), ...lines].join('\n')}\n`);
  return `bench-${messages}`;
}

async function measure(messages: number): Promise<void> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = writeLog(messages);
  writeFileSync(
    path.join(home, '.ybs.json'),
    JSON.stringify({
      llm: { provider: 'openai-compatible', endpoint: `http://127.0.0.1:${port}/v1`, model: 'm' },
      context: { max_tokens: 2_000_000 },
      ui: { color: false },
    }),
  );
  const child = spawn(process.execPath, [ENTRY, '--resume', name, '--no-sandbox'], {
    ...{ cols: 100, rows: 40, cwd: home },
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color' },
  });
  let output = '';
  child.onData((data) => {
    output += data;
  });
  const cpu = (): number => cpuOf(child.pid);
  const until = async (text: string, isReached = () => output.includes(text)): Promise<void> => {
    const started = performance.now();
    while (!isReached()) {
      if (performance.now() - started > 60_000) throw new Error(`no ${text}; the screen:\n${output.slice(-2_000)}`);
      await sleep(2);
    }
  };
  await until('restored');
  await sleep(1_000);
  const requests: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    output = '';
    child.write(`prompt ${round}`);
    await sleep(500);
    const before = cpu();
    onRequest = () => requests.push(cpu() - before);
    child.write('\r');
    // A line that is not a message, such as a command, sends no request.
    await until('request', () => requests.length > round);
    await until('Done.');
    await sleep(500);
  }
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const [pastes, keys, opened, names]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    child.write('/');
    names.push(await cpuOfKeys(child, cpu));
    child.write('\u0003');
    await sleep(500);
    output = '';
    const before = cpu();
    child.write(`\u001b[200~${PASTED}\u001b[201~`);
    await until('[pasted 2,000 lines]');
    pastes.push(cpu() - before);
    keys.push(await cpuOfKeys(child, cpu));
    child.write('\u000f');
    await sleep(1_000);
    opened.push(await cpuOfKeys(child, cpu));
    child.write('\u0003');
    await sleep(500);
  }
  child.kill('SIGKILL');
  console.log(`a session of ${messages} messages, load average ${os.loadavg()[0]?.toFixed(1)}:`);
  console.log(`  Enter to the request, CPU ms: ${medianWithRange(requests, 1)} (budget 30 at 500 messages)`);
  console.log(`  a paste of 2,000 lines, CPU ms: ${medianWithRange(pastes, 1)} (budget 200)`);
  console.log(
    `  a key after it, CPU ms: ${medianWithRange(keys, 2)}, with its text shown ${medianWithRange(opened, 2)} (budget 16)`,
  );
  console.log(`  a key in the name of a command, CPU ms: ${medianWithRange(names, 2)} (budget 16)`);
  console.log(`  memory at most, MB: ${memory.toFixed(0)} (budget 250 at 2,000 messages)`);
}

/** Processor time of one key, in milliseconds. */
async function cpuOfKeys(child: { write(text: string): void }, cpu: () => number): Promise<number> {
  const before = cpu();
  for (let key = 0; key < KEYS; key += 1) {
    child.write('x');
    await sleep(20);
  }
  await sleep(200);
  return (cpu() - before) / KEYS;
}

/** Processor time of a process in milliseconds. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}
