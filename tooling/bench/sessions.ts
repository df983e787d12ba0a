// Measures sessions, medians with the range of five runs: `npm run bench:sessions`.
// A log of 100,000 lines: the time to open it, and the memory that this takes against the size of the log.
// A session of 1,000 calls: the time of a turn at the end against one at the beginning; once with a scripted model, and
// once over a wire, with a mock in another process and a window that makes the agent shorten the conversation.
// `npm run bench:sessions -- log|turns|wire` measures one of them. The wire needs a build, for the mock.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { runAgent } from '../../src/agent/agent-loop.ts';
import type { AgentEvent } from '../../src/agent/ports/events.ts';
import { sendWholeHistory } from '../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../src/agent/session-state.ts';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { computeDigest, systemClock } from '../../src/node/system.ts';
import { openAgent } from '../../src/open-agent.ts';
import { eventLine, versionLine } from '../../src/session/log/log-line.ts';
import { readLog } from '../../src/session/log/read-log.ts';
import { recordEvents } from '../../src/session/session-record.ts';
import { createTestStore } from '../../test/support/agent/session-store.ts';
import { scriptedTools } from '../../test/support/fakes/scripted-tools.ts';
import { interleave, median, medianWithRange } from './measure.ts';
import { startMockProcess } from './mock-process.ts';

const LINES = 100_000;
const CALLS = 1_000;
const RUNS = 5;
/** The turns whose median stands for the beginning or the end of a session over a wire. */
const WINDOW = 200;
/** The context window over a wire, in tokens: as that of a local model. The conversation is shortened about 20 times. */
const CONTEXT_TOKENS = 32_000;
const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };
const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));

