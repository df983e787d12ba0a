import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { openFetch } from '../../../src/node/http/open-fetch.ts';
import { classifyError } from '../../../src/providers/http/classify-failure.ts';
import type { Failure } from '../../../src/providers/http/failure.ts';
import { type Fetch, type FetchResponse, fetchStream } from '../../../src/providers/http/fetch-stream.ts';
import type { FetchSettings } from '../../../src/providers/target/choose-model.ts';

/** Opens a `fetch` with these settings in addition to the usual ones. */
const open = (changed: Partial<FetchSettings> = {}, environment: Readonly<Record<string, string>> = {}, home = '/') =>
  openFetch({ local: false, caFile: undefined, ...changed }, { environment, home });

async function textOf(response: FetchResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of response.body ?? []) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

const jsonOf = async (response: FetchResponse): Promise<unknown> => JSON.parse(await textOf(response));

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

async function listen(server: http.Server | https.Server | net.Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return (address satisfies AddressInfo).port;
}

/** A model server that answers with the request that it received. */
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

/** The failure of a request, as it is reported. */
async function errorOf(fetch: Fetch, url: string): Promise<Failure | undefined> {
  try {
    await fetchStream(fetch, { contentType: 'text/event-stream' })(url, {});
    return undefined;
  } catch (error) {
    return classifyError(error, (text) => text);
  }
}

const post = { method: 'POST', headers: { 'x-b': 'c' }, body: 'héllo' };

