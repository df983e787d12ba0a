import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { answerNotes, resend, startHttp, startNotes, startOlder } from '../../support/mcp/http-servers.ts';
import { openServer, signal } from '../../support/mcp/open-server.ts';

it.each([
  ['modern', '2026-07-28'],
  ['session', '2025-11-25'],
  ['session-json', '2025-11-25'],
] as const)('a server over HTTP is used: %s', async (kind, revision) => {
  const { url, seen } = await startNotes(kind);
  const { server, call, home } = await openServer({ entry: { url, headers: { 'X-Team': 'a' } } });
  await server.listTools(signal);
  expect(server.state).toMatchObject({ type: 'running', revision });
  expect(await call('srv__add_note', { text: 'milk' })).toMatchObject({ content: 'noted milk', isError: false });
  expect(seen.every(({ headers }) => headers['x-team'] === 'a')).toBe(true);
  await server.close();
  const isOver = seen.at(-1)?.method === 'DELETE';
  expect(isOver).toBe(kind !== 'modern');
  // The next session does not query the revision again.
  const again = await openServer({ home, entry: { url, headers: { 'X-Team': 'a' } } });
  const before = seen.length;
  expect(await again.call('srv__add_note', { text: 'eggs' })).toMatchObject({ content: 'noted eggs' });
  expect(seen.slice(before).map(({ rpc }) => rpc)).not.toContain(kind === 'modern' ? 'initialize' : 'server/discover');
});

