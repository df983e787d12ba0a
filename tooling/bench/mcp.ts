// Measures servers of the Model Context Protocol: the start of a run with three configured and none used, the first use
// of one, and a call over stdio, against a run without servers, the start of the server alone, and the bare client
// library; and the memory of a session whose second prompt uses a server, against one whose second prompt uses none:
// `npm run bench:mcp [runs]`. Prints medians of paired runs; a missed budget is not a failure, because the figures depend
// on the machine and its load.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { createStartServer } from '../../src/node/mcp/start-server.ts';
import { openMcpServers } from '../../src/tools/mcp/server.ts';
import { conditions, interleave, median, medianWithRange, requireBuild } from './measure.ts';
import { startMockProcess } from './mock-process.ts';
import { runTimed } from './timed-process.ts';

const CALLS = 200;
const runs = Number(process.argv[2] ?? 15);
const bin = path.join(requireBuild(), 'ybs.js');
const script = path.join(import.meta.dirname, '../../test/support/mcp/notes-server.mjs');
const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
const call = (name: string, args: object) => ({ response: { tool_calls: [{ name, arguments: args }] } });
const said = { response: { content: 'Hello from the mock.' } };
const find = call('find_tool', { server: 'one' });
const use = call('call_tool', { name: 'one__list_notes', arguments: {} });
const story = path.join(scratch, 'answers.json');
const scenarios = [
  { name: 'hello', trigger: 'say hello', steps: [said] },
  { name: 'use', trigger: 'use a server', steps: [find, use, said] },
];
writeFileSync(story, JSON.stringify({ scenarios }));
const mock = await startMockProcess([story]);
const signal = new AbortController().signal;

/** A run with one prompt, which the mock server in another process answers, in a home directory of its own. */
function oneRun(name: string, servers: object) {
  const home = path.join(scratch, name);
  mkdirSync(path.join(home, '.config/ybs'), { recursive: true });
  writeFileSync(path.join(home, '.config/ybs/config.json'), JSON.stringify({ mcp: { servers } }));
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', LLM_BASE_URL: `${mock.url}/v1`, LLM_AUTH_TOKEN: 'unused' };
  const args = [process.execPath, bin, '--provider', 'openai-compatible', '--model', 'mock-model', 'say hello'];
  return async () => {
    const { wall, cpu, exitCode, stderr } = await runTimed(args, { cwd: home, env });
    if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
    return { wall, cpu };
  };
}

/** Milliseconds of the first use of a server and of a call, as ybs makes them. */
async function ofClient(): Promise<{ first: number; call: number }> {
  const home = mkdtempSync(path.join(scratch, 'client-'));
  const entry = { command: process.execPath, args: [script] };
  const [server] = await openMcpServers([{ name: 'notes', entry, origin: 'user', digest: 'bench' }], {
    ...{ fileSystem: createNodeFileSystem(), platform: 'posix', directory: path.join(home, 'mcp'), version: '1' },
    ...{ userEnvironment: process.env, keyVariables: [], workspace: home, home },
    startServer: createStartServer(undefined),
    openHttp: () => Promise.reject(new Error('no network here')),
  });
  if (server === undefined) throw new Error('no server');
  const began = performance.now();
  await server.listTools(signal);
  const first = performance.now() - began;
  const call = await timeCalls(() => server.call('list_notes', {}, signal));
  await server.close();
  return { first, call };
}

/** The same of the bare client library. */
async function ofLibrary(): Promise<{ first: number; call: number }> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const began = performance.now();
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script], stderr: 'ignore' }));
  await client.listTools();
  const first = performance.now() - began;
  const call = await timeCalls(() => client.callTool({ name: 'list_notes', arguments: {} }));
  await client.close();
  return { first, call };
}

/** The megabytes that the second prompt of a session adds to its process, in which a server runs or not. */
function growthWith(prompt: string) {
  return async (): Promise<number> => {
    const home = mkdtempSync(path.join(scratch, 'memory-'));
    mkdirSync(path.join(home, '.config/ybs'), { recursive: true });
    writeFileSync(
      path.join(home, '.config/ybs/config.json'),
      JSON.stringify({ mcp: { servers: { one: entry('1') } } }),
    );
    const env = {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      LLM_BASE_URL: `${mock.url}/v1`,
      LLM_AUTH_TOKEN: 'unused',
    };
    const host = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    const model = ['--provider', 'openai-compatible', '--model', 'mock-model', '--permission-mode', 'full-access'];
    const args = [bin, ...model, ...host, '--no-sandbox'];
    const ybs = spawn(process.execPath, args, { cwd: home, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const sizes: number[] = [];
    let isUsed = false;
    const send = (content: string) =>
      ybs.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    send('say hello');
    for await (const line of createInterface({ input: ybs.stdout })) {
      isUsed ||= line.includes('There are no notes.') || prompt !== 'use a server';
      if (!line.includes('"type":"result"')) continue;
      const [, kilobytes = ''] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${ybs.pid}/status`, 'utf8')) ?? [];
      sizes.push(Number(kilobytes) / 1024);
      if (sizes.length === 1) send(prompt);
      else ybs.stdin.end();
    }
    if (ybs.exitCode === null) await once(ybs, 'exit');
    if (!isUsed) throw new Error('the server was not used');
    const [before = Number.NaN, after = Number.NaN] = sizes;
    return after - before;
  };
}

async function timeCalls(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let made = 0; made < CALLS; made += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return median(times);
}

const entry = (name: string) => ({ command: process.execPath, args: [script, name] });
try {
  const servers = { one: entry('1'), two: entry('2'), three: { url: 'http://127.0.0.1:9/mcp' } };
  const starts = await interleave(runs, { none: oneRun('none', {}), three: oneRun('three', servers) });
  const uses = await interleave(Math.min(runs, 9), { ybs: ofClient, library: ofLibrary });
  const grown = process.platform === 'linux' ? { use: growthWith('use a server'), none: growthWith('say hello') } : {};
  const growth = await interleave(Math.min(runs, 9), grown);
  console.log(`${conditions(`${runs} interleaved runs`)}\n`);
  const [used, unused] = [growth('use'), growth('none')];
  console.log('memory of a prompt with a first use, MB'.padEnd(44), medianWithRange(used, 1));
  console.log('memory of a prompt without, MB'.padEnd(44), medianWithRange(unused, 1));
  const more = median(used.map((megabytes, index) => megabytes - (unused[index] ?? 0)));
  console.log('  paired difference (budget 25), MB'.padEnd(44), more.toFixed(1));
  for (const key of ['wall', 'cpu'] as const) {
    const [none, three] = [starts('none'), starts('three')].map((list) => list.map((cost) => cost[key]));
    const paired = three?.map((cost, index) => cost - (none?.[index] ?? 0)) ?? [];
    console.log(`run without servers, ${key}`.padEnd(44), medianWithRange(none ?? [], 1));
    console.log(`with three, none used, ${key}`.padEnd(44), medianWithRange(three ?? [], 1));
    console.log(`  paired difference (budget 5), ${key}`.padEnd(44), median(paired).toFixed(1));
  }
  for (const key of ['first', 'call'] as const) {
    const [own, bare] = [uses('ybs'), uses('library')].map((list) => list.map((cost) => cost[key]));
    const label = key === 'first' ? 'first use' : 'call';
    console.log(`${label} by ybs`.padEnd(44), medianWithRange(own ?? [], 2));
    console.log(`${label} by the bare library`.padEnd(44), medianWithRange(bare ?? [], 2));
  }
} finally {
  await mock.stop();
  rmSync(scratch, { recursive: true, force: true });
}
