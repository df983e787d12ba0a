import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningRecording, startRecording } from '../../mock-llm-server/record/record-session.ts';
import { defineScenarios, type MockLlm, startMockLlm } from '../../mock-llm-server/testing.ts';
import type { SdkClient, SdkUnderTest } from '../support/sdk-under-test.ts';
import { ANTHROPIC_SDKS } from '../support/sdks/anthropic.ts';
import { GOOGLE_GENAI_SDKS } from '../support/sdks/google-genai.ts';
import { OLLAMA_SDKS } from '../support/sdks/ollama.ts';
import { OPENAI_SDKS } from '../support/sdks/openai.ts';
import { AWKWARD } from '../support/serve-scenarios.ts';

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
    await client.object('a person as JSON', { type: 'object', properties: { name: { type: 'string' } } }),
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
      ...{ scenarios: [], fallbackOnly: false, force: false },
    });
  });
  afterAll(async () => {
    await upstream.close();
    await rm(path.dirname(directory), { recursive: true, force: true });
  });

  test('passes the same bytes on, and is a story that gives the same answers', async () => {
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
