import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeServers } from '../../../src/tools/mcp/describe-servers.ts';
import { type SeenRequest, startHttp } from '../../support/mcp/http-servers.ts';
import { openServer, signal } from '../../support/mcp/open-server.ts';

/** Answers a request with this message in its own way; `false` leaves it to the server. */
type Odd = (response: ServerResponse, message: object, request: SeenRequest) => unknown;

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM = { 'content-type': 'text/event-stream' };

/** A server of the older revision with one tool, which answers a method as `odd` does. */
async function open(on: string, odd: Odd) {
  const { url, seen } = await startHttp((request, response) => {
    const { rpc = '', message, method } = request;
    const { id, params } = message;
    const serverInfo = { name: 'odd', version: '1' };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'fine' }] },
    };
    const error = { code: -32_601, message: 'Method not found' };
    const answer = { jsonrpc: '2.0', id, ...(rpc in results ? { result: results[rpc] } : { error }) };
    if ((on === method || on === rpc) && odd(response, answer, request) !== false) return;
    if (method !== 'POST') return void response.writeHead(405).end();
    if (rpc.startsWith('notifications/')) return void response.writeHead(202).end();
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer));
  });
  const { server, call } = await openServer({ entry: { url, timeout_seconds: 10 } });
  const callTool = async () => {
    await server.listTools(signal);
    return call('srv__t');
  };
  return { seen, server, call: callTool };
}

const body = (status: number, headers: Record<string, string>, write: (message: object) => string | Buffer): Odd => {
  return (response, message) => response.writeHead(status, headers).end(write(message));
};
const stream = (write: (json: string) => string): Odd => body(200, STREAM, (message) => write(JSON.stringify(message)));
const nothing = (status: number, headers: Record<string, string> = {}, text = ''): Odd =>
  body(status, headers, () => text);

const STATUSES = [
  ...[400, 401, 404, 409, 500].map((status) => ['GET', status] as const),
  ...[204, 400, 404, 405, 500].map((status) => ['notifications/initialized', status] as const),
  // 401 and 403: adcp-client#2434
  ...[401, 403, 404, 405, 406, 422, 500, 503].map((status) => ['server/discover', status] as const),
];

