import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LLMock, MCPMock, type MockServerOptions } from '@copilotkit/aimock';
import type { Peer } from './peer.ts';

const LONG = 'One two three four five six seven eight nine ten eleven twelve.';

interface Call {
  readonly name: string;
  readonly arguments: object;
  readonly id?: string;
}
type Turn = { readonly toolCalls: Call[] } | { readonly content: string };

/** A story whose turns are matched by the number of assistant messages. */
function byTurns(userMessage: string, turns: readonly Turn[]) {
  return turns.map((response, turnIndex) => ({ match: { userMessage, turnIndex }, response }));
}

/** A story whose turns are matched by the id of the last tool call; every call has its own id. */
function byIds(userMessage: string, turns: readonly Turn[]) {
  const lastIds = turns.map((turn) => ('toolCalls' in turn ? turn.toolCalls.at(-1)?.id : undefined));
  return turns.map((response, index) => {
    const toolCallId = lastIds[index - 1];
    return { match: toolCallId === undefined ? { userMessage, hasToolResult: false } : { toolCallId }, response };
  });
}

const three = (ids: readonly [string, string, string] | undefined): Turn[] => {
  const id = (index: 0 | 1 | 2) => (ids === undefined ? {} : { id: ids[index] });
  return [
    { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' }, ...id(0) }] },
    { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'b' }, ...id(1) }] },
    { toolCalls: [{ name: 'run_shell', arguments: { command: 'ls' }, ...id(2) }] },
    { content: 'Three steps are done.' },
  ];
};

const PAIR = {
  toolCalls: [
    { name: 'read_file', arguments: { path: 'a.txt' } },
    { name: 'read_file', arguments: { path: 'b.txt' } },
  ],
};

/** aimock has no stalls, but recorded delays can make it wait a minute after the first pieces. */
const STALL = { recordedTimings: { ttftMs: 0, interChunkDelaysMs: [0, 0, 0, 60_000], totalDurationMs: 60_000 } };

/** The stories of the behaviours as fixtures, in the documented format of JSON files. */
const FIXTURES = [
  { match: { userMessage: 'say hello' }, response: { content: 'Hello.' } },
  ...byTurns('work in three steps', three(undefined)),
  ...byIds('work by ids in 3 steps', three(['call_step_0', 'call_step_1', 'call_step_2'])),
  { match: { userMessage: 'read both files', hasToolResult: false }, response: PAIR },
  { match: { userMessage: 'read both files', hasToolResult: true }, response: { content: 'Both are read.' } },
  {
    match: { userMessage: 'leave a note' },
    response: { toolCalls: [{ name: 'write_file', arguments: { path: 'note.txt', content: 'A note.\n' } }] },
  },
  {
    match: { userMessage: 'name this chat', systemMessage: 'title writer' },
    response: { content: 'A named chat' },
  },
  { match: { userMessage: 'run the tests', toolResultContains: 'FAIL' }, response: { content: 'They are red.' } },
  { match: { userMessage: 'run the tests', hasToolResult: true }, response: { content: 'They are green.' } },
  {
    match: { userMessage: 'run the tests' },
    response: { toolCalls: [{ name: 'run_shell', arguments: { command: 'npm test' } }] },
  },
  { match: { userMessage: 'think first' }, response: { reasoning: 'Let me think.', content: 'I have thought.' } },
  {
    match: { userMessage: 'patch the file' },
    response: { toolCalls: [{ name: 'apply_patch', arguments: { input: '*** Begin Patch' } }] },
  },
  {
    match: { userMessage: 'use explicit ids' },
    response: {
      id: 'explicit',
      created: 1,
      toolCalls: [{ id: 'call_explicit', name: 'run_shell', arguments: { command: 'ls' } }],
    },
  },
  {
    match: { userMessage: 'be busy once', sequenceIndex: 0 },
    response: { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 7 },
  },
  { match: { userMessage: 'be busy once' }, response: { content: 'Now it works.' } },
  {
    match: { userMessage: 'be overloaded' },
    response: { error: { message: 'Overloaded', type: 'overloaded_error' }, status: 529 },
  },
  {
    match: { userMessage: 'be busy always' },
    response: { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 7 },
  },
  { match: { userMessage: 'count the requests', sequenceIndex: 0 }, response: { content: 'The first.' } },
  { match: { userMessage: 'count the requests', sequenceIndex: 1 }, response: { content: 'The second.' } },
  {
    match: { userMessage: 'call before you speak' },
    response: {
      blocks: [
        { type: 'toolCall', name: 'run_shell', arguments: { command: 'ls' } },
        { type: 'text', text: 'I have called.' },
      ],
    },
  },
  {
    match: { userMessage: 'stop at the limit' },
    response: { content: 'Too long', finishReason: 'length', usage: { prompt_tokens: 123, completion_tokens: 4 } },
  },
  { match: { userMessage: 'break off' }, response: { content: LONG }, chunkSize: 5, truncateAfterChunks: 4 },
  { match: { userMessage: 'hang up' }, response: { content: LONG }, chunkSize: 5, latency: 10, truncateAfterChunks: 4 },
  { match: { userMessage: 'fall asleep' }, response: { content: LONG }, chunkSize: 5, ...STALL },
  { match: { userMessage: 'doze' }, response: { content: LONG }, chunkSize: 5, ...STALL },
  { match: { userMessage: 'garble it' }, response: { content: LONG }, chaos: { malformedRate: 1 } },
  { match: { userMessage: 'take your time' }, response: { content: LONG }, streamingProfile: { ttft: 80, tps: 1000 } },
  { match: { userMessage: 'tear a character' }, response: { content: '漢字'.repeat(20) }, chunkSize: 1, latency: 1 },
  { match: { userMessage: 'mix the indexes up' }, response: PAIR },
];

