// Checks docs/comparison.md against mock-llm-server and its peer: `npm run compare`. Every row of the page is a
// behaviour that is checked in both servers. --write updates the tables of the page with the results.
// This is not part of `npm test`, because it tests the peer as much as the project.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { startAimockPeer } from './compare/aimock-peer.ts';
import { type Behaviour, describeOutcome } from './compare/behaviour.ts';
import { FAULT_BEHAVIOURS } from './compare/fault-behaviours.ts';
import { startOwnPeer } from './compare/own-peer.ts';
import type { Peer } from './compare/peer.ts';
import { STORY_BEHAVIOURS } from './compare/story-behaviours.ts';
import { STRICT_BEHAVIOURS } from './compare/strict-behaviours.ts';
import { REACH_BEHAVIOURS, WIRE_BEHAVIOURS } from './compare/wire-behaviours.ts';

const root = path.join(import.meta.dirname, '../..');
const pageFile = path.join(root, 'docs/comparison.md');
const SECTIONS: Readonly<Record<string, readonly Behaviour[]>> = {
  Stories: STORY_BEHAVIOURS,
  'Refusals and misses': STRICT_BEHAVIOURS,
  Protocols: WIRE_BEHAVIOURS,
  'Faults and time': FAULT_BEHAVIOURS,
  'Beyond chat models, and in use': REACH_BEHAVIOURS,
};

const problems = [...(await checkControl()), ...(await comparePage())];
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'docs/comparison.md is correct.' : `${problems.length} problems`);
// Timers of the peer's stalled streams would keep the process alive for minutes.
process.exit(problems.length > 0 ? 1 : 0);

/** Problems of the page. With --write the page is updated instead. */
async function comparePage(): Promise<readonly string[]> {
  const peers = await Promise.all([startOwnPeer(), startAimockPeer()]);
  try {
    const page = readFileSync(pageFile, 'utf8');
    const [introduction = ''] = page.split('\n## ');
    const sections: string[] = [];
    for (const [title, behaviours] of Object.entries(SECTIONS)) sections.push(await observe(title, behaviours, peers));
    const observed = `${introduction.trimEnd()}\n\n${sections.join('\n')}`;
    if (process.argv.includes('--write')) writeFileSync(pageFile, observed);
    else return [...differences(page, observed), ...checkVersion(introduction)];
    return checkVersion(introduction);
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

/** A section of the page, from the observed behaviour of the servers. */
async function observe(title: string, behaviours: readonly Behaviour[], peers: readonly Peer[]): Promise<string> {
  const rows = await Promise.all(
    behaviours.map(async ({ name, holds }) => {
      const outcomes = await Promise.all(peers.map(async (peer) => describeOutcome(await holds(peer))));
      return `| ${[name, ...outcomes].join(' | ')} |`;
    }),
  );
  return [`## ${title}`, '', '| | mock-llm-server | aimock |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function differences(page: string, observed: string): readonly string[] {
  const [expected, actual] = [page.split('\n'), observed.split('\n')];
  return [
    ...expected.filter((line) => !actual.includes(line)).map((line) => `docs/comparison.md has:  ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `the servers show:        ${line}`),
  ];
}

function checkVersion(introduction: string): readonly string[] {
  const manifest = readFileSync(path.join(root, 'node_modules/@copilotkit/aimock/package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  const name = `\`@copilotkit/aimock\` ${version}`;
  return introduction.includes(name) ? [] : [`docs/comparison.md must name ${name}`];
}

/** A server that answers everything with `{}` must have no behaviour; otherwise the check of one proves nothing. */
async function checkControl(): Promise<readonly string[]> {
  const problems = await Promise.all([200, 400, 404].map((status) => checkControlWith(status)));
  return problems.flat();
}

async function checkControlWith(status: number): Promise<readonly string[]> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const peer = controlPeer(`http://127.0.0.1:${address.port}`);
  try {
    const problems = await Promise.all(
      Object.values(SECTIONS)
        .flat()
        .map(async ({ name, holds }) => {
          const outcome = describeOutcome(await holds(peer));
          return outcome === 'no' ? [] : [`a server that answers ${status} {} passes "${name}": ${outcome}`];
        }),
    );
    return problems.flat();
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function controlPeer(url: string): Peer {
  return {
    name: 'control',
    url,
    twin: url,
    guarded: url,
    chaotic: [url, url],
    ways: { three: ['x'], pair: ['x'] },
    journal: () => '/',
    entries: { path: '/', file: () => ({}) },
    fetch: (input, init) => fetch(url + new URL(input).pathname, init),
    record: async () => ({ url, stop: async () => {} }),
  };
}
