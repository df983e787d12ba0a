import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { collectPrompts } from '../../../mock-llm-server/drift/check-drift.ts';
import { draftLock } from '../../../mock-llm-server/drift/lock.ts';
import { type RunningRecording, startRecording } from '../../../mock-llm-server/record/record-session.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { startMockServer } from '../../../mock-llm-server/server/listen.ts';
import { defineScenarios, type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { rebase } from '../../../src/stories/drift/rebase.ts';
import { ANTHROPIC_SDKS } from '../../support/sdks/anthropic.ts';
import { GOOGLE_GENAI_SDKS } from '../../support/sdks/google-genai.ts';
import { OLLAMA_SDKS } from '../../support/sdks/ollama.ts';
import { OPENAI_SDKS } from '../../support/sdks/openai.ts';
import type { SdkClient, SdkUnderTest } from '../../support/sdks/sdk-under-test.ts';
import { AWKWARD } from '../../support/wires/serve-scenarios.ts';

const UPSTREAM = defineScenarios([
  {
    name: 'upstream-work',
    trigger: 'read both',
    steps: [
      {
        response: {
          content: 'I read both – 漢字 🙂 {{{{braces}}.',
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'write_file', arguments: AWKWARD },
          ],
        },
      },
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'b.txt' } }] } },
      { response: { content: 'Both are read.' } },
    ],
  },
  {
    name: 'upstream-thought',
    trigger: 'think first',
    steps: [
      {
        response: {
          reasoning: 'I think, therefore\nI am.',
          content: 'Done thinking.',
          usage: { input_tokens: 120, output_tokens: 30, reasoning_tokens: 9 },
        },
      },
    ],
  },
  {
    name: 'upstream-limit',
    trigger: 'busy',
    steps: [{ response: { content: 'At last.' }, fault: { status: 429, retry_after: 0.01, times: 1 } }],
  },
  { name: 'upstream-refusal', trigger: 'forbidden', steps: [{ response: { content: '' }, fault: { status: 403 } }] },
  {
    name: 'upstream-json',
    trigger: { text: 'as JSON', response_format: 'json' },
    steps: [{ response: { content: '{"name":"Ada"}' } }],
  },
]);

/** The work of a client, with everything that it got. */
async function work(client: SdkClient): Promise<unknown[]> {
  const refused = await client.generate('this is forbidden').catch((error: unknown) => client.statusOf(error));
  return [
    await client.play('please read both', 'the content of the file'),
    await client.stream('think first, then answer'),
    await client.generate('think first and send it at once'),
    // Not every SDK tries again by itself.
    await client.generate('the server is busy').catch(() => client.generate('the server is busy')),
    refused,
    await client.object('a person as JSON', {
      type: 'object',
      properties: { name: { type: 'string' } },
      additionalProperties: false,
    }),
  ];
}

const SDKS: readonly SdkUnderTest[] = [...OPENAI_SDKS, ...ANTHROPIC_SDKS, ...GOOGLE_GENAI_SDKS, ...OLLAMA_SDKS];

describe.each(SDKS)('a recording of $name', (sdk) => {
  let upstream: MockLlm;
  let recording: RunningRecording;
  let directory: string;
  beforeAll(async () => {
    directory = path.join(await mkdtemp(path.join(os.tmpdir(), 'record-')), 'story');
    upstream = await startMockLlm({ scenarios: UPSTREAM });
    recording = await startRecording({
      ...{ port: 0, upstream: upstream.url, key: 'the-key-of-the-upstream', out: directory, log: () => {} },
      ...{ scenarios: [], fallbackOnly: false, fromDrift: false, force: false },
    });
  });
  afterAll(async () => {
    await upstream.close();
    await rm(path.dirname(directory), { recursive: true, force: true });
  });

  test('forwards the same bytes, and is a story that gives the same answers', async () => {
    const direct: Uint8Array[] = [];
    const forwarded: Uint8Array[] = [];
    // An SDK without a fetch of its own uses the global one.
    const capture = (bodies: Uint8Array[]) => async (input: string | URL | Request, init?: RequestInit) => {
      const response = await fetch(input, init);
      bodies.push(new Uint8Array(await response.clone().arrayBuffer()));
      return response;
    };
    const retries = { maxRetries: 2 };
    const before = await startMockLlm({ scenarios: UPSTREAM });
    const expected = await work(sdk.open(before.url, { ...retries, fetch: capture(direct) }));
    await before.close();
    expect(await work(sdk.open(recording.url, { ...retries, fetch: capture(forwarded) }))).toEqual(expected);
    expect(forwarded).toEqual(direct);
    await recording.close();

    await using replay = await startMockLlm({ scenarios: directory });
    expect(await work(sdk.open(replay.url, retries))).toEqual(expected);
    expect(replay.unused()).toEqual([]);
    const lines = (await readFile(path.join(directory, 'recording.jsonl'), 'utf8')).trim().split('\n');
    const outcomes = lines.map((line): unknown => JSON.parse(line).outcome);
    expect(outcomes.filter((outcome) => outcome === 'error').length).toBeGreaterThan(0);
    expect(new Set(outcomes)).toEqual(new Set(['answered', 'error']));
  });
});

