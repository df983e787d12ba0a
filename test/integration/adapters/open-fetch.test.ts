import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openFetch } from '../../../src/adapters/http/open-fetch.ts';
import { UsageError } from '../../../src/core/errors.ts';
import type { FetchSettings } from '../../../src/providers/choose-model.ts';

const LONG = 600_000;
const settings = (changed: Partial<FetchSettings> = {}): FetchSettings => ({
  endpoint: 'http://models.test/v1',
  local: false,
  timeoutMs: 1_000,
  caFile: undefined,
  ...changed,
});

/** Certificates for `models.test`, signed by an authority of this test. */
let tls: { directory: string; key: string; cert: string };
beforeAll(() => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-test-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA', '-days', '2');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=models.test');
  writeFileSync(path.join(directory, 'names'), 'subjectAltName=DNS:models.test,DNS:localhost');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'server.pem', '-days', '2', '-extfile', 'names'],
  );
  const read = (name: string) => readFileSync(path.join(directory, name), 'utf8');
  tls = { directory, key: read('server.key'), cert: read('server.pem') };
});

afterAll(() => rmSync(tls.directory, { recursive: true }));

async function listen(server: http.Server | https.Server | net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return (address satisfies AddressInfo).port;
}

/** A model server that answers with the request it got. */
const echo: http.RequestListener = (request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/' }).end('moved');
    if (request.url === '/empty') return response.writeHead(204).end();
    if (request.url === '/stream') return response.writeHead(200).write('half');
    response.writeHead(200, { 'content-type': 'application/json', 'x-a': ['1', '2'] });
    return response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
  });
};

/** A proxy that reaches every host on `port`, and a log of its requests. */
async function startProxy(port: number) {
  const log: string[] = [];
  const proxy = http.createServer((request, response) => {
    log.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const { pathname } = new URL(request.url ?? '');
    const { method, headers } = request;
    const forwarded = http.request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    log.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const target = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client);
      client.pipe(target);
    });
    client.on('error', () => target.destroy());
    target.on('error', () => client.destroy());
  });
  return { port: await listen(proxy), log };
}

const post = { method: 'POST', headers: { 'x-b': 'c' }, body: 'héllo' };

describe('a fetch without a proxy', () => {
  it('is that of Node.js for a usual connection', async () => {
    expect(await openFetch(settings(), { environment: {}, home: '/' })).toBe(globalThis.fetch);
    const local = settings({ local: true, endpoint: 'http://localhost:1' });
    expect(await openFetch(local, { environment: { HTTP_PROXY: 'http://localhost:9' }, home: '/' })).toBe(
      globalThis.fetch,
    );
  });

  it.each([
    ['on this machine', 'http:'],
    ['of the package', 'https:'],
  ])('with a long timeout, %s, sends and reads as that of Node.js does', async (_name, scheme) => {
    const port = await listen(http.createServer(echo));
    const address = `http://localhost:${port}`;
    const choice = settings({ local: true, endpoint: `${scheme}//localhost`, timeoutMs: LONG });
    const fetch = await openFetch(choice, { environment: {}, home: '/' });
    expect(fetch).not.toBe(globalThis.fetch);
    const response = await fetch(`${address}/chat?x=1`, post);
    expect([response.status, response.headers.get('x-a')]).toEqual([200, '1, 2']);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/chat?x=1',
      headers: { 'x-b': 'c', 'content-length': '6' },
      body: 'héllo',
    });
    const moved = await fetch(`${address}/moved`);
    expect([moved.status, moved.headers.get('location'), await moved.text()]).toEqual([302, '/', 'moved']);
    const empty = await fetch(new URL(`${address}/empty`));
    expect([empty.status, empty.body]).toEqual([204, null]);
    await expect(fetch(`${address}/`, { method: 'POST', body: new Uint8Array(1) })).rejects.toThrow('must be a text');
    await expect(fetch(new Request(address))).rejects.toThrow('must be a URL');
  });

  it.each([
    ['on this machine', 'http:'],
    ['of the package', 'https:'],
  ])('with a long timeout, %s, stops at an abort and reports a refused connection', async (_name, scheme) => {
    const port = await listen(http.createServer(echo));
    const choice = settings({ local: true, endpoint: `${scheme}//localhost`, timeoutMs: LONG });
    const fetch = await openFetch(choice, { environment: {}, home: '/' });
    const controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/stream`, { signal: controller.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('half');
    controller.abort();
    await expect(reader?.read()).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal })).rejects.toThrow();
    const left = await fetch(`http://127.0.0.1:${port}/stream`);
    await left.body?.cancel();
    const free = await listen(net.createServer());
    const closed = await openFetch(choice, { environment: {}, home: '/' });
    await expect(closed(`http://127.0.0.1:${free === 1 ? 2 : 1}/`)).rejects.toThrow();
  });
});