it.each<readonly [string, string, Odd]>([
  ['has a character set', 'POST', body(200, { 'content-type': 'Application/JSON; charset=utf-8' }, JSON.stringify)],
  ['has no type', 'tools/call', body(200, {}, JSON.stringify)],
  ['is plain text', 'tools/call', body(200, { 'content-type': 'text/plain' }, JSON.stringify)],
  [
    'has a message before it (without an array)',
    'tools/call',
    body(200, JSON_TYPE, (message) => `{"jsonrpc":"2.0","method":"notifications/message"}\n${JSON.stringify(message)}`),
  ],
  [
    'begins with a byte order mark',
    'tools/call',
    body(200, JSON_TYPE, (message) => `\uFEFF${JSON.stringify(message)}`),
  ],
  [
    'has an error that is null',
    'tools/call',
    body(200, JSON_TYPE, (message) => JSON.stringify({ ...message, error: null })),
  ],
  ['has another id', 'tools/call', body(200, JSON_TYPE, (message) => JSON.stringify({ ...message, id: 'server' }))],
  ['is a batch', 'tools/call', body(200, JSON_TYPE, (message) => JSON.stringify([message]))],
  [
    'is compressed',
    'tools/call',
    body(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, (message) => gzipSync(JSON.stringify(message))),
  ],
  ['is a stream with carriage returns', 'tools/call', stream((json) => `event: message\r\ndata: ${json}\r\n\r\n`)],
  ['is a stream with carriage returns alone', 'tools/call', stream((json) => `data: ${json}\r\r`)],
  [
    'is a stream with a character set',
    'tools/call',
    body(
      200,
      { 'content-type': 'Text/Event-Stream;charset=utf-8' },
      (message) => `data:${JSON.stringify(message)}\n\n`,
    ),
  ],
  ['is a stream of lines', 'tools/call', stream((json) => `data: ${json.replaceAll(',', ',\ndata: ')}\n\n`)],
  ['is a stream without its last line', 'tools/call', stream((json) => `data: ${json}\n`)],
  [
    'is a stream with other data',
    'tools/call',
    stream((json) => `: hi\n\nevent: ping\ndata: {}\n\ndata: [DONE]\n\ndata: ${json}\n\n`),
  ],
  ['is a stream of other events', 'tools/call', stream((json) => `event: result\ndata: ${json}\n\n`)],
  [
    'is a stream with an error that is null',
    'tools/call',
    stream((json) => `data: ${json.replace('"result"', '"error":null,"result"')}\n\n`),
  ],
  [
    'is a stream that stays open',
    'tools/call',
    (response, message) => response.writeHead(200, STREAM).write(`data: ${JSON.stringify(message)}\n\n`),
  ],
  ['to a notification has the status 200', 'notifications/initialized', nothing(200, JSON_TYPE)],
  [
    'to a notification is a message',
    'notifications/initialized',
    nothing(200, JSON_TYPE, '{"jsonrpc":"2.0","id":null,"result":{}}'),
  ],
  ['to a notification is JSON without a message', 'notifications/initialized', nothing(200, JSON_TYPE, 'null')],
  // mcp-use#312, sourcebot#1061, render-mcp-server#26, auto-mobile#1942
  ...STATUSES.map(([method, status]) => [`to ${method} has the status ${status}`, method, nothing(status)] as const),
  ['to a notification never comes (mcp-reporter#15, tower-mcp#999)', 'notifications/initialized', () => undefined],
  [
    'to a notification is a stream that stays open',
    'notifications/initialized',
    (response: ServerResponse) => response.writeHead(200, STREAM).write(': hi\n\n'),
  ],
  ['is JSON as a stream', 'tools/call', body(200, STREAM, JSON.stringify)],
  ['is JSON in lines as a stream', 'tools/call', body(200, STREAM, (message) => JSON.stringify(message, null, 2))],
  ['is a stream as JSON', 'tools/call', body(200, JSON_TYPE, (message) => `data: ${JSON.stringify(message)}\n\n`)],
  ['is a text of JSON', 'tools/call', body(200, JSON_TYPE, (message) => JSON.stringify(JSON.stringify(message)))],
  ['is a stream without an id', 'tools/call', stream((json) => `data: ${json.replace(/"id":\d+,/, '')}\n\n`)],
  ['is a stream with another id', 'tools/call', stream((json) => `data: ${json.replace(/"id":\d+/, '"id":"x"')}\n\n`)],
  [
    'is a stream that is compressed',
    'tools/call',
    body(200, { ...STREAM, 'content-encoding': 'gzip' }, (message) => gzipSync(`data: ${JSON.stringify(message)}\n\n`)),
  ],
  [
    'has words of PHP before it',
    'tools/call',
    body(200, JSON_TYPE, (message) => `<b>Warning</b>: x in a.php\n${JSON.stringify(message)}`),
  ],
  ['has the status 201', 'POST', body(201, JSON_TYPE, JSON.stringify)],
  [
    'is a stream with the status 202 (mcp-go#473)',
    'tools/call',
    body(202, STREAM, (each) => `data: ${JSON.stringify(each)}\n\n`),
  ],
  ['to a listener never comes (sourcebot#1061)', 'GET', () => undefined],
  [
    'to the first question has an empty result',
    'server/discover',
    body(200, JSON_TYPE, ({ ...message }) => JSON.stringify({ ...message, error: undefined, result: {} })),
  ],
  ['to a notification has a body', 'notifications/initialized', nothing(202, {}, 'Accepted')],
  ['to a listener is JSON', 'GET', nothing(200, JSON_TYPE, '{"status":"ok"}')],
  ['to a listener is a page', 'GET', nothing(200, { 'content-type': 'text/html' }, '<html>')],
  ['to a listener ends at once', 'GET', nothing(200, STREAM)],
  ['to a listener never ends', 'GET', (response) => response.writeHead(200, STREAM).write(': hi\n\n')],
  ['has an odd session', 'initialize', body(200, { ...JSON_TYPE, 'mcp-session-id': 'a b/=+;c' }, JSON.stringify)],
  [
    'to the handshake has no name',
    'initialize',
    body(200, JSON_TYPE, (message) =>
      JSON.stringify({ ...message, result: { protocolVersion: '2025-06-18', capabilities: { tools: null } } }),
    ),
  ],
  [
    'redirects endlessly',
    'POST',
    (response, _message, { path }) => path === '/mcp' && response.writeHead(308, { location: '/mcp/' }).end(),
  ],
  ['to the first question is a page', 'server/discover', nothing(200, { 'content-type': 'text/html' }, '<html>')],
  ['to the first question is an empty stream', 'server/discover', nothing(200, STREAM)],
  ['to the first question is none', 'server/discover', nothing(202)],
  ['to the first question never comes', 'server/discover', () => undefined],
  ['to the first question breaks off', 'server/discover', (response) => response.destroy()],
])('a server is used whose answer %s', async (_name, method, odd) => {
  const { call, server } = await open(method, odd);
  expect(await call()).toMatchObject({ content: 'fine', isError: false });
  expect(server.state.problem).toBeUndefined();
});

