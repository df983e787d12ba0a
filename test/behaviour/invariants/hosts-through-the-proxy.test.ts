import http from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from '../decisions/rows.ts';

const noSandbox = await missingSandbox();

/** Starts a web server on this machine that answers ESCAPED, and returns its address. */
async function serve(): Promise<string> {
  const server = http.createServer((_request, response) => response.end('ESCAPED\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Asks a server without a proxy, over HTTP, a tunnel and SOCKS, and by another name of this machine. */
function attempts(address: string): readonly string[] {
  const port = address.split(':')[1];
  return [
    `curl -sS --noproxy '*' --max-time 5 http://${address}/`,
    `curl -sS --noproxy '' http://${address}/`,
    `curl -sS --noproxy '' --proxytunnel http://${address}/`,
    `curl -sS --noproxy '' --proxy socks5h://127.0.0.1:61080 http://${address}/`,
    `curl -sS --noproxy '' http://localhost:${port}/`,
    `curl -sS --noproxy '' --proxytunnel -H 'Host: packages.example.com' http://${address}/`,
    `curl -sS --noproxy '' --proxytunnel http://127.1:${port}/`,
  ];
}

const options = ['--permission-mode', 'full-access'];

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('only granted hosts are reachable', () => {
  // > docs/security.md: only granted hosts are reachable | a command can reach only a port of its own, behind which a proxy in ybs checks each name and address | hosts-through-the-proxy.test.ts
  it('is reached, whatever a command asks the proxy for', async () => {
    const address = await serve();
    const config = { safety: { sandbox_hosts: ['packages.example.com'] } };
    const { calls } = await playDecisions([attempts(address).map((command) => run(command))], { options, config });
    for (const { reads } of calls) expect(reads).not.toContain('ESCAPED');
    expect(calls.at(2)?.reads).toContain('because it is not granted');
  });

  it('control: a host that is granted answers over the proxy alone', async () => {
    const address = await serve();
    const config = { safety: { sandbox_hosts: ['127.0.0.1'] } };
    const { calls } = await playDecisions([attempts(address).map((command) => run(command))], { options, config });
    expect(calls.map(({ reads }) => reads.includes('ESCAPED'))).toEqual([false, true, true, true, false, true, true]);
  });
});
