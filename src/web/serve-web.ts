import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, get, type IncomingMessage } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { UsageError } from '../agent/errors.ts';
import { refusalOfRequest, type WebAccess, type WebRefusal } from '../policy/web-access.ts';
import { createWebApp, ROUTES, type WebAppPorts } from './app.ts';
import { createLaunchCodes } from './launch-codes.ts';
import { PAGE_PATHS, readPageFiles } from './page-files.ts';

/** Options of the server of the page. */
export interface ServeOptions extends Pick<WebAppPorts, 'hub' | 'complete'> {
  /** 0 picks a free port. */
  readonly port: number;
  /** False: every client that reaches the port of this machine may use the page. */
  readonly needsToken: boolean;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export interface WebServer {
  /** `http://127.0.0.1:8765`, without a token. */
  readonly url: string;
  /** The address of the page, with the token in its fragment, which no server and no log sees. */
  readonly address: string;
  /** An address that opens the page once, within a minute. */
  readonly launchAddress: () => string;
  /** True if the page was opened with the last of these addresses. */
  readonly isLaunched: () => boolean;
  /** Also ends open connections. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Headers of every answer. The policy lets the page run and load only its own files, and lets no page embed it. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Serves the page on the loopback interface. Rejects with `UsageError` when the port cannot be used. */
export async function serveWeb({ hub, complete, port, needsToken, now }: ServeOptions): Promise<WebServer> {
  const random = (): string => randomBytes(32).toString('base64url');
  const token = random();
  const codes = createLaunchCodes({ now, random, isEqual });
  const access: WebAccess = {
    routes: ROUTES,
    open: new Set([...PAGE_PATHS, '/login']),
    isToken: needsToken ? (given) => isEqual(given, token) : undefined,
  };
  const app = createWebApp({ hub, complete, login: (code) => (codes.take(code) ? token : undefined) });
  const answer = getRequestListener(
    async (request, env) => {
      const response = await app.fetch(request, env);
      for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
      return response;
    },
    { overrideGlobalObjects: false },
  );
  const files = await readPageFiles();
  const server = createServer((incoming, outgoing) => {
    const path = pathOf(incoming);
    const refusal = refusalOf(incoming, path, access);
    const file = files.get(path);
    if (refusal !== undefined) {
      const { status, code, message } = refusal;
      // The body of the request is not read.
      outgoing.writeHead(status, { ...HEADERS, 'content-type': 'application/json', connection: 'close' });
      outgoing.end(JSON.stringify({ error: { code, message } }));
    } else if (file !== undefined) {
      // The library would answer with a web stream, which takes several times as long.
      const { type, content } = file;
      outgoing.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': content.length }).end(content);
    } else void answer(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error): void => reject(new UsageError(explain(error, port)));
    server.once('error', onError);
    server.listen(port, HOST, () => {
      server.off('error', onError);
      resolve();
    });
  });
  const bound = server.address();
  const url = `http://${HOST}:${typeof bound === 'object' && bound !== null ? bound.port : port}`;
  askOnce(`${url}/events`, token);
  return {
    url,
    address: needsToken ? `${url}/#t=${token}` : `${url}/`,
    launchAddress: () => `${url}/#l=${codes.create()}`,
    isLaunched: () => codes.isTaken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The path of a request, as it was sent. */
function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path;
}

function refusalOf(incoming: IncomingMessage, path: string, access: WebAccess): WebRefusal | undefined {
  const { method = '', socket, headersDistinct } = incoming;
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, value]) => [name, value?.length === 1 ? value[0] : value]),
  );
  return refusalOfRequest({ method, path, headers, port: socket.localPort ?? 0 }, access);
}

/**
 * Asks the server for the session, and does not wait for the answer. The first answer makes Node load its web streams
 * and compile the way to them, for which a browser would wait.
 */
function askOnce(url: string, token: string): void {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(url, { headers, agent: false }, (answer) => answer.destroy());
  request.on('error', () => {
    // A server that ends at once does not answer.
  });
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const [first, second] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

function explain(error: Error, port: number): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --port; 0 picks a free one.`;
  if (code === 'EACCES') return `This user may not open port ${port}. Choose one above 1023 with --port.`;
  return `The page cannot be served on port ${port}: ${error.message}`;
}