/** Starts aimock with its documented features: fixtures as in a file, and functions for features without a field. */
export async function startAimockPeer(): Promise<Peer & { stop(): Promise<void> }> {
  const running: LLMock[] = [];
  const directory = await mkdtemp(path.join(tmpdir(), 'aimock-'));
  const start = async (options: MockServerOptions = {}) => {
    const mock = new LLMock({ port: 0, ...options });
    mock.addFixturesFromJSON(JSON.stringify(FIXTURES));
    mock.onMessage(/repeat the word (\w+)/, ({ messages }) => {
      const [, word] = /repeat the word (\w+)/.exec(JSON.stringify(messages.at(-1)?.content)) ?? [];
      return { content: `You said ${word}.` };
    });
    mock.addFixture({
      match: { predicate: ({ messages }) => JSON.stringify(messages).includes('decide in code') },
      response: { content: 'Code has decided.' },
    });
    mock.onEmbedding('embed this', { embedding: [0.5, 0.25] });
    mock.onImage('draw a cat', { image: { url: 'https://example.com/cat.png' } });
    mock.onSpeech('say it aloud', { audio: 'UklGRg==' });
    mock.onModerate('hurt', { flagged: true, categories: { violence: true } });
    const mcp = new MCPMock();
    mcp.addTool({ name: 'search', description: 'Searches', inputSchema: { type: 'object' } });
    mock.mount('/mcp', mcp);
    await mock.start();
    running.push(mock);
    return mock.url;
  };
  const chaos = { dropRate: 0.5 };
  return {
    name: 'aimock',
    url: await start({ metrics: true }),
    twin: await start(),
    guarded: await start({ auth: { apiKeys: ['right-key'] } }),
    chaotic: [await start({ chaos }), await start({ chaos })],
    ways: { three: ['work in three steps', 'work by ids in 3 steps'], pair: ['read both files'] },
    journal: (testId) => `/__aimock/journal?testId=${testId}`,
    entries: {
      path: '/__aimock/fixtures',
      file: (userMessage, content) => ({ fixtures: [{ match: { userMessage }, response: { content } }] }),
    },
    record: async (upstream) => {
      const mock = new LLMock({ port: 0, record: { providers: { openai: upstream }, fixturePath: directory } });
      await mock.start();
      return { url: mock.url, stop: () => mock.stop() };
    },
    stop: async () => {
      await Promise.all(running.map((mock) => mock.stop()));
      await rm(directory, { recursive: true });
    },
  };
}
