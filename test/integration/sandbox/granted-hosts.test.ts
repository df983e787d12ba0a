import { mkdirSync, realpathSync } from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { runInSandbox } from '../../support/sandbox/sandboxed-run.ts';

const noSandbox = await missingSandbox();

/** Starts a web server on this machine, and returns its port. */
async function serve(body: string): Promise<number> {
  const server = http.createServer((request, response) => response.end(`${body} ${request.method} ${request.url}\n`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  return port;
}

async function run(command: string, hosts: readonly string[]) {
  const root = realpathSync(temporaryDirectory());
  const places = { home: path.join(root, 'home'), workspace: path.join(root, 'ws') };
  for (const directory of Object.values(places)) mkdirSync(directory, { recursive: true });
  const { output, exit } = await runInSandbox({ command }, places, new AbortController().signal, { hosts });
  return { output, code: exit.exitCode, hosts: exit.hosts, left: exit.leftProcesses };
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('granted hosts', () => {
  it('are reached over HTTP, a tunnel and SOCKS, and by no other way', async () => {
    const port = await serve('SERVED');
    const url = `http://127.0.0.1:${port}/x`;
    const command = [
      `NO_PROXY= no_proxy= curl -sS ${url}`,
      `NO_PROXY= no_proxy= curl -sS --proxytunnel ${url}`,
      `curl -sS --noproxy '' --proxy socks5h://127.0.0.1:61080 ${url}`,
      `curl -sS --noproxy '*' --max-time 5 ${url} || echo none`,
    ].join('; ');
    console.log(await run('set -x; env | grep -i proxy; ls -l /proc/self/fd; ps aux; ss -ltn; '+command, ['127.0.0.1']));
    const { output, hosts, code, left } = await run(command, ['127.0.0.1']);
    expect(output.match(/SERVED GET \/x/g)).toHaveLength(3);
    expect(output).toMatch(/none\n$/);
    expect({ hosts, code, left }).toEqual({ hosts: [{ host: '127.0.0.1', port }], code: 0, left: false });
  });
});
