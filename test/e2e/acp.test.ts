import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type ClientContext, client, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { readLine } from '../../src/session/log/read-line.ts';
import { hostedEntry } from '../support/host-bin.ts';
import { peakMegabytes, waitUntilIdle } from '../support/host-conversation.ts';
import { pathWithQuickNpm } from '../support/quick-npm.ts';
import { binEnvironment } from '../support/run-bin.ts';
import { serveScenarios, serveShippedStories } from '../support/serve-scenarios.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TURNS = 8;

const shipped = serveShippedStories();

const FILLING: MockScenario = {
  name: 'fill',
  trigger: 'print much',
  steps: [
    ...Array.from({ length: TURNS }, (_, index) => ({
      response: {
        content: 'much '.repeat(2_000),
        tool_calls: [{ name: 'read_file', arguments: { path: 'package.json', limit: index + 1 } }],
      },
      // Each piece becomes a line of some 250 bytes, so that the lines of a turn are more than a pipe holds.
      timing: { chunk: { by: 'words' as const, size: 3 } },
    })),
    { response: { content: 'Printed.' } },
  ],
};
const filling = serveScenarios([
  FILLING,
  { name: 'words', trigger: 'word word', steps: [{ response: { content: 'Read.' } }] },
]);

/** A home and a copy of the playground, which several agents may use. */
function newPlace() {
  const cwd = temporaryDirectory();
  cpSync(path.join(import.meta.dirname, '../../examples/playground'), cwd, { recursive: true });
  const environment = binEnvironment({ PATH: pathWithQuickNpm() });
  return { cwd, environment, sessions: path.join(environment['HOME'] ?? '', '.config/ybs/sessions') };
}

/**
 * Starts the built `ybs acp` for the official client, or a process that starts it and talks to it for this client. Each
 * piece of its output is read after `beforeRead`.
 */
function startAgent(
  { cwd, environment }: ReturnType<typeof newPlace>,
  url: string,
  { relayed = false, beforeRead = async (_piece: Uint8Array): Promise<void> => {} } = {},
) {
  const args = [...hostedEntry(relayed), '--provider', 'mock', '--endpoint', url, '--no-sandbox', 'acp'];
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, stderr }));
  const reader = new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      await beforeRead(piece);
      controller.enqueue(piece);
    },
  });
  const output = Readable.toWeb(child.stdout).pipeThrough(reader);
  return { child, stream: ndJsonStream(Writable.toWeb(child.stdin), output), ended };
}

async function newSession(agent: ClientContext, cwd: string): Promise<string> {
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION });
  return (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
}

const prompt = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

it('the built ybs acp works for the official client, and ends when its input ends', async () => {
  const place = newPlace();
  const { stream, ended, child } = startAgent(place, shipped.url);
  const titles: string[] = [];
  const app = client()
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'tool_call') titles.push(update.title);
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }));
  await app.connectWith(stream, async (agent) => {
    const sessionId = await newSession(agent, place.cwd);
    expect(await prompt(agent, sessionId, 'fix the failing test')).toEqual({ stopReason: 'end_turn' });
  });
  expect(titles).toEqual(['run npm test', 'read src/cart.js', 'edit src/cart.js (+1 −1)', 'run npm test']);
  expect(readFileSync(path.join(place.cwd, 'src/cart.js'), 'utf8')).toContain('amount >= FREE_SHIPPING_FROM');
  child.stdin.end();
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
});

it('a host that is killed in the middle of a question leaves a session that is whole and goes on', async () => {
  const place = newPlace();
  const { stream, ended, child } = startAgent(place, shipped.url, { relayed: true });
  const app = client()
    .onNotification('session/update', () => {})
    .onRequest('session/request_permission', () => {
      child.kill('SIGKILL');
      return new Promise<never>(() => {});
    });
  const connection = app.connect(stream);
  const sessionId = await newSession(connection.agent, place.cwd);
  await prompt(connection.agent, sessionId, 'fix the failing test').catch((error: unknown) => String(error));
  connection.close();
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL', stderr: '' });
  const [log = ''] = readdirSync(place.sessions).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(path.join(place.sessions, log), 'utf8').trimEnd().split('\n').map(readLine);
  const types = lines.flatMap((line) => (line.type === 'event' ? [line.event.type] : []));
  expect(types.at(-1)).toBe('run_end');
  expect(types).toContain('tool_result');
  const next = startAgent(place, shipped.url);
  await client()
    .onNotification('session/update', () => {})
    .connectWith(next.stream, async (agent) => {
      await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION });
      await agent.request('session/resume', { sessionId, cwd: place.cwd, mcpServers: [] });
      expect(await prompt(agent, sessionId, 'what can you do')).toEqual({ stopReason: 'end_turn' });
    });
  next.child.stdin.end();
  expect(await next.ended).toEqual({ code: 0, signal: null, stderr: '' });
});

it.runIf(process.platform === 'linux')(
  'waits for a host that reads slowly, takes 5 MB from it, and keeps little for it',
  async () => {
    const place = newPlace();
    // The reader stops at the first piece of an answer, until the agent has nothing left to do.
    let asked: number | undefined;
    const { stream, child, ended } = startAgent(place, filling.url, {
      async beforeRead(piece) {
        if (asked !== undefined || !Buffer.from(piece).includes('agent_message_chunk')) return;
        asked = 0;
        await waitUntilIdle(pid);
        asked = filling.lines().length;
      },
    });
    const pid = Number(child.pid);
    let characters = 0;
    const app = client().onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        characters += update.content.text.length;
    });
    await app.connectWith(stream, async (agent) => {
      const sessionId = await newSession(agent, place.cwd);
      expect(await prompt(agent, sessionId, 'print much')).toEqual({ stopReason: 'end_turn' });
      expect(await prompt(agent, sessionId, 'word '.repeat(1_000_000))).toEqual({ stopReason: 'end_turn' });
    });
    expect(asked).toBeLessThan(TURNS / 2);
    expect(characters).toBe(TURNS * 10_000 + 'Printed.Read.'.length);

    expect(peakMegabytes(pid)).toBeLessThan(150);
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  },
);