/** The work of upstreams that differ in their last answers. */
function upstreamWith(last: string): ReturnType<typeof defineScenarios> {
  const [work] = UPSTREAM;
  if (work === undefined || 'scenarios' in work) throw new Error('the first upstream scenario is missing');
  return defineScenarios([{ ...work, steps: [...work.steps.slice(0, -1), { response: { content: last } }] }]);
}

/** The summaries of the drift of all requests of a server, with their steps. */
const driftOf = ({ requests }: Pick<MockLlm, 'requests'>) =>
  requests.flatMap(({ step, drift = [] }) => drift.map(({ part, summary }) => `${step} ${part}: ${summary}`));

describe.each(SDKS)('the lock of a recording of $name', (sdk) => {
  test('reports a drift, accepts it, and is re-recorded from the first drift', async () => {
    const directory = path.join(await mkdtemp(path.join(os.tmpdir(), 'drift-')), 'story');
    onTestFinished(() => rm(path.dirname(directory), { recursive: true, force: true }));
    const play = (url: string, result: string) => sdk.open(url, { maxRetries: 0 }).play('please read both', result);
    const record = async (upstream: MockLlm, result: string, fromDrift: boolean) => {
      const log: string[] = [];
      const recording = await startRecording({
        ...{ port: 0, upstream: upstream.url, key: undefined, out: directory, log: (line: string) => log.push(line) },
        ...{ scenarios: [], fallbackOnly: false, fromDrift, force: false },
      });
      const played = await play(recording.url, result);
      const { exitCode } = await recording.close();
      return { played, exitCode, log };
    };
    const replay = async (result: string) => {
      await using server = await startMockLlm({ scenarios: directory });
      return { played: await play(server.url, result), drift: driftOf(server) };
    };
    const read = (name: string) => readFile(path.join(directory, name), 'utf8');

    await using first = await startMockLlm({ scenarios: upstreamWith('Both are read.') });
    const { played } = await record(first, 'one', false);
    expect(await replay('one')).toEqual({ played, drift: [] });

    const drifted = await replay('two');
    expect(drifted.drift[0]).toBe('1 tool result 1: differs');
    expect(new Set(drifted.drift).size).toBe(drifted.drift.length);

    const scenario = await read('scenario.json');
    await accept(directory, (url) => play(url, 'two'));
    expect(await replay('two')).toEqual({ played: drifted.played, drift: [] });
    expect(await read('scenario.json')).toBe(scenario);

    await using second = await startMockLlm({ scenarios: upstreamWith('Read again.') });
    const unchanged = await record(second, 'two', true);
    expect(second.requests).toEqual([]);
    expect(unchanged.log.at(-1)).toContain('no prompt drifted');
    expect(await read('scenario.json')).toBe(scenario);

    const anew = await record(second, 'three', true);
    // The story answered the first step.
    expect(second.requests.map(({ step }) => step)).toEqual([1, 2]);
    expect(anew.exitCode).toBe(0);
    expect(await replay('three')).toEqual({ played: anew.played, drift: [] });
    const [before, after] = [JSON.parse(scenario), JSON.parse(await read('scenario.json'))];
    expect(after.scenarios[0]).toMatchObject({
      name: before.scenarios[0].name,
      trigger: before.scenarios[0].trigger,
      steps: [before.scenarios[0].steps[0], {}, { response: { content: 'Read again.' } }],
    });
  });
});

/** Accepts the prompts of a run, as `ybs test --rebase` does. */
async function accept(directory: string, run: (url: string) => Promise<unknown>): Promise<void> {
  const [source] = await loadScenarioFiles([directory], nodeScenarioFiles);
  if (source === undefined) throw new Error(`${directory} has no scenario`);
  const prompts = collectPrompts();
  const server = await startMockServer({ scenarios: createScenarioSet([source]), observePrompt: prompts.add });
  await run(server.url);
  await server.close();
  const { lock } = source;
  const ports = {
    disk: nodeStoryDisk,
    agent: 'any',
    draftLock: async (...args: Parameters<typeof draftLock>) => draftLock(...args),
  };
  const playAgain = async () => [];
  const result = await rebase({ file: source.file, lock }, prompts.list, playAgain, ports);
  expect(result.type).toBe('written');
}
