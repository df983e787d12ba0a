import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { type RecordOptions, startRecording } from '../../../mock-llm-server/record/record-session.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

const MessageSchema = z.looseObject({ tool_calls: z.array(z.looseObject({ id: z.string() })).optional() });
const AnswerSchema = z.object({ choices: z.tuple([z.object({ message: MessageSchema })]) });

const KEY = 'the-key-of-the-upstream-1234';

async function upstream(listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an upstream whose answer has the text. */
const upstreamThatSays = (
  text: string | ((request: IncomingMessage) => Promise<string>),
  headers = {},
): Promise<string> =>
  upstream(async (request, response) => {
    const content = typeof text === 'string' ? text : await text(request);
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }));
  });

/** Starts a recording. `stop` ends it and returns the files that it wrote. */
async function record(url: string, options: Partial<RecordOptions> = {}) {
  const out = options.out ?? path.join(temporaryDirectory(), 'story');
  const log: string[] = [];
  const { url: proxy, close } = await startRecording({
    ...{ port: 0, upstream: url, key: KEY, out, scenarios: [], fallbackOnly: false, force: false, fromDrift: false },
    log: (line) => log.push(line),
    ...options,
  });
  return {
    proxy,
    out,
    log,
    async stop() {
      await close();
      const read = (name: string) => readFileSync(path.join(out, name), 'utf8');
      if (!existsSync(path.join(out, 'recording.jsonl'))) return { scenario: undefined, lines: [], all: '' };
      const lines = read('recording.jsonl').trim().split('\n');
      return {
        scenario: existsSync(path.join(out, 'scenario.json')) ? JSON.parse(read('scenario.json')) : undefined,
        lines: lines.map((line) => JSON.parse(line)),
        all: readdirSync(out).map(read).join('\n'),
      };
    },
  };
}

