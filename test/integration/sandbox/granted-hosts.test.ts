import { EventEmitter, once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import net, { connect } from 'node:net';
import path from 'node:path';
import { duplexPair } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UpstreamProxy } from '../../../src/node/http/upstream-proxy.ts';
import { connectThrough } from '../../../src/node/sandbox/network/connect-through.ts';
import { createHostProxy, type GrantedHosts } from '../../../src/node/sandbox/network/host-proxy.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { runInSandbox } from '../../support/sandbox/sandboxed-run.ts';

const noSandbox = await missingSandbox();

/** Starts a web server on this machine, and returns its port. */
async function serve(): Promise<number> {
  const server = http.createServer((request, response) => response.end(`SERVED ${request.method} ${request.url}\n`));
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function run(command: string, hosts: readonly string[]) {
  const root = realpathSync(temporaryDirectory());
  const places = { home: path.join(root, 'home'), workspace: path.join(root, 'ws') };
  for (const directory of Object.values(places)) mkdirSync(directory, { recursive: true });
  const { output, exit } = await runInSandbox({ command }, places, new AbortController().signal, { hosts });
  return { output, code: exit.exitCode, hosts: exit.hosts, left: exit.leftProcesses };
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('a command with granted hosts', () => {
  it('reaches them only over HTTP, a tunnel and SOCKS', async () => {
    const port = await serve();
    const url = `http://127.0.0.1:${port}/x`;
    const command = [
      `NO_PROXY= no_proxy= curl -sS ${url}`,
      `NO_PROXY= no_proxy= curl -sS --proxytunnel ${url}`,
      `curl -sS --noproxy '' --proxy socks5h://127.0.0.1:61080 ${url}`,
      `curl -sS --noproxy '*' --max-time 5 ${url} 2>&1 || echo none`,
    ].join('; ');
    const { output, hosts, code, left } = await run(command, ['127.0.0.1']);
    expect(output.match(/SERVED GET \/x/g)).toHaveLength(3);
    expect(output).toMatch(/none\n$/);
    expect({ hosts, code, left }).toEqual({ hosts: [{ host: '127.0.0.1', port }], code: 0, left: false });
  });

  it('reaches no other host, and its result names the denied ones', async () => {
    const port = await serve();
    const command = [
      `curl -sS --noproxy '' http://127.0.0.1:${port}/`,
      `curl -sS --noproxy '' --proxytunnel http://127.0.0.1:${port}/ || true`,
      `curl -sS --noproxy '' --proxy socks5h://127.0.0.1:61080 http://127.0.0.1:${port}/ || true`,
      'curl -sS https://evil.example/ || true',
    ].join('; ');
    const { output, hosts } = await run(command, ['packages.example.com', '*.example.org']);
    expect(output).not.toContain('SERVED');
    const refused = 'it is not granted';
    expect(hosts).toEqual([
      { host: '127.0.0.1', port, refused },
      { host: 'evil.example', port: 443, refused },
    ]);
  });

  it('inherits no connection to the proxy, and cannot open the one of the bridge', async () => {
    const { output } = await run(
      'ls /proc/self/fd; for p in /proc/[0-9]*; do for f in $p/fd/5; do cat <"$f" 2>&1; done; done',
      ['packages.example.com'],
    );
    expect(output).toMatch(/^0\n1\n2\n3\n/);
    expect(output).toMatch(/No such device or address|Permission denied/);
    expect(output).not.toContain('PRI *');
  });

  it('opens 3,000 connections at once', async () => {
    const port = await serve();
    const program = `
      const get = () => new Promise((resolve) => {
        const socket = require('node:net').connect(61080, '127.0.0.1');
        socket.write('GET http://127.0.0.1:${port}/ HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n');
        let answer = '';
        socket.on('data', (data) => (answer += data)).on('error', () => {});
        socket.on('close', () => resolve(answer));
      });
      Promise.all(Array.from({ length: 3000 }, get)).then((all) => console.log(all.filter((each) => each.includes('SERVED')).length));`;
    expect((await run(`node -e "${program}"`, ['127.0.0.1'])).output).toBe('3000\n');
  });

  it('continues after it has ended the bridge', async () => {
    const port = await serve();
    const { output, code } = await run(
      `for p in /proc/[0-9]*; do case "$(readlink $p/exe)" in */node) kill -9 "\${p#/proc/}";; esac; done; curl -sS --noproxy '' http://127.0.0.1:${port}/`,
      ['127.0.0.1'],
    );
    expect(output).toMatch(/connect/i);
    expect(code).not.toBe(0);
  });
});

/** Asks the proxy for a tunnel to a host, whose name resolves to these addresses. Returns the first line of the answer. */
async function tunnel(
  target: string,
  hosts: Partial<GrantedHosts>,
  addresses: readonly string[],
  upstream?: UpstreamProxy,
) {
  const dialled: string[] = [];
  const proxy = createHostProxy(
    { configured: [], granted: [], ...hosts },
    {
      resolve: async () => addresses,
      connect(_host, addresses, port) {
        dialled.push(`${addresses.join(',')}:${port}`);
        return connect(serverPort, '127.0.0.1');
      },
      upstream: () => upstream,
    },
  );
  const serverPort = await serve();
  const [near, far] = duplexPair();
  proxy.serve(far);
  const session = http2.connect('http://proxy', { createConnection: () => near });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
  stream.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  const [bytes] = await new Promise<[Buffer]>((resolve) => stream.once('data', (data) => resolve([data])));
  return { answer: bytes.toString().split('\r\n')[0], dialled, connections: proxy.connections() };
}

describe('the proxy', () => {
  const OK = 'HTTP/1.1 200 Connection established';
  const NO = 'HTTP/1.1 403 Forbidden';

  it.each<[string, string, Partial<GrantedHosts>, readonly string[], string | undefined]>([
    ['a granted name', 'a.test:443', { configured: ['a.test'] }, ['93.184.216.34'], '93.184.216.34:443'],
    ['a name granted at the question', 'a.test:443', { granted: ['a.test'] }, ['93.184.216.34'], '93.184.216.34:443'],
    ['a name below a pattern', 'b.a.test:8443', { configured: ['*.a.test'] }, ['93.184.216.34'], '93.184.216.34:8443'],
    ['a private address of an exact name', 'a.test:80', { configured: ['a.test'] }, ['10.0.0.1'], '10.0.0.1:80'],
    ['a private address of a pattern', 'b.a.test:80', { configured: ['*.a.test'] }, ['10.0.0.1'], undefined],
    [
      'a private address of a name granted at the question',
      'a.test:80',
      { granted: ['a.test'] },
      ['127.0.0.1'],
      undefined,
    ],
    ['one private address of two', 'a.test:80', { granted: ['a.test'] }, ['93.184.216.34', '::1'], undefined],
    ['the metadata of a cloud', '169.254.169.254:80', { configured: ['*.a.test'] }, ['169.254.169.254'], undefined],
    ['a name without address', 'a.test:80', { configured: ['a.test'] }, [], undefined],
    ['another name', 'evil.test:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    ['an empty label', '.a.test:443', { configured: ['*.a.test'] }, ['93.184.216.34'], undefined],
    ['two dots', 'x..a.test:443', { configured: ['*.a.test'] }, ['93.184.216.34'], undefined],
    ['an escape', 'evil.test%00.a.test:443', { configured: ['*.a.test'] }, ['93.184.216.34'], undefined],
    ['a number', '2130706433:80', { configured: ['a.test'] }, ['127.0.0.1'], undefined],
    ['a mapped address', '[::ffff:127.0.0.1]:80', { configured: ['a.test'] }, ['127.0.0.1'], undefined],
    ['a mapped private address', 'b.a.test:80', { configured: ['*.a.test'] }, ['::ffff:10.0.0.1'], undefined],
    ['the same name with a dot', 'A.TEST.:443', { configured: ['a.test'] }, ['93.184.216.34'], '93.184.216.34:443'],
    ['a name with a user', 'a.test@evil.test:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    // Public reports of other proxies: parsers that read one name and connect to another one.
    ['two dots at the end', 'a.test..:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    ['an octal number', '0177.0.0.1:80', { configured: ['*.0.0.1', '*.test'] }, ['127.0.0.1'], undefined],
    ['a hexadecimal number', '0x7f000001:80', { configured: ['a.test'] }, ['127.0.0.1'], undefined],
    ['a short address', '127.1:80', { configured: ['*.1'] }, ['127.0.0.1'], undefined],
    ['a translated address', 'b.a.test:80', { configured: ['*.a.test'] }, ['64:ff9b::a9fe:a9fe'], undefined],
    ['an address of 6to4', 'b.a.test:80', { configured: ['*.a.test'] }, ['2002:7f00:1::'], undefined],
    ['an address with a zone', '[fe80::1%25eth0]:80', { configured: ['fe80::1'] }, ['fe80::1%eth0'], undefined],
    ['a port with a sign', 'a.test:+443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    ['no port', 'a.test:', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    ['a path', 'evil.test/a.test:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    [
      'an encoded name',
      'xn--bcher-kva.test:443',
      { configured: ['xn--bcher-kva.test'] },
      ['93.184.216.34'],
      '93.184.216.34:443',
    ],
  ])('checks %s', async (_what, target, hosts, addresses, dialled) => {
    const result = await tunnel(target, hosts, addresses);
    expect(result.answer).toBe(dialled === undefined ? NO : OK);
    expect(result.dialled).toEqual(dialled === undefined ? [] : [dialled]);
    expect(result.connections.map(({ refused }) => refused === undefined)).toEqual([dialled !== undefined]);
  });
});

describe('the proxy, behind another one of the network', () => {
  const GRANTED = { granted: ['a.test', '10.0.0.1'] };

  it.each<[string, string, readonly string[], number, boolean, readonly string[]]>([
    ['asks it for a name that nobody else resolves', 'a.test:443', [], 200, true, ['a.test:443 Basic dTpwIHc=']],
    ['asks it for a public name', 'a.test:80', ['93.184.216.34'], 200, true, ['a.test:80 Basic dTpwIHc=']],
    ['tells a client that it refuses', 'a.test:443', [], 407, false, ['a.test:443 Basic dTpwIHc=']],
    ['does not ask it for a name that is not granted', 'evil.test:443', [], 200, false, []],
    ['does not ask it for a private address', '10.0.0.1:443', ['10.0.0.1'], 200, false, []],
  ])('%s', async (_what, target, addresses, status, isConnected, asked) => {
    const seen: string[] = [];
    const upstream = http.createServer().on('connect', (request, socket) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization']}`);
      socket.end(`HTTP/1.1 ${status} Answer\r\n\r\n`);
    });
    onTestFinished(() => void upstream.close());
    const port = await new Promise((resolve) =>
      upstream.listen(0, '127.0.0.1', () => resolve(Object(upstream.address()).port)),
    );
    const result = await tunnel(target, GRANTED, addresses, new URL(`http://u:p%20w@127.0.0.1:${port}`));
    expect(result.answer?.includes('200')).toBe(isConnected);
    expect({ seen, dialled: result.dialled }).toEqual({ seen: asked, dialled: [] });
  });

  it('names the variable with a proxy that it does not know', async () => {
    const { connections, dialled } = await tunnel('a.test:443', GRANTED, ['93.184.216.34'], {
      unknownIn: 'HTTPS_PROXY',
    });
    const refused = 'the proxy in HTTPS_PROXY has a form that ybs does not know (use http://host:port)';
    expect({ connections, dialled }).toEqual({ connections: [{ host: 'a.test', port: 443, refused }], dialled: [] });
  });

  it('gives up when it is silent', async () => {
    const silent = net.createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const proxy = new URL(`http://127.0.0.1:${Object(silent.address()).port}`);
    const limits = { signal: new AbortController().signal, timeout: 20 };
    await expect(connectThrough(proxy, { host: 'a.test', port: 443 }, limits)).rejects.toThrow('does not answer');
  });
});

it('the proxy continues after clients that disconnect before they are served', async () => {
  const proxy = createHostProxy({ configured: [], granted: [] });
  const [near, far] = duplexPair();
  proxy.serve(far);
  const session = http2.connect('http://proxy', { createConnection: () => near });
  onTestFinished(() => session.destroy());
  const request = () => session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
  for (let index = 0; index < 100; index += 1) {
    const stream = request();
    stream.on('error', () => {});
    stream.close(http2.constants.NGHTTP2_CANCEL);
  }
  const stream = request();
  stream.write('CONNECT a.test:443 HTTP/1.1\r\n\r\n');
  const [answer] = await new Promise<[Buffer]>((resolve) => stream.once('data', (data) => resolve([data])));
  expect(answer.toString()).toContain('403 Forbidden');
});

describe('a connection that never opens ends', () => {
  it.each([
    ['a tunnel', 'client', 'CONNECT a.test:443 HTTP/1.1\r\n\r\n'],
    ['a request', 'client', 'GET http://a.test/ HTTP/1.1\r\nhost: a.test\r\n\r\n'],
    ['SOCKS', 'client', socks(5, 1, named('a.test'))],
    ['SOCKS', 'command', socks(5, 1, named('a.test'))],
  ])('with the end of %s: its %s', async (_what, leaver, bytes) => {
    const socket = new net.Socket();
    const dialled = new EventEmitter();
    const connect = (): net.Socket => {
      dialled.emit('dialled');
      return socket;
    };
    const proxy = createHostProxy(
      { configured: ['a.test'], granted: [] },
      { resolve: async () => ['10.0.0.1'], connect },
    );
    const [near, far] = duplexPair();
    proxy.serve(far);
    const session = http2.connect('http://proxy', { createConnection: () => near });
    session.on('error', () => {});
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
    stream.on('error', () => {});
    stream.write(bytes);
    await once(dialled, 'dialled');
    const closed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)));
    if (leaver === 'client') stream.close(http2.constants.NGHTTP2_CANCEL);
    else far.destroy();
    expect(await closed).toBe(true);
  });
});

it('a name of which the first address does not answer is reached at the next one', async () => {
  const port = await serve();
  const hosts = { configured: ['localhost'], granted: [] };
  const proxy = createHostProxy(hosts, { resolve: async () => ['127.0.0.3', '127.0.0.1'] });
  const [near, far] = duplexPair();
  proxy.serve(far);
  const session = http2.connect('http://proxy', { createConnection: () => near });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
  stream.write(`GET http://localhost:${port}/x HTTP/1.1\r\nhost: a.test\r\n\r\n`);
  const [answer] = await new Promise<[Buffer]>((resolve) => stream.once('data', (data) => resolve([data])));
  expect(answer.toString()).toContain('200 OK');
});

it('looks up eight names of a command at once, each once at a time, and none after the end of the command', async () => {
  const asked: { readonly host: string; readonly answer: () => void }[] = [];
  const proxy = createHostProxy(
    { configured: ['*.a.test'], granted: [] },
    { resolve: (host) => new Promise((resolve) => asked.push({ host, answer: () => resolve([]) })) },
  );
  const [near, far] = duplexPair();
  proxy.serve(far);
  const session = http2.connect('http://proxy', { createConnection: () => near });
  session.on('error', () => {});
  for (const name of ['1', '1', '2', '2', '3', '4', '5', '6', '7', '8', '9', '10']) {
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
    stream.on('error', () => {});
    stream.write(`CONNECT ${name}.a.test:443 HTTP/1.1\r\n\r\n`);
  }
  await expect.poll(() => asked.map(({ host }) => host)).toHaveLength(8);
  asked[0]?.answer();
  await expect.poll(() => asked.at(8)?.host).toBe('9.a.test');
  const closed = once(far, 'close');
  far.destroy();
  await closed;
  for (const { answer } of asked) answer();
  await expect.poll(() => proxy.connections().length).toBeGreaterThan(0);
  expect(asked).toHaveLength(9);
});

it('reports no text of the command but the name', async () => {
  const { reported } = await send(socks(5, 1, named('a\n\x1b[31mnote: b')), await serve());
  expect(reported).toEqual(['a???31mnote:?b']);
  const { reported: none } = await send('GET /x HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n', await serve());
  expect(none).toEqual(['an unreadable address']);
});

/**
 * Sends bytes to the proxy, in which `a.test` and all names below `b.test` are granted. Every server is on this
 * machine.
 */
async function send(bytes: string | Buffer, port: number) {
  const dialled: string[] = [];
  const proxy = createHostProxy(
    { configured: ['a.test', '*.b.test'], granted: [] },
    {
      resolve: async () => ['93.184.216.34'],
      connect(_host, addresses, asked) {
        dialled.push(`${addresses.join(',')}:${asked}`);
        return connect(port, '127.0.0.1');
      },
    },
  );
  const [near, far] = duplexPair();
  proxy.serve(far);
  const session = http2.connect('http://proxy', { createConnection: () => near });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
  stream.on('error', () => {});
  const pieces: Buffer[] = [];
  stream.on('data', (data: Buffer) => pieces.push(data));
  stream.on('end', () => stream.end());
  stream.write(bytes);
  await new Promise<void>((resolve) => stream.on('close', resolve));
  const reported = proxy.connections().map(({ host }) => host);
  return { answer: Buffer.concat(pieces).toString('latin1'), dialled, reported };
}

/** A request of SOCKS after its greeting. */
function socks(version: number, command: number, address: readonly number[]): Buffer {
  return Buffer.from([5, 1, 0, version, command, 0, ...address, 0, 80]);
}

function named(name: string): readonly number[] {
  return [3, name.length, ...Buffer.from(name, 'latin1')];
}

describe('raw bytes for the proxy', () => {
  it.each<[string, string | Buffer]>([
    ['a granted name, then another one', 'CONNECT evil.test:443 HTTP/1.1\r\n\r\nCONNECT a.test:443 HTTP/1.1\r\n\r\n'],
    [
      'another name in the form of a proxy',
      'GET http://evil.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n',
    ],
    ['only a host header', 'GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['a granted user', 'GET http://a.test@evil.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['a number', 'GET http://2130706433/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['two lengths', 'POST http://a.test/ HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a huge header', `GET http://a.test/ HTTP/1.1\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
    ['SOCKS 4', Buffer.from([4, 1, 0, 80, 127, 0, 0, 1, 0])],
    ['SOCKS 4a', Buffer.concat([Buffer.from([4, 1, 0, 80, 0, 0, 0, 1, 0]), Buffer.from('evil.test\0')])],
    ['SOCKS 5: another name', socks(5, 1, named('evil.test'))],
    ['SOCKS 5: a name that ends before the granted part', socks(5, 1, named('evil.test\0.b.test'))],
    ['SOCKS 5: no name', socks(5, 1, named(''))],
    ['SOCKS 5: an address', socks(5, 1, [1, 127, 0, 0, 1])],
    ['SOCKS 5: a mapped address', socks(5, 1, [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1])],
    ['SOCKS 5: an unknown kind of address', socks(5, 1, [9, 1, 2, 3, 4])],
    ['SOCKS 5: BIND', socks(5, 2, named('a.test'))],
    ['SOCKS 5: a line end in the name', socks(5, 1, named('evil.test\r\n.b.test'))],
    ['SOCKS 5: a blank in the name', socks(5, 1, named('evil.test .b.test'))],
    ['SOCKS 5: a backslash in the name', socks(5, 1, named('evil.test\\.b.test'))],
    ['SOCKS 5: an address as a name', socks(5, 1, named('127.0.0.1'))],
    ['SOCKS 5: only a password', Buffer.concat([Buffer.from([5, 1, 2]), socks(5, 1, named('evil.test')).subarray(3)])],
    ['a fragment', 'GET http://evil.test#@a.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['a query', 'GET http://evil.test?@a.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['another scheme', 'GET https://a.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n'],
    ['two hosts', 'GET http://evil.test/ HTTP/1.1\r\nhost: a.test\r\nhost: evil.test\r\nconnection: close\r\n\r\n'],
    ['SOCKS 5: UDP', socks(5, 3, named('a.test'))],
  ])('connect to no server: %s', async (_name, bytes) => {
    expect((await send(bytes, await serve())).dialled).toEqual([]);
  });

  it('control: connect to a granted name', async () => {
    const bytes = 'GET http://a.test/x HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n';
    const { answer, dialled } = await send(bytes, await serve());
    expect(answer).toContain('SERVED GET /x');
    expect(dialled).toEqual(['93.184.216.34:80']);
  });

  it.each([
    ['a truncated answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'],
    ['an invalid answer', 'garbage\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nRAW'],
  ])('end with %s', async (_name, answer) => {
    const server = net.createServer(
      (socket) => void socket.on('error', () => {}).once('data', () => socket.end(answer)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const bytes = 'GET http://a.test/ HTTP/1.1\r\nhost: a.test\r\n\r\n';
    expect((await send(bytes, port)).answer).not.toContain('RAW');
  });
});
