import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAimockPeer } from '../support/peers/aimock-peer.ts';
import { type Behaviour, describeOutcome } from '../support/peers/behaviour.ts';
import { FAULT_BEHAVIOURS } from '../support/peers/fault-behaviours.ts';
import { startOwnPeer } from '../support/peers/own-peer.ts';
import type { Peer } from '../support/peers/peer.ts';
import { STORY_BEHAVIOURS } from '../support/peers/story-behaviours.ts';
import { STRICT_BEHAVIOURS } from '../support/peers/strict-behaviours.ts';
import { REACH_BEHAVIOURS, WIRE_BEHAVIOURS } from '../support/peers/wire-behaviours.ts';

const root = path.join(import.meta.dirname, '../..');
const SECTIONS: Readonly<Record<string, readonly Behaviour[]>> = {
  Stories: STORY_BEHAVIOURS,
  'Refusals and misses': STRICT_BEHAVIOURS,
  Protocols: WIRE_BEHAVIOURS,
  'Faults and time': FAULT_BEHAVIOURS,
  'Beyond chat models, and in use': REACH_BEHAVIOURS,
};

let peers: readonly (Peer & { stop(): Promise<void> })[] = [];
beforeAll(async () => {
  peers = await Promise.all([startOwnPeer(), startAimockPeer()]);
});
afterAll(() => Promise.all(peers.map((peer) => peer.stop())));

/** A section of the page as it must be, from what the servers do. */
async function observe(title: string, behaviours: readonly Behaviour[]): Promise<string> {
  const rows = await Promise.all(
    behaviours.map(async ({ name, holds }) => {
      const outcomes = await Promise.all(peers.map(async (peer) => describeOutcome(await holds(peer))));
      return `| ${[name, ...outcomes].join(' | ')} |`;
    }),
  );
  return [`## ${title}`, '', '| | mock-llm-server | aimock |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

describe('docs/comparison.md', () => {
  const page = readFileSync(path.join(root, 'docs/comparison.md'), 'utf8');

  it.each(Object.entries(SECTIONS))('says of "%s" what the servers do', async (title, behaviours) => {
    const start = page.indexOf(`## ${title}\n`);
    const end = page.indexOf('\n## ', start + 1);
    expect(page.slice(start, end === -1 ? undefined : end)).toBe(await observe(title, behaviours));
  });

  it('has these sections and no other, and names the version that was asked', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(Object.keys(SECTIONS));
    const file = path.join(root, 'node_modules/@copilotkit/aimock/package.json');
    const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
    expect(page).toContain(`\`@copilotkit/aimock\` ${version}`);
  });
});

describe('a server that says nothing of use', () => {
  it.each([200, 400, 404])('has none of it with status %i', async (status) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = `http://127.0.0.1:${address.port}`;
    const peer: Peer = {
      name: 'nothing',
      url,
      twin: url,
      guarded: url,
      chaotic: [url, url],
      ways: { three: ['x'], pair: ['x'] },
      journal: () => '/',
      fetch: (input, init) => fetch(url + new URL(input).pathname, init),
      record: async () => ({ url, stop: async () => {} }),
    };
    try {
      const held = await Promise.all(
        Object.values(SECTIONS)
          .flat()
          .map(async ({ name, holds }) => (describeOutcome(await holds(peer)) === 'no' ? [] : [name])),
      );
      expect(held.flat()).toEqual([]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