const post = (proxy: string, body: object, init: RequestInit = {}): Promise<Response> =>
  fetch(`${proxy}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'hello there' }], ...body }),
    ...init,
  });

const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

const open = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}

it('the recording proxy does not change the global Request and Response of its process', async () => {
  const before = [globalThis.Request, globalThis.Response];
  const { stop } = await record('http://127.0.0.1:9');
  await stop();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});

describe('the recording proxy', () => {
  it('forwards each piece when it arrives', async () => {
    let goOn: () => void = () => {};
    const url = await upstream((_, response) => {
      open(response).write(chunk('One.'));
      goOn = () => response.end(`${chunk(' Two.', 'stop')}data: [DONE]\n\n`);
    });
    const { proxy, stop } = await record(url);
    const reader = (await post(proxy, { stream: true })).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: chunk('One.') });
    goOn();
    expect(await reader?.read()).toEqual({ done: false, value: `${chunk(' Two.', 'stop')}data: [DONE]\n\n` });
    expect(await reader?.read()).toMatchObject({ done: true });
    expect((await stop()).scenario.scenarios[0].steps).toMatchObject([{ response: { content: 'One. Two.' } }]);
  });

  it('ends the request of a client that disconnects, and records it as such', async () => {
    let gone: Promise<unknown> = Promise.resolve();
    const url = await upstream((_, response) => {
      gone = once(response, 'close');
      open(response).write(chunk('One.'));
    });
    const { proxy, stop } = await record(url);
    const leave = new AbortController();
    const reader = (await post(proxy, { stream: true }, { signal: leave.signal })).body?.getReader();
    await reader?.read();
    leave.abort();
    await gone;
    const { scenario, lines } = await stop();
    expect(lines).toMatchObject([{ outcome: 'client_left', status: 200 }]);
    expect(scenario.scenarios[0].steps).toEqual([
      { response: { content: 'One.' }, fault: { stall: 'forever', at: 'before_finish' } },
    ]);
  });

  it('rejects a request that is too large, and ends its connection, because the rest is not read', async () => {
    const { proxy, stop } = await record('http://127.0.0.1:9');
    const refused = await post(proxy, { padding: 'x'.repeat(33 * 1024 * 1024) });
    expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
    await stop();
  });

  it('slows the upstream down for a slow client', async () => {
    const piece = 'x'.repeat(64 * 1024);
    let sent = 0;
    const url = await upstream((_, response) => {
      const fill = (): void => {
        do sent++;
        while (sent < 4_000 && response.write(piece));
      };
      open(response).on('drain', fill);
      fill();
    });
    const { proxy, stop } = await record(url);
    const leave = new AbortController();
    const response = await post(proxy, { stream: true }, { signal: leave.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(sent).toBeLessThan(1_000);
    leave.abort();
    await stop();
  });

  it.each([
    ['reset', (response: ServerResponse) => setImmediate(() => response.socket?.resetAndDestroy()), { reset: true }],
    ['cut', (response: ServerResponse) => response.end(), { cut: 'before_finish' }],
  ] as const)('records a stream that ends with a %s', async (outcome, end, fault) => {
    const url = await upstream((_, response) => {
      open(response).write(chunk('One.'));
      end(response);
    });
    const { proxy, stop } = await record(url);
    const read = post(proxy, { stream: true }).then((response) => response.text());
    if (outcome === 'reset') await expect(read).rejects.toThrow();
    else expect(await read).toBe(chunk('One.'));
    const { scenario, lines } = await stop();
    expect(lines).toMatchObject([{ outcome }]);
    expect(scenario.scenarios[0].steps[0]).toMatchObject({ response: { content: 'One.' }, fault });
  });

  it.each([502, 200])('records a page of HTML with status %i as the body of a fault', async (status) => {
    const url = await upstream((_, response) => {
      const dates = { date: 'Mon, 30 Nov 2026 12:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 12:00:07 GMT' };
      response.writeHead(status, { 'content-type': 'text/html', ...dates }).end('<html>Bad Gateway</html>');
    });
    const { proxy, stop } = await record(url);
    expect(await (await post(proxy, {})).text()).toBe('<html>Bad Gateway</html>');
    const { scenario, lines } = await stop();
    expect(lines).toMatchObject([{ outcome: 'error', status }]);
    const fault = { status, body: '<html>Bad Gateway</html>', ...(status === 502 && { retry_after: 7 }) };
    expect(scenario.scenarios[0].steps).toEqual([{ response: { content: '' }, fault }]);
  });

  it('answers 502 if the upstream cannot be reached, and writes no scenario for it', async () => {
    const { proxy, stop } = await record('http://127.0.0.1:1');
    const response = await post(proxy, {});
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/^The upstream 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/) },
    });
    expect(await stop()).toMatchObject({ scenario: undefined, lines: [{ outcome: 'unreachable' }] });
  });

  it('sends the key of the upstream instead of that of the client, and writes neither', async () => {
    let seen: http.IncomingHttpHeaders = {};
    const url = await upstreamThatSays(
      async (request) => {
        seen = request.headers;
        const { length } = await bodyOf(request);
        return `You sent ${length} characters with ${KEY} and ghp_abcdefghijklmnopqrstuvwxyz0123456789.`;
      },
      { 'set-cookie': 'session=cookie-of-the-upstream' },
    );
    const { proxy, stop } = await record(url);
    const headers = {
      authorization: 'Bearer client-key-123456',
      cookie: 'session=cookie-of-the-client',
      'content-type': 'application/json',
      'x-custom': 'kept',
    };
    const messages = [{ role: 'user', content: 'use client-key-123456 for this' }];
    const answer = await post(proxy, { messages }, { headers });
    expect(await answer.text()).toContain(KEY);
    expect(seen).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-custom': 'kept', 'accept-encoding': 'identity' });
    expect(seen.cookie).toBeUndefined();
    const { all, scenario } = await stop();
    expect(all).not.toMatch(/client-key|key-of-the-upstream|ghp_|cookie-of/);
    expect(scenario.scenarios[0].steps[0].response.content).toMatch(/with \[redacted\] and \[redacted\]\.$/);
    // The trigger is found in the request of a client, with its key.
    await using replay = await startMockLlm({ scenarios: scenario.scenarios });
    expect((await post(replay.url, { messages })).status).toBe(200);
  });

  it('also removes the keys in encoded forms, and saves the following text', async () => {
    const clientKey = 'client+key/123456';
    const base64 = Buffer.from(`user:${KEY}`).toString('base64');
    const url = await upstreamThatSays(`As Base64: ${base64}, in a URL: ${encodeURIComponent(clientKey)}.`);
    const { proxy, stop, log } = await record(url);
    const headers = { authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' };
    await (await post(proxy, {}, { headers })).text();
    await (await post(proxy, { messages: [{ role: 'user', content: 'and another question' }] }, { headers })).text();
    const { scenario, lines } = await stop();
    expect(lines).toHaveLength(2);
    expect(scenario.scenarios[0].steps[0].response.content).toMatch(
      /^As Base64: \w{1,8}\[redacted\]=*, in a URL: \[redacted\]\.$/,
    );
    expect(log.filter((line) => line.startsWith('warning'))).toEqual([]);
  });

  it('writes nothing if a secret remains, and names it and its position', async () => {
    const url = await upstreamThatSays('Yes.');
    // The key is in the story to which the recorder adds.
    const story = JSON.stringify({
      scenarios: [{ name: 'mine', trigger: `use ${KEY}`, steps: [{ response: { content: 'No.' } }] }],
    });
    const out = path.join(temporaryDirectory(), 'story');
    writeFiles(out, { 'scenario.json': story });
    const { proxy, stop } = await record(url, { out, fallbackOnly: true });
    await (await post(proxy, {})).text();
    await expect(stop()).rejects.toThrow(/still holds a key of a request \(scenario\.json, line \d+\)/);
    expect(readdirSync(out)).toEqual(['scenario.json']);
    expect(readFileSync(path.join(out, 'scenario.json'), 'utf8')).toBe(story);
  });

  it.each([
    ['a file', 'file', /^No story can be written to \S+file \(ENOTDIR: .*\)\. Choose another --out\.$/],
    ['below a file', 'file/a/b', /^No story can be written to \S+file\/a\/b \(ENOTDIR: /],
  ])('rejects %s as the story before it records anything', async (_what, name, message) => {
    const root = temporaryDirectory();
    writeFiles(root, { file: '' });
    await expect(record('http://127.0.0.1:1', { out: path.join(root, name) })).rejects.toThrow(message);
    expect(readdirSync(root)).toEqual(['file']);
  });

  it('reports that the recording cannot be written, and keeps the earlier one', async () => {
    const url = await upstreamThatSays('Yes.');
    const root = temporaryDirectory();
    const { proxy, stop } = await record(url, { out: path.join(root, 'stories/one') });
    // The path is occupied after the start.
    writeFiles(root, { stories: '' });
    await (await post(proxy, {})).text();
    await expect(stop()).rejects.toThrow(
      /^The recording cannot be written to \S+one: E\w+: .* The last saved recording is kept\.$/,
    );
  });

  it('removes temporary files of killed recorders, but not of running ones', async () => {
    const url = await upstreamThatSays('Yes.');
    const root = temporaryDirectory();
    const leftOf = (pid: number | undefined) => `.recording-${pid}-${randomUUID()}`;
    const [gone, running] = [leftOf(spawnSync(process.execPath, ['-e', '']).pid), leftOf(process.ppid)];
    writeFiles(root, { [`${gone}/scenario.json`]: '', [`${running}/scenario.json`]: '', '.recording-notes/a': '' });
    const { proxy, stop } = await record(url, { out: path.join(root, 'story') });
    await (await post(proxy, {})).text();
    await stop();
    expect(readdirSync(root).toSorted()).toEqual([running, '.recording-notes', 'story'].toSorted());
  });

  it('forwards only requests that no scenario answers, and adds them to the story', async () => {
    const requests: string[] = [];
    const url = await upstreamThatSays(async (request) => `Answer ${requests.push(await bodyOf(request))}`);
    const directory = temporaryDirectory();
    const scenario = {
      scenarios: [{ name: 'known', trigger: 'known', steps: [{ response: { tool_calls: [{ name: 'look' }] } }] }],
      story: { prompts: ['known'] },
    };
    writeFiles(directory, { 'story/scenario.json': JSON.stringify(scenario), 'story/mine.txt': 'mine' });
    const out = path.join(directory, 'story');
    const { proxy, stop } = await record(url, { out, fallbackOnly: true });
    const ask = async (...messages: object[]) =>
      AnswerSchema.parse(await (await post(proxy, { messages })).json()).choices[0].message;
    const prompt = { role: 'user', content: 'what is known' };
    const call = await ask(prompt);
    expect(requests).toHaveLength(0);
    const result = { role: 'tool', tool_call_id: call.tool_calls?.[0]?.id, content: 'found' };
    expect(await ask(prompt, call, result)).toMatchObject({ content: 'Answer 1' });
    expect(await ask({ role: 'user', content: 'something new' })).toMatchObject({ content: 'Answer 2' });
    const { scenario: written } = await stop();
    expect(requests).toHaveLength(2);
    expect(written).toMatchObject({
      scenarios: [
        {
          ...scenario.scenarios[0],
          steps: [...(scenario.scenarios[0]?.steps ?? []), { response: { content: 'Answer 1' } }],
        },
        { name: 'something-new', trigger: 'something new', steps: [{ response: { content: 'Answer 2' } }] },
      ],
      story: scenario.story,
    });
    expect(readFileSync(path.join(out, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('proposes volatile texts when the same run is recorded again', async () => {
    const url = await upstreamThatSays('Hi.');
    const run = async (date: string, options: Partial<RecordOptions>) => {
      const recording = await record(url, options);
      const messages = [
        { role: 'system', content: `Today is ${date}.` },
        { role: 'user', content: 'hello there' },
      ];
      await (await post(recording.proxy, { messages })).text();
      await recording.stop();
      return recording;
    };
    const { out } = await run('2026-01-05', {});
    await expect(run('2026-01-06', { out })).rejects.toThrow(/already has a story/);
    const { log } = await run('2026-01-06', { out, force: true });
    expect(log.join('\n')).toContain('add to "volatile" in prompt.lock.json:\n  {"name":"date"');
  });

  it.each([
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ host: 'elsewhere.example' }, 403],
    [{ upgrade: 'websocket', connection: 'upgrade' }, 426],
  ])('rejects a request with the headers %j', async (headers, status) => {
    let count = 0;
    const url = await upstream((_, response) => {
      count++;
      response.end('{}');
    });
    const { proxy, stop } = await record(url);
    const request = http.request(`${proxy}/v1/chat/completions`, { method: 'POST', headers });
    request.end('{}');
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(status);
    response.resume();
    await stop();
    expect(count).toBe(0);
  });
});

it('the recording proxy records requests that continue a response by its id, and replays them', async () => {
  const scenario = {
    name: 'stored',
    trigger: 'look',
    steps: [
      { response: { tool_calls: [{ name: 'look', arguments: { at: 'a' } }] } },
      { response: { content: 'Seen.' } },
    ],
  };
  await using source = await startMockLlm({ scenarios: [scenario] });
  const { proxy, out, stop } = await record(source.url);
  const work = async (base: string): Promise<string> => {
    const api = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'unused' });
    const { id, output } = await api.responses.create({ model: 'm', input: 'look at it' });
    const [call] = output;
    if (call?.type !== 'function_call') throw new Error('no call');
    const input = [{ type: 'function_call_output' as const, call_id: call.call_id, output: 'something' }];
    return (await api.responses.create({ model: 'm', previous_response_id: id, input })).output_text;
  };
  expect(await work(proxy)).toBe('Seen.');
  const { scenario: written } = await stop();
  expect(written.scenarios.map(({ steps }: { steps: unknown[] }) => steps.length)).toEqual([2]);
  await using replay = await startMockLlm({ scenarios: out });
  expect(await work(replay.url)).toBe('Seen.');
});
