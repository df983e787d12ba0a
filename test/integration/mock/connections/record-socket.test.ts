import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import OpenAI from 'openai';
import type { ResponsesClientEvent, ResponsesServerEvent } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRecording } from '../../../../mock-llm-server/record/record-session.ts';
import { startMockLlm } from '../../../../mock-llm-server/testing.ts';
import { temporaryDirectory } from '../../../support/processes/temporary-directory.ts';

const SCENARIOS: Parameters<typeof startMockLlm>[0]['scenarios'] = [
  {
    name: 'look',
    trigger: 'look at it',
    steps: [
      { response: { content: 'I look.', tool_calls: [{ name: 'look', arguments: { at: 'it' } }] } },
      { response: { content: 'It is fine.' } },
    ],
  },
  { name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello to you.' } }] },
  {
    name: 'cut',
    trigger: 'cut it',
    steps: [{ response: { content: 'It ends in the middle.' }, fault: { cut: true, at: 'middle' } }],
  },
];
const TOOLS: OpenAI.Responses.FunctionTool[] = [
  { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false },
];

/** A recording of an upstream, and the official client connected to it. */
async function record(upstream: string) {
  const out = path.join(temporaryDirectory(), 'story');
  const { url, close } = await startRecording({
    ...{ port: 0, upstream, key: undefined, out, scenarios: [], fallbackOnly: false, force: false, fromDrift: false },
    log: () => {},
  });
  return {
    client: connect(url),
    async stop() {
      await close();
      return JSON.parse(readFileSync(path.join(out, 'scenario.json'), 'utf8'));
    },
  };
}

function connect(url: string): ResponsesWS {
  const client = new ResponsesWS(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'unused' }));
  client.on('error', () => {});
  onTestFinished(() => client.close());
  return client;
}

type Create = Omit<ResponsesClientEvent.ResponseCreate, 'type' | 'model'>;

/** The last events of the responses to these requests. */
async function ask(client: ResponsesWS, ...requests: readonly Create[]) {
  const ends: ResponsesServerEvent[] = [];
  const done = new Promise<void>((resolve) => {
    client.on('event', (event) => {
      if (event.type !== 'error' && event.type !== 'response.completed') return;
      if (ends.push(event) === requests.length) resolve();
    });
  });
  for (const request of requests) client.send({ type: 'response.create', model: 'gpt-x', ...request });
  await done;
  return ends.map((event) => {
    if (event.type !== 'response.completed') throw new Error(JSON.stringify(event));
    return event.response;
  });
}

const textOf = ({ output }: OpenAI.Responses.Response): string =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .flatMap((part) => ('text' in part ? part.text : []))
    .join('');

/** Prompts in two lanes, and a loop with a tool that only names the previous response. */
async function converse(client: ResponsesWS): Promise<string[]> {
  const [first] = await ask(client, { input: 'Please look at it.', tools: TOOLS });
  const call = first?.output.find((item) => item.type === 'function_call');
  if (first === undefined || call === undefined) throw new Error('There is no call.');
  const output = { type: 'function_call_output', call_id: call.call_id, output: 'fine' } as const;
  const [second] = await ask(client, { previous_response_id: first.id, input: [output], tools: TOOLS });
  const both = await ask(client, { input: 'say hello', stream_id: 'a' }, { input: 'say hello again', stream_id: 'b' });
  return [first, ...(second === undefined ? [] : [second]), ...both].map(textOf);
}

const SAID = ['I look.', 'It is fine.', 'Hello to you.', 'Hello to you.'];

describe('a recorder for a WebSocket of the Responses API', () => {
  it('forwards the messages of the official client, and writes a story that replays the answers', async () => {
    const upstream = await startMockLlm({ scenarios: SCENARIOS });
    onTestFinished(() => upstream.close());
    const { client, stop } = await record(upstream.url);
    expect(await converse(client)).toEqual(SAID);
    client.close();
    const replay = await startMockLlm({ scenarios: (await stop()).scenarios });
    onTestFinished(() => replay.close());
    expect(await converse(connect(replay.url))).toEqual(SAID);
  });

  it('falls back to HTTP if the upstream has no WebSocket', async () => {
    const upstream = await startMockLlm({ scenarios: SCENARIOS });
    onTestFinished(() => upstream.close());
    const server = http.createServer((request, response) => {
      if (request.method !== 'POST') return response.writeHead(404).end();
      const { method, headers, url = '' } = request;
      const sent = http.request(new URL(url, upstream.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      return request.pipe(sent);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const { client, stop } = await record(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    expect(await converse(client)).toEqual(SAID);
    client.close();
    expect((await stop()).scenarios).toHaveLength(3);
  });

  it('records an answer that the upstream cut off, and ends the connection of the client', async () => {
    const upstream = await startMockLlm({ scenarios: SCENARIOS });
    onTestFinished(() => upstream.close());
    const { client, stop } = await record(upstream.url);
    const closed = new Promise((resolve) => client.on('close', resolve));
    client.send({ type: 'response.create', model: 'gpt-x', input: 'cut it' });
    await closed;
    expect((await stop()).scenarios).toMatchObject([
      {
        trigger: 'cut it',
        steps: [{ response: { content: expect.stringMatching(/^It/) }, fault: { reset: expect.anything() } }],
      },
    ]);
  });
});
