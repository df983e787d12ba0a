import { readFileSync } from 'node:fs';
import path from 'node:path';
import { client } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { newAcpPlace, newSession, prompt, startAcpBin } from '../support/hosts/acp-bin.ts';
import { serveShippedStories } from '../support/wires/serve-scenarios.ts';

const shipped = serveShippedStories();

// test/thorough/runs/acp-faults.test.ts checks hosts that are killed or read slowly.
it('the built ybs acp works for the official client, and ends when its input ends', async () => {
  const place = newAcpPlace();
  const { stream, ended, child } = startAcpBin(place, shipped.url);
  // A call is shown while the model writes it; its plan completes the title.
  const titles = new Map<string, string>();
  const app = client()
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'tool_call') titles.set(update.toolCallId, update.title);
      if (update.sessionUpdate === 'tool_call_update' && typeof update.title === 'string') {
        titles.set(update.toolCallId, update.title);
      }
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }));
  await app.connectWith(stream, async (agent) => {
    const sessionId = await newSession(agent, place.cwd);
    expect(await prompt(agent, sessionId, 'fix the failing test')).toEqual({ stopReason: 'end_turn' });
  });
  expect([...titles.values()]).toEqual([
    'run npm test',
    'read src/cart.js',
    'edit src/cart.js (+1 −1)',
    'run npm test',
  ]);
  expect(readFileSync(path.join(place.cwd, 'src/cart.js'), 'utf8')).toContain('amount >= FREE_SHIPPING_FROM');
  child.stdin.end();
  expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
});