const failed = (error: object): string => JSON.stringify({ jsonrpc: '2.0', id: null, error });

// envoyproxy/envoy#46454
it.each([400, 404, 500])('an error for a call leaves its server connected, also with the status %d', async (status) => {
  const error = { code: -32_602, message: 'Unknown tool: t' };
  const refuse = body(status, JSON_TYPE, (given) => JSON.stringify({ ...given, result: undefined, error }));
  const { call, server } = await open('tools/call', refuse);
  await expect(call()).rejects.toThrow('gave no result: Unknown tool: t.');
  expect(server.state.type).toBe('running');
});

describe('an answer to a call', () => {
  it.each<readonly [string, Odd, string]>([
    [
      'is a page',
      nothing(200, { 'content-type': 'text/html' }, '<html>Sign in'),
      'it answered with text/html, perhaps a web page',
    ],
    ['is an error without an id', nothing(200, JSON_TYPE, failed({ code: -1, message: 'boom' })), 'no result: boom.'],
    [
      'is a refusal in JSON',
      nothing(400, JSON_TYPE, failed({ code: -1, message: 'No valid session ID' })),
      'HTTP 400: No valid session ID.',
    ],
    ['is a refusal in other JSON', nothing(429, JSON_TYPE, '{"error":"slow down"}'), 'HTTP 429: slow down.'],
    ['is a failure of a gateway', nothing(502, {}, 'bad gateway'), 'HTTP 502: bad gateway.'],
    ['is empty', nothing(200, JSON_TYPE), 'its answer is empty'],
    ['has no content', nothing(204), 'its answer is empty'],
    ['ends within JSON', nothing(200, JSON_TYPE, '{"jsonrpc":"2.0","id":3,"resu'), 'its result is not valid JSON'],
    ['is interrupted', (response) => response.destroy(), 'no result:'],
    ['is a stream without it', nothing(200, STREAM, ': bye\n\n'), 'the connection ended before its result'],
    [
      'is a stream that is interrupted',
      (response) => response.writeHead(200, STREAM).write('data: {"json', () => response.destroy()),
      'the connection ended before its result',
    ],
    ['is a refusal', nothing(401, {}, 'who?'), 'it requires a login (HTTP 401)'],
    [
      'is a refusal with a reason',
      nothing(401, { 'www-authenticate': 'Bearer error="invalid_token"' }),
      'it requires a login (HTTP 401)',
    ],
  ])('that %s ends the call at once, and the call is sent once', async (_name, odd, reason) => {
    const { call, seen } = await open('tools/call', odd);
    await expect(call()).rejects.toThrow(reason);
    expect(seen.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
  });
});

it.each<readonly [string, Odd, string]>([
  ['is a page', nothing(200, { 'content-type': 'text/html' }, '<html>'), 'cannot be used: it answered with text/html'],
  [
    'is that of the transport of 2024',
    nothing(405, { allow: 'GET' }),
    'as with the SSE transport of 2024, which ybs does',
  ],
  [
    'is an event of that transport (vscode#249914, quarkus-mcp-server#317)',
    (response) => response.writeHead(200, STREAM).write('event: endpoint\ndata: /messages/1\n\n'),
    'it uses the SSE transport of 2024',
  ],
  ['refuses the origin', nothing(403, {}, 'Forbidden: invalid Origin'), 'it refuses this user (HTTP 403)'],
  ['redirects with the status 301', nothing(301, { location: '/mcp/' }), '/mcp/ not followed; use that URL'],
  ['redirects to itself', nothing(307, { location: '/mcp' }), 'not followed'],
  ['redirects without an address', nothing(307), 'HTTP 307'],
])('a server is reported as unusable, with the reason, whose answer to all requests %s', async (_name, odd, reason) => {
  const { call } = await open('POST', odd);
  await expect(call()).rejects.toThrow(reason);
});

it('a server of the transport of 2024 whose address names it gets the advice about it once', async () => {
  const { url } = await startHttp((_request, response) => void response.writeHead(405).end());
  const { server } = await openServer({ entry: { url: url.replace(/\/mcp$/, '/sse') } });
  const error = await server.listTools(signal).catch(String);
  const times = (text: unknown) => String(text).split('SSE transport').length - 1;
  expect([times(error), times(describeServers([server]))]).toEqual([1, 1]);
});

// Each of them refuses the newest of the older revisions, and accepts another.
it.each<readonly [string, Odd]>([
  [
    'by the status 400 (Agora#78)',
    nothing(400, JSON_TYPE, failed({ code: -32_000, message: 'Unsupported protocol version (supported: 2025-03-26)' })),
  ],
  [
    'with the revisions that it knows',
    body(200, JSON_TYPE, (message) =>
      JSON.stringify({
        ...{ ...message, result: undefined },
        error: { code: -32_602, message: 'Unsupported protocol version', data: { supported: ['2025-03-26'] } },
      }),
    ),
  ],
  [
    'without a word on others (sure#2631)',
    nothing(200, JSON_TYPE, failed({ code: -32_600, message: 'Unsupported MCP protocol version: 2025-11-25' })),
  ],
])('a server is asked for an older revision that refuses one %s', async (_name, refuse) => {
  const { call, server } = await open('initialize', (response, message, request) =>
    request.message.params?.protocolVersion === '2025-11-25' ? refuse(response, message, request) : false,
  );
  expect(await call()).toMatchObject({ content: 'fine', isError: false });
  expect(server.state.revision).toMatch(/^2025-0/);
});

// keryx#503, zilla#2525, agent-wiki#158, affine-mcp-server#301, Reasonix#4734, gitlab-mcp#697
it.each<readonly [string, Odd]>([
  ['in a stream', nothing(200, STREAM, 'event: message\ndata: {"error":"Session not found"}\n\n')],
  ['by an error without an id', nothing(200, JSON_TYPE, failed({ code: -32_600, message: 'Invalid Request' }))],
  [
    'with the name of the header',
    nothing(200, JSON_TYPE, failed({ code: -32_600, message: 'missing or invalid Mcp-Session-Id' })),
  ],
  [
    'by the status 400',
    nothing(400, JSON_TYPE, failed({ code: -32_000, message: 'Bad Request: No valid session ID' })),
  ],
  ['by the status 404', nothing(404, JSON_TYPE, failed({ code: -32_001, message: 'Session not found' }))],
  ['by the status 401', nothing(401, {}, 'no session')],
  ['by the status 429', nothing(429)],
])('a server is connected again after it has lost its session and says so %s', async (_name, lost) => {
  let isLost = true;
  const { call, seen } = await open('tools/call', (response, message, request) => {
    if (!isLost) return false;
    isLost = false;
    return lost(response, message, request);
  });
  await expect(call()).rejects.toThrow('The next call connects again');
  expect(await call()).toMatchObject({ content: 'fine' });
  expect(seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
});

it.each([
  { code: -32_000, message: 'No browser session is open' },
  { code: -32_600, message: 'Invalid Request: path is required' },
])('a server stays connected that answers a call with the error %j', async (error) => {
  const { call, seen } = await open('tools/call', nothing(200, JSON_TYPE, failed(error)));
  await expect(call()).rejects.toThrow(
    `${error.message}. The call was sent once and may have had effects. It still runs`,
  );
  await expect(call()).rejects.toThrow(error.message);
  expect(seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
});
