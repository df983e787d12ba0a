import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { raceAbort } from '../../agent/async/abort.ts';
import { ToolError } from '../../agent/errors.ts';
import type { LoginPages } from '../../tools/mcp/login/login.ts';
import { type Projects, trustedEnvironment } from '../system.ts';

const DONE =
  '<!doctype html><meta charset="utf-8"><title>ybs</title><p>You can close this page and go back to ybs.</p>';

/** Login pages in the browser of the user. The answer arrives at 127.0.0.1 only, and at one path. */
export const loginPages = (projects: Projects): LoginPages => ({
  async openCallback(address = 'http://127.0.0.1/callback') {
    const at = new URL(address);
    // A URL drops the port 80, because it is the default.
    const [, registered] = /^http:\/\/[^/:]+:(\d+)/.exec(address) ?? [];
    const server = createServer();
    const answered = new Promise<URLSearchParams>((resolve) => {
      server.on('request', (request, response) => {
        const url = new URL(request.url ?? '/', 'http://127.0.0.1');
        if (request.method !== 'GET' || url.pathname !== at.pathname) return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(DONE);
        resolve(url.searchParams);
      });
    });
    server.listen(Number(registered ?? 0), '127.0.0.1');
    await once(server, 'listening').catch(({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'the port is in use' : message;
      throw new ToolError('io_error', `Nothing can listen at ${address} ("redirect_uri"): ${reason}.`);
    });
    const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
    at.port = String(port);
    return {
      // A registered address has to stay as it is.
      url: registered === undefined ? at.href : address,
      // It may have arrived before it is waited for.
      received: (signal) => raceAbort(answered, signal),
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  show(url) {
    const env = trustedEnvironment(projects);
    const [program, ...args] = browser(env);
    if (program === undefined) return;
    spawn(program, [...args, url], { stdio: 'ignore', detached: true, cwd: '/', env })
      .on('error', () => {})
      .unref();
  },
});

/** The program that opens a page, and its first arguments. */
function browser({ BROWSER = '' }: Readonly<Record<string, string>>): readonly string[] {
  if (BROWSER !== '') return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
