import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import { WIRES } from '../../../mock-llm-server/wire/wires.ts';
import { readStory } from '../../../src/stories/load-story.ts';
import { LONG } from '../../support/random/property.ts';
import { PLAYER_HEADERS, PROTOCOL_PLAYERS, type ProtocolPlayer } from '../../support/wires/protocol-players.ts';

const root = path.join(import.meta.dirname, '../../..');
const main = path.join(root, 'mock-llm-server/main.ts');
const stories = path.join(root, 'scenarios');

/** One of several servers that must answer alike. */
interface Replica {
  fetch(pathname: string, init: RequestInit): Promise<Response>;
}

async function start(): Promise<Replica & { stop(): Promise<void> }> {
  const args = [main, '--port', '0', '--scenarios', stories, '--no-watch'];
  const child = execa(process.execPath, args, { reject: false, stdin: 'ignore', stderr: 'ignore' });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).url));
    const failAtEnd = async () => {
      const { exitCode } = await child;
      reject(new Error(`ended with ${exitCode}`));
    };
    failAtEnd().catch(reject);
  });
  const stop = async () => {
    child.kill();
    await child;
  };
  return { fetch: (pathname, init) => fetch(url + pathname, init), stop };
}

const files = await loadScenarioFiles([stories], nodeScenarioFiles);

const set = createScenarioSet(files);
const app = createMockServer({ scenarios: set });
/** This process. */
const here: Replica = { fetch: async (pathname, init) => app.request(pathname, init) };

/** This process and another one. */
let processes: readonly Replica[] = [];
let other: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  other = await start();
  processes = [here, other];
});
afterAll(() => other.stop());

/** Status, headers and body of one answer, without the headers of HTTP itself. */
async function send(replica: Replica, pathname: string, body: unknown): Promise<string> {
  const headers = { ...PLAYER_HEADERS, 'x-api-key': 'unused' };
  const response = await replica.fetch(pathname, { method: 'POST', body: JSON.stringify(body), headers });
  const ownHeaders = [...response.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name),
  );
  return JSON.stringify([response.status, ownHeaders, await response.text()]);
}

/** Sends a request to all replicas and expects the same bytes, which it returns. */
async function sendToAll(replicas: readonly Replica[], pathname: string, body: unknown): Promise<string> {
  const [first = '', ...others] = await Promise.all(replicas.map((replica) => send(replica, pathname, body)));
  for (const other of others) expect(other).toBe(first);
  return first;
}

// The tools that intents resolve to.
const tools = ['read_file', 'write_file', 'edit_file', 'run_shell', 'list_files', 'search_files'].map((name) => {
  const properties = Object.fromEntries(
    ['path', 'content', 'command', 'old_text', 'new_text', 'pattern'].map((key) => [key, { type: 'string' }]),
  );
  return { name, parameters: { type: 'object', properties } };
});

/** A prompt of a story, and the turns that can be compared. */
interface Played {
  readonly prompt: string;
  /** Number of turns to the first answer that has a fault or is cut, or to the end of the scenario. */
  readonly turns: number;
  /** The last of these turns has a fault or is cut. */
  readonly isBroken: boolean;
}

/**
 * Plays the turns of a story, with made-up results, every turn streamed and not, and then repeats the
 * first turn, which a server that counts requests cannot answer. Returns the number of answers.
 */
async function play(
  replicas: readonly Replica[],
  player: ProtocolPlayer,
  { prompt, turns, isBroken }: Played,
): Promise<number> {
  let history = player.say(prompt);
  let first: readonly string[] | undefined;
  for (let turn = 1; turn <= turns; turn += 1) {
    const label = `${player.protocol}: ${prompt}, turn ${turn}`;
    const streamed = player.request(history, tools, true);
    const stream = await sendToAll(replicas, streamed.path, streamed.body);
    const whole = player.request(history, tools, false);
    const bytes = await sendToAll(replicas, whole.path, whole.body);
    if (isBroken && turn === turns) return turn;
    const [status, , body]: unknown[] = JSON.parse(bytes);
    expect(status, `${label}: ${bytes}`).toBe(200);
    first ??= [stream, bytes];
    const { calls, kept } = player.read(JSON.parse(String(body)));
    const missing = calls.filter(({ name }) => !stream.includes(name));
    expect(missing, `${label}, streamed: ${stream}`).toEqual([]);
    if (turn === turns) {
      for (const [index, isStreamed] of [true, false].entries()) {
        const start = player.request(player.say(prompt), tools, isStreamed);
        expect(await sendToAll(replicas, start.path, start.body), label).toBe(first[index]);
      }
      return turn;
    }
    history = [...history, ...kept, ...player.results(calls, 'made up')];
  }
  throw new Error(`${prompt} does not end`);
}

