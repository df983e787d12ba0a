import { mkdirSync, realpathSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import { connect } from 'node:net';
import path from 'node:path';
import { duplexPair } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHostProxy, type GrantedHosts } from '../../../src/node/sandbox/network/host-proxy.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { runInSandbox } from '../../support/sandbox/sandboxed-run.ts';

const noSandbox = await missingSandbox();

/** Starts a web server on this machine, and returns its port. */
async function serve(): Promise<number> {
  const server = http.createServer((request, response) => response.end(`SERVED ${request.method} ${request.url}\n`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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
  it('reaches them over HTTP, a tunnel and SOCKS, and by no other way', async () => {
    const port = await serve();
    const url = `http://127.0.0.1:${port}/x`;
    const command = [
      `NO_PROXY= no_proxy= curl -sS ${url}`,
      `NO_PROXY= no_proxy= curl -sS --proxytunnel ${url}`,
      `curl -sS --noproxy '' --proxy socks5h://127.0.0.1:61080 ${url}`,
      `curl -sS --noproxy '*' --max-time 5 ${url} || echo none`,
    ].join('; ');
    const { output, hosts, code, left } = await run(command, ['127.0.0.1']);
    expect(output.match(/SERVED GET \/x/g)).toHaveLength(3);
    expect(output).toMatch(/none\n$/);
    expect({ hosts, code, left }).toEqual({ hosts: [{ host: '127.0.0.1', port }], code: 0, left: false });
  });

  it('reaches no other host, and its result names them', async () => {
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

  it('inherits no connection to the proxy, and cannot open that of the bridge', async () => {
    const { output } = await run(
      'ls /proc/self/fd; for p in /proc/[0-9]*; do for f in $p/fd/5; do cat <"$f" 2>&1; done; done',
      ['packages.example.com'],
    );
    expect(output).toMatch(/^0\n1\n2\n3\n/);
    expect(output).toMatch(/No such device or address|Permission denied/);
    expect(output).not.toContain('PRI *');
  });

  it('goes on without the bridge that it has ended', async () => {
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
async function tunnel(target: string, hosts: Partial<GrantedHosts>, addresses: readonly string[]) {
  const dialled: string[] = [];
  const proxy = createHostProxy(
    { configured: [], granted: [], ...hosts },
    {
      resolve: async () => addresses,
      connect(address, port) {
        dialled.push(`${address}:${port}`);
        return connect(serverPort, '127.0.0.1');
      },
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
    ['the name of a question', 'a.test:443', { granted: ['a.test'] }, ['93.184.216.34'], '93.184.216.34:443'],
    ['a name below a pattern', 'b.a.test:8443', { configured: ['*.a.test'] }, ['93.184.216.34'], '93.184.216.34:8443'],
    ['a private address of an exact name', 'a.test:80', { configured: ['a.test'] }, ['10.0.0.1'], '10.0.0.1:80'],
    ['a private address of a pattern', 'b.a.test:80', { configured: ['*.a.test'] }, ['10.0.0.1'], undefined],
    ['a private address of a question', 'a.test:80', { granted: ['a.test'] }, ['127.0.0.1'], undefined],
    ['one private address of two', 'a.test:80', { granted: ['a.test'] }, ['93.184.216.34', '::1'], undefined],
    ['the metadata of a cloud', '169.254.169.254:80', { configured: ['*.a.test'] }, ['169.254.169.254'], undefined],
    ['a name without address', 'a.test:80', { configured: ['a.test'] }, [], undefined],
    ['another name', 'evil.test:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
    ['a name with a user', 'a.test@evil.test:443', { configured: ['a.test'] }, ['93.184.216.34'], undefined],
  ])('checks %s', async (_what, target, hosts, addresses, dialled) => {
    const result = await tunnel(target, hosts, addresses);
    expect(result.answer).toBe(dialled === undefined ? NO : OK);
    expect(result.dialled).toEqual(dialled === undefined ? [] : [dialled]);
    expect(result.connections.map(({ refused }) => refused === undefined)).toEqual([dialled !== undefined]);
  });
});