const [, , mode, logFile] = process.argv;
if (mode === 'read' && logFile !== undefined) {
  await readInThisProcess(logFile);
} else {
  try {
    if (mode === undefined || mode === 'log') await measureReading();
    if (mode === undefined || mode === 'turns') await measureTurns();
    if (mode === undefined || mode === 'wire') await measureTurnsOverWire();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Reads a log, and prints the time and the highest memory of this process. */
async function readInThisProcess(file: string): Promise<void> {
  const started = performance.now();
  const { messageCount } = await readLog(createNodeFileSystem(), file);
  const milliseconds = performance.now() - started;
  console.log(JSON.stringify({ messageCount, milliseconds, bytes: process.resourceUsage().maxRSS * 1024 }));
}

/** Reads a log in a new process, whose memory nothing else uses. */
async function readInNewProcess(file: string) {
  const { stdout } = await execa(process.execPath, [import.meta.filename, 'read', file]);
  return z.object({ messageCount: z.number(), milliseconds: z.number(), bytes: z.number() }).parse(JSON.parse(stdout));
}

async function measureReading(): Promise<void> {
  const file = path.join(directory, 'long.jsonl');
  const plain = (text: string): string => text;
  const time = '2026-01-18T14:30:22.000Z';
  const lines = [versionLine(time)];
  const add = (event: AgentEvent): void => {
    const line = eventLine(time, event, plain);
    if (line !== undefined) lines.push(line);
  };
  for (let turn = 1; lines.length < LINES; turn += 1) {
    const call = { id: `call_${turn}`, name: 'read_file', arguments: `{"path":"src/file-${turn}.ts"}` };
    if (turn % 10 === 1) add({ type: 'user_message', text: `Do the next thing, number ${turn}.` });
    add({ type: 'turn_start', turn, model: MODEL });
    add({ type: 'usage', model: MODEL, inputTokens: turn * 10, outputTokens: 50 });
    add({
      type: 'assistant_message',
      message: { role: 'assistant', content: `I read file ${turn}. `.repeat(5), toolCalls: [call] },
      finish: 'tool_calls',
    });
    add({ type: 'tool_call', call, permission: { type: 'allow', rule: 'permission mode ask' } });
    const content = `lines 1–20 of 20\n${`${turn}\tconst value = compute(input, options);\n`.repeat(20)}`;
    add({
      type: 'tool_result',
      callId: call.id,
      toolName: 'read_file',
      outcome: 'ok',
      content,
      summary: 'lines 1–20 of 20',
      durationMs: 2,
    });
    add({ type: 'turn_end', turn });
  }
  const empty = path.join(directory, 'empty.jsonl');
  writeFileSync(empty, `${lines[0]}\n`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { size } = statSync(file);
  const times: number[] = [];
  const sizes: number[] = [];
  let messages = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const base = await readInNewProcess(empty);
    const { messageCount, milliseconds, bytes } = await readInNewProcess(file);
    times.push(milliseconds);
    sizes.push((bytes - base.bytes) / size);
    messages = messageCount;
  }
  console.log(
    `a log of ${LINES} lines (${(size / 1e6).toFixed(0)} MB, ${messages} messages): ${medianWithRange(times, 0)} ms ` +
      `(budget 1000), ${medianWithRange(sizes, 2)} times its size in memory at most (budget 3)`,
  );
}

async function measureTurns(): Promise<void> {
  const ratios = (await interleave(RUNS, { ratio: growthOfTurns }))('ratio');
  console.log(
    `a session of ${CALLS} calls: a turn at the end takes ${medianWithRange(ratios, 2)} times as long as one at the ` +
      `beginning (budget 1.5)`,
  );
}

/** Time of a turn at the end of a session, relative to one at its beginning. */
async function growthOfTurns(): Promise<number> {
  const store = createTestStore(createNodeFileSystem(), {
    directory: path.join(directory, 'sessions'),
    clock: systemClock,
    digest: computeDigest,
  });
  const record = await store.create();
  const session = { state: EMPTY_SESSION };
  const times: number[] = [];
  const content = 'lines 1–20 of 20\n'.repeat(10);
  const tools = scriptedTools({
    read: {
      async *run() {
        return { content, isError: false, summary: 'read' };
      },
    },
  });
  let turn = 0;
  const model = {
    identity: MODEL,
    async *stream() {
      turn += 1;
      if (turn > CALLS) {
        yield { type: 'text_delta', text: 'Done.' } as const;
        yield { type: 'finish', reason: 'stop' } as const;
        return;
      }
      yield {
        type: 'tool_call_delta',
        index: 0,
        id: `call_${turn}`,
        name: 'read',
        arguments: `{"n":${turn}}`,
      } as const;
      yield { type: 'finish', reason: 'tool_calls' } as const;
    },
  };
  const approver = { decide: async () => ({ type: 'unavailable' }) as const };
  const run = runAgent(
    { prompt: 'go', session, signal: new AbortController().signal },
    { model, tools, approver, clock: systemClock, digest: computeDigest },
    {
      system: 'system',
      maxIterations: CALLS + 1,
      dryRun: false,
      decide: () => ({ type: 'allow', rule: 'bench' }),
      prepareRequest: sendWholeHistory,
      session: { sessionId: record.id, model: 'mock/m', workspace: '/w', permissionMode: 'ask' },
    },
  );
  let last = performance.now();
  for await (const event of recordEvents(run, record, 'system')) {
    if (event.type !== 'turn_end') continue;
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  await record.close();
  const [beginning, end] = [median(times.slice(20, 120)), median(times.slice(-101, -1))];
  return end / beginning;
}

async function measureTurnsOverWire(): Promise<void> {
  const workspace = path.join(directory, 'workspace');
  mkdirSync(workspace);
  const line = 'const value = compute(input, options);\n';
  writeFileSync(path.join(workspace, 'a.js'), line.repeat(2 * CALLS));
  const steps = Array.from({ length: CALLS - 1 }, (_, index) => {
    const call = { name: 'read_file', arguments: { path: 'a.js', offset: index + 1, limit: 20 } };
    return { response: { content: `I read from line ${index + 1}.`, tool_calls: [call] } };
  });
  const scenario = { name: 'read', trigger: 'read it all', steps: [...steps, { response: { content: 'Done.' } }] };
  const file = path.join(directory, 'read.json');
  writeFileSync(file, JSON.stringify({ scenarios: [scenario] }));
  const mock = await startMockProcess([file]);
  let compactions = 0;
  const play = async (): Promise<number> => {
    const session = await playOverWire(workspace, mock.url);
    compactions = session.compactions;
    await mock.takeJournal();
    return median(session.times.slice(-WINDOW)) / median(session.times.slice(0, WINDOW));
  };
  const ratios = (await interleave(RUNS, { play }).finally(mock.stop))('play');
  console.log(
    `a session of ${CALLS} turns over a wire with ${compactions} compactions: a turn at the end takes ` +
      `${medianWithRange(ratios, 2)} times the CPU of one at the beginning (budget 1.5)`,
  );
}

/** Plays the session once. The times are the CPU time of this process per turn, in milliseconds. */
async function playOverWire(workspace: string, url: string) {
  await using agent = await openAgent({
    workspace,
    config: {
      llm: { provider: 'openai-compatible', endpoint: `${url}/v1`, model: 'mock-model' },
      context: { max_tokens: CONTEXT_TOKENS },
      agent: { max_iterations: CALLS },
      session: { auto_save: true, storage_path: path.join(directory, 'wire-sessions') },
    },
  });
  const times: number[] = [];
  let compactions = 0;
  let before = process.cpuUsage();
  for await (const event of agent.run('read it all')) {
    if (event.type === 'compaction') compactions += 1;
    if (event.type === 'run_end' && event.outcome !== 'done') throw new Error(event.message);
    if (event.type !== 'turn_end') continue;
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    before = process.cpuUsage();
  }
  return { times, compactions };
}
