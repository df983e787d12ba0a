import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPage, type TestPage } from '../../support/screens/web-page.ts';

let web: TestPage;
const place = mkdtempSync(path.join(os.tmpdir(), 'ybs-test-'));
beforeAll(async () => {
  web = await startTestPage({ scenarios: [], workspace: place, home: place });
});
afterAll(async () => {
  await web.close();
  rmSync(place, { recursive: true, force: true });
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request as `fetch` cannot: with any header. */
function send(path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${web.url}${path}`, { method, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.end(body);
  });
}

const host = () => new URL(web.url).host;
const post = (headers: Readonly<Record<string, string>> = {}, body = '{"message":"hi"}'): Sent => ({
  method: 'POST',
  headers: { authorization: `Bearer ${web.token}`, 'content-type': 'application/json', ...headers },
  body,
});

describe('a page of another site', () => {
  it.each<[number, string, () => Promise<number>]>([
    [
      421,
      'sends a message under a name that it lets point here',
      () => send('/chat', post({ host: `evil.example:${host().split(':')[1]}` })),
    ],
    [421, 'reads the session under such a name', () => send('/events', { headers: { host: 'evil.example' } })],
    [421, 'reads the page under such a name', () => send('/', { headers: { host: 'evil.example' } })],
    [403, 'sends a message', () => send('/chat', post({ origin: 'http://evil.example' }))],
    [403, 'sends a message from a frame without an origin', () => send('/chat', post({ origin: 'null' }))],
    [403, 'sends a message from another port', () => send('/chat', post({ origin: 'http://127.0.0.1:1' }))],
    [403, 'loads the page', () => send('/', { headers: { 'sec-fetch-site': 'cross-site' } })],
    [415, 'sends a form', () => send('/chat', post({ 'content-type': 'text/plain' }))],
    [405, 'asks what it may send', () => send('/chat', { method: 'OPTIONS', headers: { origin: web.url } })],
  ])('gets %i when it %s', async (status, _name, attempt) => {
    expect(await attempt()).toBe(status);
    expect(web.llm.requests).toEqual([]);
  });
});

it.each([
  ['/chat', 'POST'],
  ['/clear', 'POST'],
  ['/stop', 'POST'],
  ['/approval', 'POST'],
  ['/events', 'GET'],
])('the server answers %s only with the token', async (path, method) => {
  const headers = { 'content-type': 'application/json' };
  expect(await send(path, { method, headers })).toBe(401);
  expect(await send(path, { method, headers: { ...headers, authorization: 'Bearer wrong' } })).toBe(401);
});

it('the server sends the page to every client that uses its host name, with a policy that excludes other pages', async () => {
  const answer = await fetch(`${web.url}/`);
  expect(await answer.text()).toContain('<title>ybs</title>');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const style = await fetch(`${web.url}/page.css`, { method: 'HEAD' });
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(style.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await send('/', { headers: { host: `localhost:${host().split(':')[1]}` } })).toBe(200);
});

it.each([
  ['no JSON', 400, 'not JSON', 'no JSON'],
  ['a list', 400, 'cannot be used', '[]'],
  ['an empty message', 400, 'is empty', '{"message":" "}'],
  ['more than 1 MB', 413, 'longer than 1 MB', JSON.stringify({ message: 'x'.repeat(1_000_001) })],
])('the server explains a body that it cannot use: %s', async (_name, status, message, body) => {
  const { method = '', headers = {} } = post();
  const answer = await fetch(`${web.url}/chat`, { method, headers, body });
  expect(answer.status).toBe(status);
  expect(JSON.stringify(await answer.json())).toContain(message);
  // A client must not send its next request over a connection whose body was not read.
  expect((await fetch(`${web.url}/`)).status).toBe(200);
});

it('the server compares the words of a limited number of rows', async () => {
  const compare = (rows: number) => send('/diff-words', post({}, JSON.stringify({ rows: Array(rows).fill('+a') })));
  expect(await compare(400)).toBe(200);
  expect(await compare(401)).toBe(400);
});

it('the server accepts requests without the length of their body', async () => {
  const { headers = {} } = post();
  const { authorization = '' } = headers;
  expect(await sendBare('/clear', { authorization })).toBe(200);
  expect(await send('/chat', post({ 'transfer-encoding': 'chunked' }, '{"message":" "}'))).toBe(400);
  expect(await send('/setting', post({ 'transfer-encoding': 'chunked' }, '{"command":"mode","argument":"ask"}'))).toBe(
    200,
  );
  const large = JSON.stringify({ message: 'x'.repeat(1_000_001) });
  expect(await send('/chat', post({ 'transfer-encoding': 'chunked' }, large))).toBe(413);
});

/** Sends a POST as `curl -X POST` does: with neither a body nor its length. */
function sendBare(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const lines = Object.entries({ host: host(), connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(Number(host().split(':')[1]), '127.0.0.1');
    let answer = '';
    socket.on('error', reject);
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.on('close', () => resolve(Number(answer.split(' ')[1])));
    socket.write([`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  });
}

it('the server needs no token if the user says so, but still its own host name and origin', async () => {
  await using open = await startTestPage({ scenarios: [], own: { token: 'none' } });
  expect(open.address).toBe(`${open.url}/`);
  expect(open.warnings.join()).toContain('every program on this machine');
  const clear = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${open.url}/clear`, { method: 'POST', headers });
  expect(await (await clear()).json()).toEqual({ status: 'ok' });
  expect((await clear({ origin: 'http://evil.example' })).status).toBe(403);
});

it('ybs web gives advice when the port is in use', async () => {
  const { port } = new URL(web.url);
  await expect(startTestPage({ scenarios: [], own: { port } })).rejects.toThrow(
    `Port ${port} is in use. Choose another one with --port; 0 picks a free one.`,
  );
});

it.each([
  ['port', '65536', '--port cannot be "65536"'],
  ['port', 'x', '--port cannot be "x"'],
  ['token', 'secret', '--token can only be none'],
])('ybs web rejects --%s %s', async (name, value, message) => {
  await expect(startTestPage({ scenarios: [], own: { [name]: value } })).rejects.toThrow(message);
});
