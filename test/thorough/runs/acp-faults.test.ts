import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { client, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import type { MockScenario } from '../../../mock-llm-server/testing.ts';
import { readLine } from '../../../src/session/log/read-line.ts';
import { newAcpPlace, newSession, prompt, startAcpBin } from '../../support/hosts/acp-bin.ts';
import { peakMegabytes, waitUntilIdle } from '../../support/hosts/host-conversation.ts';
import { serveScenarios, serveShippedStories } from '../../support/wires/serve-scenarios.ts';

const shipped = serveShippedStories();

const TURNS = 8;

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

it('a host that is killed in the middle of a question leaves a complete session that can be continued', async () => {
  const place = newAcpPlace();
  const { stream, ended, child } = startAcpBin(place, shipped.url, { relayed: true });
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
  const next = startAcpBin(place, shipped.url);
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
  'ybs acp waits for a host that reads slowly, reads 5 MB from it, and buffers little for it',
  async () => {
    const place = newAcpPlace();
    // The reader stops at the first piece of an answer, until the agent has nothing left to do.
    let asked: number | undefined;
    const { stream, child, ended } = startAcpBin(place, filling.url, {
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
