import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRecording } from '../../../mock-llm-server/record/record-session.ts';
import {
  type MockLlmOptions,
  type MockScenario,
  mockLlmFetch,
  startMockLlm,
} from '../../../mock-llm-server/testing.ts';
import type { Peer } from './peer.ts';

const LONG = 'One two three four five six seven eight nine ten eleven twelve.';

/** The stories of the behaviours as scenarios. */
const SCENARIOS: readonly MockScenario[] = [
  { name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello.' } }] },
  {
    name: 'three',
    trigger: 'work in three steps',
    steps: [
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] } },
      { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'b' } }] } },
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'ls' } }] } },
      { response: { content: 'Three steps are done.' } },
    ],
  },
  {
    name: 'pair',
    trigger: 'read both files',
    steps: [
      {
        response: {
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'read_file', arguments: { path: 'b.txt' } },
          ],
        },
      },
      { response: { content: 'Both are read.' } },
    ],
  },
  {
    name: 'intent',
    trigger: 'leave a note',
    steps: [
      { intent: 'write_file', path: 'note.txt', content: 'A note.\n' },
      { response: { content: 'The note is there.' } },
    ],
  },
  {
    name: 'titled',
    trigger: { text: 'name this chat', system: 'title writer' },
    steps: [{ response: { content: 'A named chat' } }],
  },
  {
    name: 'red',
    trigger: { text: 'run the tests', tool_result: 'FAIL' },
    steps: [{ response: { content: 'They are red.' } }],
  },
  {
    name: 'tests',
    trigger: 'run the tests',
    steps: [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'npm test' } }] } },
      { response: { content: 'They are green.' } },
    ],
  },
  {
    name: 'echo',
    trigger: { regex: 'repeat the word (?<word>\\w+)' },
    steps: [{ response: { content: 'You said {{match.word}}.' } }],
  },
  {
    name: 'thinking',
    trigger: 'think first',
    steps: [{ response: { reasoning: 'Let me think.', content: 'I have thought.' } }],
  },
  {
    name: 'backwards',
    trigger: 'call before you speak',
    steps: [
      {
        response: {
          content: [{ call: { name: 'read_file', arguments: { path: 'a.txt' } } }, { text: 'I have called.' }],
        },
      },
    ],
  },
  {
    name: 'limited',
    trigger: 'stop at the limit',
    steps: [{ response: { content: 'One two', finish: 'length', usage: { input_tokens: 123, output_tokens: 45 } } }],
  },
  {
    name: 'patch',
    trigger: 'patch the file',
    steps: [{ response: { tool_calls: [{ function: { name: 'apply_patch', arguments: '*** Begin Patch' } }] } }],
  },
  {
    name: 'explicit',
    trigger: 'use explicit ids',
    steps: [{ response: { tool_calls: [{ id: 'call_explicit', name: 'run_shell', arguments: { command: 'ls' } }] } }],
  },
  {
    name: 'busy',
    trigger: 'be busy once',
    steps: [
      {
        response: { content: 'Now it works.' },
        fault: { status: 429, message: 'Slow down.', retry_after: 7, times: 1 },
      },
    ],
  },
  {
    name: 'always-busy',
    trigger: 'be busy always',
    steps: [{ response: { content: '-' }, fault: { status: 429, message: 'Slow down.', retry_after: 7 } }],
  },
  {
    name: 'overloaded',
    trigger: 'be overloaded',
    steps: [{ response: { content: '-' }, fault: { status: 529, message: 'Overloaded' } }],
  },
  { name: 'cut', trigger: 'break off', steps: [{ response: { content: LONG }, fault: { cut: 'before_finish' } }] },
  { name: 'reset', trigger: 'hang up', steps: [{ response: { content: LONG }, fault: { reset: true } }] },
  { name: 'stall', trigger: 'fall asleep', steps: [{ response: { content: LONG }, fault: { stall: 'forever' } }] },
  {
    name: 'pings',
    trigger: 'doze',
    steps: [{ response: { content: LONG }, fault: { stall: 'pings', ping_every_ms: 20 } }],
  },
  {
    name: 'malformed',
    trigger: 'garble it',
    steps: [{ response: { content: LONG }, fault: { malformed_chunk: true } }],
  },
  {
    name: 'late',
    trigger: 'take your time',
    steps: [{ response: { content: LONG }, timing: { time_to_first_token_ms: 80 } }],
  },
  {
    name: 'torn',
    trigger: 'tear a character',
    steps: [
      {
        response: { content: '漢字'.repeat(20) },
        fault: { split_utf8: true },
      },
    ],
  },
  {
    name: 'colliding',
    trigger: 'mix the indexes up',
    steps: [
      {
        response: { tool_calls: [{ name: 'read_file' }, { name: 'read_file' }] },
        fault: { colliding_index: true },
      },
    ],
  },
];

/** Starts mock-llm-server with scenarios in the format of docs/scenario-reference.md. */
export async function startOwnPeer(): Promise<Peer & { stop(): Promise<void> }> {
  const running: { close(): Promise<void> }[] = [];
  const start = async (options: Omit<MockLlmOptions, 'scenarios'> = {}) => {
    const server = await startMockLlm({ scenarios: SCENARIOS, ...options });
    running.push(server);
    return server.url;
  };
  const chaos = { rate: 0.5, seed: 7 };
  return {
    name: 'mock-llm-server',
    url: await start(),
    twin: await start(),
    guarded: await start({ token: 'right-key' }),
    chaotic: [await start({ chaos }), await start({ chaos })],
    ways: { three: ['work in three steps'], pair: ['read both files'] },
    journal: (testId) => `/__mock/journal?test=${testId}`,
    entries: {
      path: '/__mock/scenarios',
      file: (trigger, content) => ({ scenarios: [{ name: 'later', trigger, steps: [{ response: { content } }] }] }),
    },
    record: async (upstream) => {
      const out = await mkdtemp(path.join(tmpdir(), 'ybs-compare-'));
      const recording = await startRecording({
        upstream,
        out,
        port: 0,
        key: undefined,
        scenarios: [],
        force: true,
        log: () => {},
        fallbackOnly: true,
        fromDrift: false,
      });
      const stop = async () => {
        await recording.close();
        await rm(out, { recursive: true });
      };
      return { url: recording.url, stop };
    },
    fetch: mockLlmFetch({ scenarios: SCENARIOS }),
    stop: async () => {
      await Promise.all(running.map((server) => server.close()));
    },
  };
}