it.each([
  ['during the older handshake', 'initialize', false],
  ['during the first list', 'tools/list', false],
  ['in a body whose headers were in time', 'tools/list', true],
])('a late answer to the first question corrects what is remembered: %s', async (_name, after, isBegun) => {
  const answer = answerNotes();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const { url, seen } = await startHttp(async (request, response) => {
    if (request.rpc === after) release();
    if (request.rpc !== 'server/discover') return answer(request, response);
    if (isBegun) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    await released;
    if (!isBegun) return answer(request, response);
    const { id } = request.message;
    const capabilities = { tools: {}, resources: {} };
    const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities };
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  const { server, home } = await openServer({ entry: { url } });
  await server.listTools(signal);
  await expect.poll(() => server.remembered.discover).toBeDefined();
  await server.close();
  const before = seen.length;
  const again = await openServer({ entry: { url }, home });
  expect(await again.call('srv__add_note', { text: 'milk' })).toMatchObject({ content: 'noted milk' });
  expect(again.server.state.revision).toBe('2026-07-28');
  expect(seen.slice(before).map(({ rpc }) => rpc)).not.toContain('initialize');
});

it.each(['modern', 'session', 'session-json'] as const)(
  'a result that is too large is not requested again: %s',
  async (kind) => {
    const { url, seen } = await startNotes(kind);
    const { server, call } = await openServer({ entry: { url } });
    await server.listTools(signal);
    const cut = await call('srv__big', { bytes: 9 * 1024 * 1024 });
    expect(cut.content.length).toBeLessThan(11_000);
    await expect(call('srv__big', { bytes: 12 * 1024 * 1024 })).rejects.toThrow(
      /its result is too large.*It still runs/s,
    );
    expect(await call('srv__add_note', { text: 'after' })).toMatchObject({ content: 'noted after' });
    expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(3);
  },
);

it.each([
  ['application/json', '{"jsonrpc":"2.0","id":'],
  ['text/event-stream', 'id: 1\ndata: {"jsonrpc":"2.0","id":'],
])('a body of 200 MB as %s is read in bounded memory', async (type, start) => {
  let sent = 0;
  const { url, seen } = await startOlder(({ message }, response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(`${start}${message.id},"result":{"content":[{"type":"text","text":"`);
    const block = Buffer.alloc(1024 * 1024, 'x');
    const more = (): void => {
      while (sent < 200 && !response.destroyed) {
        sent += 1;
        if (!response.write(block)) return void response.once('drain', more);
      }
    };
    more();
  });
  const { server, call } = await openServer({ entry: { url } });
  await server.listTools(signal);
  await expect(call('srv__t')).rejects.toThrow('its result is too large');
  expect(sent).toBeLessThan(40);
  expect(seen.filter(({ rpc, method }) => rpc === 'tools/call' || method === 'GET')).toHaveLength(2);
});

it('an expired session fails one call, which is not repeated, and the next call begins a new one', async () => {
  const started = await startNotes('session');
  const { server, call } = await openServer({ entry: { url: started.url } });
  await server.listTools(signal);
  if ('sessions' in started) started.sessions.clear();
  await expect(call('srv__add_note', { text: 'a' })).rejects.toThrow(
    /does not exist any more \(HTTP 404\).*The next call connects again/s,
  );
  expect(server.state.type).toBe('ended');
  expect(await call('srv__add_note', { text: 'b' })).toMatchObject({ content: 'noted b' });
  const calls = started.seen.filter(({ rpc }) => rpc === 'tools/call');
  expect(calls.map(({ message }) => message.params?.arguments?.text)).toEqual(['a', 'b']);
});

it('a server that is down fails at once, and works when it is back', async () => {
  const { url, port, close } = await startNotes('session');
  const { server, call } = await openServer({ entry: { url } });
  await server.listTools(signal);
  await close();
  await expect(call('srv__add_note', { text: 'a' })).rejects.toThrow(/gave no result.*ECONNREFUSED/s);
  await expect(call('srv__add_note', { text: 'b' })).rejects.toThrow(
    /cannot be used.*ECONNREFUSED.*A later call tries again/s,
  );
  await startNotes('session', port);
  expect(await call('srv__add_note', { text: 'c' })).toMatchObject({ content: 'noted c' });
});

it.each(['modern', 'session'] as const)('resources are listed and read by one tool: %s', async (kind) => {
  const { url } = await startNotes(kind);
  const { server, call } = await openServer({ entry: { url } });
  const { tools } = await server.listTools(signal);
  expect(tools.map(({ name }) => name)).toEqual(['add_note', 'big', 'read_resource']);
  expect((await call('srv__read_resource')).content).toBe('notes://today: today – The notes of today');
  const { content } = await call('srv__read_resource', { uri: 'notes://today' });
  expect(content).toBe('[resource notes://today]\nmilk');
  await expect(call('srv__read_resource', { uri: 'notes://none' })).rejects.toThrow('gave no result');
});

it('a server that was downgraded is asked for its revision again', async () => {
  const newer = await startNotes('modern');
  const entry = { url: newer.url };
  const first = await openServer({ entry });
  await first.server.listTools(signal);
  await first.server.close();
  await newer.close();
  const older = await startNotes('session-json', newer.port);
  const again = await openServer({ entry, home: first.home });
  expect(again.server.remembered.revision).toBe('2026-07-28');
  expect(await again.call('srv__add_note', { text: 'milk' })).toMatchObject({ content: 'noted milk' });
  expect(again.server.remembered.revision).toBe('2025-11-25');
  expect(older.seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
});

it('a call that the user stops is cancelled at the server', async () => {
  let heard = (): void => {};
  const called = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const { url, seen } = await startOlder(() => heard());
  const { server, call } = await openServer({ entry: { url } });
  await server.listTools(signal);
  const stop = new AbortController();
  const ended = call('srv__t', {}, stop.signal).catch((error: unknown) => error);
  await called;
  stop.abort();
  expect(await ended).toBeInstanceOf(Error);
  await expect.poll(() => seen.map(({ rpc }) => rpc)).toContain('notifications/cancelled');
  expect(server.state.type).toBe('running');
});

it.each([
  [
    401,
    'login (HTTP 401): nothing for you. The user can log in with: ybs mcp login srv, or put a valid token into "headers"',
  ],
  [403, 'it refuses this user (HTTP 403): nothing for you'],
  [404, 'does not exist any more (HTTP 404)'],
  [500, 'HTTP 500'],
])('the status %d is explained', async (status, text) => {
  const { url } = await startHttp(
    (_seen, response) => void response.writeHead(status).end('nothing \u001b[31mfor you'),
  );
  const { server } = await openServer({ entry: { url } });
  await expect(server.listTools(signal)).rejects.toThrow(text);
  expect(server.state.problem).not.toContain('\u001b');
});

it('a redirect to another origin is not followed, and one within the origin keeps the headers', async () => {
  const other = await startHttp((_seen, response) => void response.writeHead(200).end());
  const away = await startHttp((_seen, response) => void response.writeHead(307, { location: other.url }).end());
  const lost = await openServer({ entry: { url: away.url, headers: { Authorization: 'Bearer s3cret' } } });
  await expect(lost.server.listTools(signal)).rejects.toThrow(`Redirect to ${other.url} not followed`);
  expect(other.seen).toEqual([]);

  const notes = await startNotes('modern');
  const within = await startHttp(async (seen, response) => {
    if (seen.path === '/mcp') return void response.writeHead(307, { location: '/v2' }).end();
    await resend(notes.url, seen, response);
  });
  const kept = await openServer({ entry: { url: within.url, headers: { Authorization: 'Bearer s3cret' } } });
  await kept.server.listTools(signal);
  expect(within.seen.every(({ headers }) => headers.authorization === 'Bearer s3cret')).toBe(true);
});

it('a server that never answers delays a call only briefly, and the end not at all', async () => {
  const { url } = await startHttp(() => {});
  const { server } = await openServer({ entry: { url, start_seconds: 1 } });
  await expect(server.listTools(signal)).rejects.toThrow('The server srv is still starting after 1 s');
  await server.close();
  expect(server.state.type).toBe('failed');
});

// typescript-sdk#2509: the stream that resumes an answer may be interrupted, too.
it('an answer that is interrupted twice is resumed after its last event', async () => {
  const { url, seen } = await startOlder(({ method, message, headers }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (method === 'POST') return void response.end('retry: 1\nid: e1\ndata:\n\n');
    expect(headers['last-event-id']).toBe('e1');
    if (seen.filter((each) => 'last-event-id' in each.headers).length === 1) return void response.end(': nothing\n\n');
    const { id } = seen.findLast(({ rpc }) => rpc === 'tools/call')?.message ?? message;
    const result = { content: [{ type: 'text', text: 'resumed' }] };
    response.end(`id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  const { server, call } = await openServer({ entry: { url } });
  await server.listTools(signal);
  expect(await call('srv__t')).toMatchObject({ content: 'resumed' });
  expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
});

it('variables in headers come from the environment, and an unset one causes an error', async () => {
  const { url, seen } = await startNotes('modern');
  const headers = { Authorization: `Bearer \${TEAM_TOKEN}`, 'X-Zone': `\${ZONE:-eu}` };
  const { server } = await openServer({ entry: { url, headers }, environment: { TEAM_TOKEN: 'abc' } });
  await server.listTools(signal);
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-zone': 'eu' });
  const unset = await openServer({ entry: { url, headers } });
  await expect(unset.server.listTools(signal)).rejects.toThrow(
    'needs the environment variable TEAM_TOKEN, which is not set',
  );
  const key = await openServer({
    origin: 'project',
    entry: { url, headers: { A: `\${OPENAI_API_KEY}` } },
    environment: { OPENAI_API_KEY: 'k' },
  });
  await expect(key.server.listTools(signal)).rejects.toThrow('must not get OPENAI_API_KEY');
});

it('a server of the newer revision announces a new tool on a stream', async () => {
  let names = ['first'];
  let listening: ServerResponse | undefined;
  const { url } = await startHttp(({ rpc, message: { id } }, response) => {
    const answer = (result: object): void => {
      const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { ...common, ...result } }));
    };
    const event = (message: object): void => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const sent = { jsonrpc: '2.0', ...message, params: { _meta, notifications: { toolsListChanged: true } } };
      response.write(`data: ${JSON.stringify(sent)}\n\n`);
    };
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: 'x', version: '1' };
    if (rpc === 'server/discover') return answer({ supportedVersions: ['2026-07-28'], capabilities, serverInfo });
    if (rpc === 'tools/list')
      return answer({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    if (rpc !== 'subscriptions/listen') return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    event({ method: 'notifications/subscriptions/acknowledged' });
    listening = Object.assign(response, { change: () => event({ method: 'notifications/tools/list_changed' }) });
  });
  const { server } = await openServer({ entry: { url } });
  const listed = async () => (await server.listTools(signal)).tools.map(({ name }) => name);
  expect(await listed()).toEqual(['first']);
  await expect.poll(() => listening).toBeDefined();
  names = ['first', 'second'];
  Object(listening).change();
  await expect.poll(listed).toEqual(['first', 'second']);
});
