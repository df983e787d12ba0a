import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startInTerminal } from '../../support/processes/pty.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';
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

/** Sends bytes to the proxy, one text after another, and prints what comes back. */
const bytes = (...texts: readonly string[]): string =>
  `node -e "const s = require('net').connect(61080, '127.0.0.1'); const left = ${JSON.stringify(texts.map((text) => Buffer.from(text, 'latin1').toString('hex'))).replaceAll('"', "'")}; const next = () => { const t = left.shift(); if (t === undefined) s.destroy(); else s.write(Buffer.from(t, 'hex')); }; s.on('data', (d) => { console.log(String(d)); setTimeout(next, 50); }).on('error', () => {}); next(); setTimeout(() => s.destroy(), 1500);"`;

/** Requests that name the granted 127.0.0.1, and reach for localhost: on one connection, and by a name with NUL. */
function smuggled(port: string): readonly string[] {
  const get = (host: string): string => `GET http://${host}:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  const socks = (name: string): string =>
    `\x05\x01\x00\x03${String.fromCharCode(name.length)}${name}${String.fromCharCode(Number(port) >> 8, Number(port) & 255)}`;
  return [
    bytes(`${get('127.0.0.1')}\r\n`, `${get('localhost')}\r\n`),
    bytes(`${get('127.0.0.1')}Content-Length: 1\r\n\r\nx${get('localhost')}\r\n`),
    bytes(`${get('127.0.0.1')}Connection: upgrade\r\nUpgrade: h2c\r\n\r\n${get('localhost')}\r\n`),
    bytes('\x05\x01\x00', socks('localhost\0.127.0.0.1'), 'GET / HTTP/1.0\r\n\r\n'),
    bytes('\x05\x01\x00', socks('127.0.0.1\0'), 'GET / HTTP/1.0\r\n\r\n'),
    bytes('\x05\x01\x00', socks('127.0.0.1'), 'GET / HTTP/1.0\r\n\r\n'),
  ];
}

describe.skipIf(process.platform !== 'linux' || noSandbox !== undefined)('only granted hosts are reachable', () => {
  // > docs/security.md: only granted hosts are reachable | a command can reach only a port of its own, behind which a proxy in ybs checks each name and address | hosts-through-the-proxy.test.ts
  it('whatever a command requests from the proxy', async () => {
    const address = await serve();
    const config = { safety: { sandbox_hosts: ['packages.example.com'] } };
    const { calls } = await playDecisions([attempts(address).map((command) => run(command))], { options, config });
    for (const { reads } of calls) expect(reads).not.toContain('ESCAPED');
    expect(calls.at(2)?.reads).toContain('because it is not granted');
  });

  it('a command that sends a part of a request to the proxy does not stop ybs', async () => {
    const config = { safety: { sandbox_hosts: ['packages.example.com'] } };
    const parts = ['05', '0502', '05010005010003ff', '474554'];
    const commands = parts.map(
      (part) =>
        `node -e "const s = require('net').connect(61080, '127.0.0.1'); s.write(Buffer.from('${part}', 'hex')); setTimeout(() => { console.log('DONE'); s.destroy(); }, 200)"`,
    );
    const played = await playDecisions([commands.map((command) => run(command))], { options, config });
    for (const { reads } of played.calls) expect(reads).toContain('DONE');
  });

  it('one request of a connection, and a name without NUL', async () => {
    const port = (await serve()).split(':')[1] ?? '';
    const config = { safety: { sandbox_hosts: ['127.0.0.1'] } };
    const { calls } = await playDecisions([smuggled(port).map((command) => run(command))], { options, config });
    const answered = calls.map(({ reads }) => reads.split('ESCAPED').length - 1);
    // Control: the first requests of a connection, and the last row
    expect(answered).toEqual([1, 1, 1, 0, 0, 1]);
  });

  it('control: a granted host answers, but only through the proxy', async () => {
    const address = await serve();
    const config = { safety: { sandbox_hosts: ['127.0.0.1'] } };
    const { calls } = await playDecisions([attempts(address).map((command) => run(command))], { options, config });
    expect(calls.map(({ reads }) => reads.includes('ESCAPED'))).toEqual([false, true, true, true, false, true, true]);
    const named = await playDecisions([attempts(address).map((command) => run(command))], {
      options,
      config: { safety: { sandbox_hosts: ['localhost'] } },
    });
    expect(named.calls.map(({ reads }) => reads.includes('ESCAPED')).indexOf(true)).toBe(4);
  });

  it.each([
    ['its entry', { hosts: ['127.0.0.1'] }, {}, [false, true, true, true, false, true, true]],
    ['the sandbox', {}, { sandbox_hosts: ['127.0.0.1'] }, [false, true, true, true, false, true, true]],
    ['neither', {}, {}, [false, false, false, false, false, false, false]],
  ])('a server of MCP reaches the hosts of %s', async (_, granted, safety, expected) => {
    const address = await serve();
    const program = fileURLToPath(new URL('../../support/mcp/hostile-server.mjs', import.meta.url));
    const server = { command: process.execPath, args: [program, 'shell'], read: [path.dirname(program)], ...granted };
    const calls = attempts(address).map(
      (command) => ['call_tool', { name: 'srv__t', arguments: { command } }] as const,
    );
    const config = { safety, mcp: { servers: { srv: server } } };
    const played = await playDecisions([[['find_tool', { name: 'srv__t' }]], calls], { options, config });
    expect(played.calls.slice(1).map(({ reads }) => reads.includes('ESCAPED'))).toEqual(expected);
  });

  it('a host granted at the question stays reachable until the end of the session, and is in the audit', async () => {
    const curl = "curl -sS --noproxy '' --max-time 5 http://127.0.0.1:9/";
    const calls = [
      { command: 'curl -sS --max-time 5 http://packages.example.com/' },
      { command: curl, hosts: ['127.0.0.1'] },
      { command: `${curl}again` },
    ];
    const steps = calls.map((call) => ({ response: { tool_calls: [{ name: 'run_shell', arguments: call }] } }));
    const scenarios = [{ name: 'calls', trigger: 'go', steps: [...steps, { response: { content: 'Done.' } }] }];
    const server = await startRecordingServer({ scenarios });
    const directory = temporaryDirectory();
    const options = ['--permission-mode', 'full-access', '-p', 'mock', '--endpoint', server.url];
    const environment = { HOME: directory, XDG_CONFIG_HOME: `${directory}/.config` };
    const workspace = `${directory}/ws`;
    mkdirSync(workspace);
    const terminal = startInTerminal([...options, 'go'], { directory: workspace, environment });
    await terminal.waitForPrompt('▌   > ');
    expect(terminal.screen()).toContain('WITH THE NETWORK OF 127.0.0.1');
    expect(terminal.screen()).toContain(
      'h yes, and for the rest of this session: every command in the sandbox reaches 127.0.0.1',
    );
    terminal.type('h');
    expect((await terminal.ended).exitCode).toBe(0);
    const [before, granted, later] = server.resultsInLastRequest();
    // Without a grant there is no proxy. The proxy rejects an address of this machine, because only the configuration
    // can name one.
    expect(before).toContain('"hosts": ["NAME", …]');
    expect(before).not.toContain('not a public one');
    for (const result of [granted, later]) expect(result).toContain('its address is not a public one');
    const { stdout } = await runBin(['audit'], { directory: workspace, environment });
    expect(stdout).toContain('127.0.0.1');
  });
});