describe('a proxy', () => {
  it('of HTTP_PROXY gets plain requests, with its password', async () => {
    const proxy = await startProxy(await listen(http.createServer(echo)));
    const environment = { http_proxy: `http://me:secret@127.0.0.1:${proxy.port}` };
    const fetch = await openFetch(settings(), { environment, home: '/' });
    const response = await fetch('http://models.test/v1/chat', post);
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'héllo' });
    expect(proxy.log).toHaveLength(1);
    expect(proxy.log[0]).toContain(`Basic ${Buffer.from('me:secret').toString('base64')}`);
  });

  it('of HTTPS_PROXY gets encrypted requests, which it cannot read', async () => {
    const proxy = await startProxy(await listen(https.createServer(tls, echo)));
    const fetch = await openFetch(settings({ caFile: path.join(tls.directory, 'ca.pem') }), {
      environment: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
      home: '/',
    });
    const response = await fetch('https://models.test/v1/chat', post);
    expect(await response.json()).toMatchObject({ url: '/v1/chat', body: 'héllo' });
    expect(proxy.log).toEqual(['CONNECT models.test:443']);
  });

  it('is not used for hosts of NO_PROXY, nor for a server on this machine', async () => {
    const port = await listen(http.createServer(echo));
    const proxy = await startProxy(port);
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'example.com,localhost' };
    const fetch = await openFetch(settings({ timeoutMs: LONG }), { environment, home: '/' });
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
    const local = await openFetch(settings({ local: true, timeoutMs: LONG }), { environment, home: '/' });
    expect((await local(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(proxy.log).toEqual([]);
  });

  it('that does not answer is named in the error, except after an abort', async () => {
    const environment = { HTTP_PROXY: 'http://127.0.0.1:1' };
    const fetch = await openFetch(settings(), { environment, home: '/' });
    const failure: unknown = await fetch('http://models.test/').catch((thrown: unknown) => thrown);
    expect(String(failure)).toMatch(/ECONNREFUSED.* \(through the proxy of HTTPS_PROXY or HTTP_PROXY\)$/);
    expect(failure).not.toHaveProperty('cause');
    const aborted = fetch('http://models.test/', { signal: AbortSignal.abort('stopped') });
    await expect(aborted).rejects.toBe('stopped');
  });

  it('that is not a URL is reported without its value', async () => {
    const environment = { HTTPS_PROXY: 'me:secret@proxy' };
    const error: unknown = await openFetch(settings(), { environment, home: '/' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain('The proxy in HTTPS_PROXY is not a URL. Write it like http://localhost:3128');
    expect(String(error)).not.toContain('secret');
  });
});

describe('a file of certificates', () => {
  const address = async () => `https://localhost:${await listen(https.createServer(tls, echo))}/`;

  it.each(['ca.pem', '~/ca.pem'])('makes a server of its authority trusted: %s', async (name) => {
    const caFile = name.startsWith('~') ? name : path.join(tls.directory, name);
    const fetch = await openFetch(settings({ caFile }), { environment: {}, home: tls.directory });
    expect((await fetch(await address())).status).toBe(200);
  });

  it('is required for such a server', async () => {
    const choice = settings({ local: true, endpoint: 'https://localhost', timeoutMs: LONG });
    const fetch = await openFetch(choice, { environment: {}, home: '/' });
    await expect(fetch(await address())).rejects.toThrow();
  });

  it.each([
    ['does not exist', 'gone.pem', /^The certificates in llm\.ca_file cannot be read: ENOENT.* Check the path\.$/],
    ['contains none', 'names', /names \(llm\.ca_file\) contains no certificate in PEM format\.$/],
  ])('is refused if it %s', async (_name, file, message) => {
    const opening = openFetch(settings({ caFile: path.join(tls.directory, file) }), { environment: {}, home: '/' });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(UsageError);
  });

  it('is refused with a relative path', async () => {
    const opening = openFetch(settings({ caFile: 'ca.pem' }), { environment: {}, home: '/' });
    await expect(opening).rejects.toThrow('llm.ca_file must be an absolute path or start with ~/: ca.pem');
  });
});