describe('a fetch without a proxy', () => {
  it('sends a request, reads any response and follows no redirect', async () => {
    const address = `http://localhost:${await listen(http.createServer(echo))}`;
    const fetch = await open({ local: true });
    const response = await fetch(`${address}/chat?x=1`, post);
    expect([response.ok, response.status, response.headers.get('x-a')]).toEqual([true, 200, '1, 2']);
    expect(response.headers.get('x-none')).toBeNull();
    expect(await jsonOf(response)).toMatchObject({
      method: 'POST',
      url: '/chat?x=1',
      headers: { 'x-b': 'c', 'content-length': '6' },
      body: 'héllo',
    });
    const moved = await fetch(`${address}/moved`, {});
    expect([moved.ok, moved.status, moved.headers.get('location')]).toEqual([false, 302, '/']);
    expect(await textOf(moved)).toBe('moved');
    const empty = await fetch(`${address}/empty`, {});
    expect([empty.status, await textOf(empty)]).toEqual([204, '']);
  });

  it('ends a body at an abort, and sends no request after one', async () => {
    const address = `http://127.0.0.1:${await listen(http.createServer(echo))}`;
    const fetch = await open({ local: true });
    const controller = new AbortController();
    const { signal } = controller;
    const reader = (await fetch(`${address}/stream`, { signal })).body?.[Symbol.asyncIterator]();
    expect(String((await reader?.next())?.value)).toBe('half');
    controller.abort();
    await expect(reader?.next()).rejects.toThrow('aborted');
    await expect(fetch(`${address}/`, { signal })).rejects.toThrow('aborted');
  });

  it('ends without an error at an abort of an unread body', async () => {
    const address = `http://127.0.0.1:${await listen(http.createServer(echo))}`;
    const controller = new AbortController();
    const response = await (await open({ local: true }))(`${address}/stream`, { signal: controller.signal });
    controller.abort();
    await expect(textOf(response)).rejects.toThrow();
  });

  it.each(['127.0.0.1', '::1'])('reaches a server on %s under the name localhost', async (host) => {
    const server = http.createServer(echo);
    const port = await listen(server, host);
    expect((await (await open({ local: true }))(`http://localhost:${port}/`, {})).status).toBe(200);
  });

  it('rejects with the code of a refused connection', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await expect((await open({ local: true }))(`http://127.0.0.1:${port}/`, {})).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('a proxy', () => {
  it('of HTTP_PROXY receives plain requests, with its password', async () => {
    const proxy = await startProxy(await listen(http.createServer(echo)));
    const fetch = await open({}, { http_proxy: `http://me:secret@127.0.0.1:${proxy.port}` });
    const response = await fetch('http://models.test/v1/chat', post);
    expect(await jsonOf(response)).toMatchObject({ method: 'POST', body: 'héllo' });
    expect(proxy.log).toHaveLength(1);
    expect(proxy.log[0]).toContain(`Basic ${Buffer.from('me:secret').toString('base64')}`);
  });

  it.each([
    ['HTTPS_PROXY', {}],
    ['ALL_PROXY', {}],
    ['HTTP_PROXY', { ALL_PROXY: 'socks5://127.0.0.1:1' }],
  ])('of %s receives encrypted requests, which it cannot read', async (name, others) => {
    const proxy = await startProxy(await listen(https.createServer(tls, echo)));
    const environment = { ...others, [name]: `127.0.0.1:${proxy.port}` };
    const fetch = await open({ caFile: path.join(tls.directory, 'ca.pem') }, environment);
    const response = await fetch('https://models.test/v1/chat', post);
    expect(await jsonOf(response)).toMatchObject({ url: '/v1/chat', body: 'héllo' });
    expect(proxy.log).toEqual(['CONNECT models.test:443']);
  });

  it('is not used for hosts of NO_PROXY, nor for a server on this machine', async () => {
    const port = await listen(http.createServer(echo));
    const proxy = await startProxy(port);
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'example.com,localhost' };
    const fetch = await open({}, environment);
    expect((await fetch(`http://localhost:${port}/`, {})).status).toBe(200);
    const inNetwork = await open({}, { ...environment, NO_PROXY: '127.0.0.0/8' });
    expect((await inNetwork(`http://127.0.0.1:${port}/`, {})).status).toBe(200);
    const local = await open({ local: true }, environment);
    expect((await local(`http://127.0.0.1:${port}/`, {})).status).toBe(200);
    expect(proxy.log).toEqual([]);
  });

  it('that does not answer is named in the error, except after an abort', async () => {
    const fetch = await open({}, { HTTP_PROXY: 'http://127.0.0.1:1' });
    const failure: unknown = await fetch('http://models.test/', {}).catch((thrown: unknown) => thrown);
    expect(String(failure)).toMatch(/ECONNREFUSED.* \(through the proxy at 127\.0\.0\.1:1\)$/);
    expect(failure).not.toHaveProperty('cause');
    const aborted = fetch('http://models.test/', { signal: AbortSignal.abort('stopped') });
    await expect(aborted).rejects.toBe('stopped');
  });

  it.each(['http', 'https'])('that wants a password is an error that lasts, for %s:', async (scheme) => {
    const proxy = http.createServer((_request, response) => {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end('Proxy Authentication Required');
    });
    proxy.on('connect', (_request, client: net.Socket) => {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
    });
    const address = `http://127.0.0.1:${await listen(proxy)}`;
    const fetch = await open({}, { HTTPS_PROXY: address, HTTP_PROXY: address });
    const error = await errorOf(fetch, `${scheme}://models.test/`);
    expect(error).toMatchObject({ type: 'lasting', advice: expect.stringContaining('in HTTPS_PROXY') });
  });

  it('that is not an HTTP proxy is reported without its value', async () => {
    const environment = { HTTPS_PROXY: 'socks5://me:secret@proxy' };
    const error: unknown = await open({}, environment).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(
      'The proxy in HTTPS_PROXY is not the address of an HTTP proxy. Write it like http://localhost:3128',
    );
    expect(String(error)).not.toContain('secret');
  });
});

describe('a file of certificates', () => {
  const address = async () => `https://localhost:${await listen(https.createServer(tls, echo))}/`;

  it.each(['ca.pem', '~/ca.pem'])('makes a server of its authority trusted: %s', async (name) => {
    const caFile = name.startsWith('~') ? name : path.join(tls.directory, name);
    const fetch = await open({ caFile }, {}, tls.directory);
    expect((await fetch(await address(), {})).status).toBe(200);
  });

  it('is required for such a server', async () => {
    const error = await errorOf(await open({ local: true }), await address());
    expect(error).toMatchObject({ type: 'lasting', advice: expect.stringContaining('llm.ca_file') });
  });

  it('does not help with a server that speaks no TLS', async () => {
    const error = await errorOf(await open(), `https://localhost:${await listen(http.createServer(echo))}/`);
    expect(error).toMatchObject({ type: 'lasting', advice: expect.stringContaining('begin with http:') });
  });

  it.each([
    ['does not exist', 'gone.pem', /^The certificates in llm\.ca_file cannot be read: ENOENT.* Check the path\.$/],
    ['contains no certificate', 'names', /names \(llm\.ca_file\) contains no certificate in PEM format\.$/],
  ])('is rejected if it %s', async (_name, file, message) => {
    const opening = open({ caFile: path.join(tls.directory, file) });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(UsageError);
  });

  it('is rejected with a relative path', async () => {
    const opening = open({ caFile: 'ca.pem' });
    await expect(opening).rejects.toThrow('llm.ca_file must be an absolute path or start with ~/: ca.pem');
  });
});