/** Every prompt of stories. */
async function promptsOf(sources: typeof files): Promise<readonly Played[]> {
  const disk = { ...nodeScenarioFiles, resolve: path.resolve };
  const played = await Promise.all(sources.map((source) => readStory(source, disk)));
  const specifications = sources.flatMap(({ content }) => content.scenarios);
  return played.flatMap(({ story }) =>
    story.prompts.map((prompt) => {
      const started = set.scenarios.find(
        ({ trigger }) => trigger.toolResult === undefined && trigger.find(prompt, prompt.toLowerCase()) !== undefined,
      );
      // No scenario: the default response. Calls in the text of an answer are no calls for the players.
      if (started === undefined || story.tool_protocol === 'xnl') return { prompt, turns: 1, isBroken: false };
      const { steps = [] } = specifications.find(({ name }) => name === started.name) ?? {};
      const broken = steps.findIndex(
        (step) => 'response' in step && (step.fault !== undefined || step.response.finish !== undefined),
      );
      return { prompt, turns: broken < 0 ? steps.length : broken + 1, isBroken: broken >= 0 };
    }),
  );
}

/** A server in this process that chooses the step of a scenario by the number of its requests. */
function countingReplica(scenario: string, stepOf: (count: number) => number | undefined): Replica {
  let count = 0;
  return {
    fetch: async (pathname, init) => {
      const headers = new Headers(init.headers);
      const step = stepOf(count++);
      if (step !== undefined) {
        headers.set('x-mock-scenario', scenario);
        headers.set('x-mock-step', String(step));
      }
      return app.request(pathname, { ...init, headers });
    },
  };
}

it('there is a player for every protocol of the server', () => {
  expect(PROTOCOL_PLAYERS.map(({ protocol }) => protocol)).toEqual(
    expect.arrayContaining(WIRES.map(({ protocol }) => protocol)),
  );
});

/** The protocols take turns: each story is played over one of them, and over all of them in the long tests. */
const turnOf = (player: ProtocolPlayer): number => PROTOCOL_PLAYERS.indexOf(player);

describe('two processes', async () => {
  const prompts = await promptsOf(files);

  it.each(PROTOCOL_PLAYERS.map((player) => [player.protocol, player] as const))(
    'answer every turn of their stories with equal bytes over %s, streamed and not',
    async (_protocol, player) => {
      const played = prompts.filter((_, index) => LONG || (index + turnOf(player)) % PROTOCOL_PLAYERS.length < 1);
      expect(played.length).toBeGreaterThanOrEqual(5);
      const turns = await Promise.all(played.map((each) => play(processes, player, each)));
      expect(turns.reduce((sum, count) => sum + count, 0)).toBeGreaterThan((LONG ? 2 : 1) * played.length);
    },
  );

  const [played] = await promptsOf(files.filter(({ file }) => file.includes('read-then-answer')));
  it.each(PROTOCOL_PLAYERS.map((player) => [player.protocol, player] as const))(
    'differ from one that counts requests, over %s',
    async (_protocol, player) => {
      if (played === undefined) throw new Error('the story is missing');
      const third = (stepOf: (count: number) => number | undefined) => countingReplica('read-then-answer', stepOf);
      expect(await play([here, third(() => undefined)], player, played)).toBe(2);
      const counters = [
        (count: number) => Math.min(count, 1),
        // Right only for a single client that sends each turn twice.
        (count: number) => Math.min(count >> 1, 1),
      ];
      for (const stepOf of counters) {
        await expect(play([third(stepOf)], player, played)).rejects.toThrow(/to be/);
        await expect(play([here, third(stepOf)], player, played)).rejects.toThrow(/to be/);
      }
    },
  );

  it.each([
    ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: '' }] }],
    ['/v1/chat/completions', { model: 'm', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }],
    ['/v1/chat/completions', 'nothing'],
    ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello world' }] }],
    ['/v1/responses', { model: 'm', input: 'hello world' }],
    ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hello world' }] }] }],
    ['/api/chat', { model: 'm', messages: [{ role: 'user', content: 'hello world' }] }],
    ['/nope', {}],
  ])('give equal answers at %s to %j', async (pathname, body) => {
    await sendToAll(processes, pathname, body);
  });
});
