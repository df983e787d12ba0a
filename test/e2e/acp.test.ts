import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type ClientContext, client, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { readLine } from '../../src/session/log/read-line.ts';
import { ybsEntry } from '../support/entry.ts';
import { binEnvironment } from '../support/run-bin.ts';
import { serveShippedStories } from '../support/serve-scenarios.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const shipped = serveShippedStories();

/** Starts the built `ybs acp` in a copy of the playground, with the official client. */
function startAgent() {
  const cwd = temporaryDirectory();
  cpSync(path.join(import.meta.dirname, '../../examples/playground'), cwd, { recursive: true });
  const environment = binEnvironment();
  const args = [ybsEntry, '--provider', 'mock', '--endpoint', shipped.url, '--no-sandbox', 'acp'];
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, stderr }));
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const sessions = path.join(environment['HOME'] ?? '', '.config/ybs/sessions');
  return { cwd, child, stream, ended, sessions };
}

async function newSession(agent: ClientContext, cwd: string): Promise<string> {
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION });
  return (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
}

const prompt = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

it('the built ybs acp works for the official client, and ends when its input ends', async () => {
  const { cwd, stream, ended, child } = startAgent();
  const titles: string[] = [];
  const app = client()
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'tool_call') titles.push(update.title);
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }));
  await app.connectWith(stream, async (agent) => {
    const sessionId = await newSession(agent, cwd);
    expect(await prompt(agent, sessionId, 'fix the failing test')).toEqual({ stopReason: 'end_turn' });
  });
  expect(titles).toEqual(['run npm test', 'read src/cart.js', 'edit src/cart.js (+1 −1)', 'run npm test']);
  expect(readFileSync(path.join(cwd, 'src/cart.js'), 'utf8')).toContain('amount >= FREE_SHIPPING_FROM');
  child.stdin.end();
  expect(await ended).toEqual({ code: 0, stderr: '' });
});

it('a host that goes away in the middle of a question leaves a session that is whole', async () => {
  const { cwd, stream, ended, child, sessions } = startAgent();
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const app = client()
    .onNotification('session/update', () => {})
    .onRequest('session/request_permission', () => {
      isAsked();
      return new Promise<never>(() => {});
    });
  const connection = app.connect(stream);
  const sessionId = await newSession(connection.agent, cwd);
  const running = prompt(connection.agent, sessionId, 'fix the failing test').catch((error: unknown) => String(error));
  await asked;
  child.stdout.destroy();
  child.stdin.destroy();
  expect((await ended).code).toBe(0);
  connection.close();
  await running;
  const [log = ''] = readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
  const lines = readFileSync(path.join(sessions, log), 'utf8').trimEnd().split('\n').map(readLine);
  const types = lines.flatMap((line) => (line.type === 'event' ? [line.event.type] : []));
  expect(types.at(-1)).toBe('run_end');
  expect(types).toContain('tool_result');
});
