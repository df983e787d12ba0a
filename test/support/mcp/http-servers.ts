import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** A request that a server has received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The method of the protocol, and the whole message. */
  readonly rpc: string | undefined;
  /** Its body as it was sent. */
  readonly text: string;
  readonly message: { readonly id?: string | number; readonly method?: string; readonly params?: Params };
}

interface Params {
  readonly name?: string;
  readonly protocolVersion?: string;
  readonly arguments?: { readonly bytes?: number; readonly text?: string };
}

type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** Starts a server on this machine that records its requests. It ends with the test. */
export async function startHttp(answer: Answer, port = 0) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    const message = text.startsWith('{') ? JSON.parse(text) : { text };
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rpc: message.method,
      text,
      message,
    };
    seen.push(one);
    await answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const { port: used }: Pick<AddressInfo, 'port'> = Object(server.address());
  return { url: `http://127.0.0.1:${used}/mcp`, port: used, seen, close };
}

/** Two tools over the official library: `add_note`, and `big` with a text of the given number of bytes. */
function notesServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool('add_note', { description: 'Add a note.', inputSchema: z.object({ text: z.string() }) }, (note) =>
    text(`noted ${note.text}`),
  );
  server.registerTool('big', { description: 'Much.', inputSchema: z.object({ bytes: z.number() }) }, ({ bytes }) =>
    text('x'.repeat(bytes)),
  );
  const resource = { uri: 'notes://today', name: 'today', text: 'milk\u001b[31m' };
  server.registerResource('today', resource.uri, { description: 'The notes of today' }, () => ({
    contents: [resource],
  }));
  return server;
}

async function pass(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void to.end();
  await new Promise((resolve) =>
    Readable.from(response.body ?? [])
      .on('error', resolve)
      .pipe(to)
      .on('close', resolve),
  );
}

function requestOf({ method, headers, message }: SeenRequest): Request {
  const all = Object.entries(headers).flatMap(([name, value]): [string, string][] => [[name, String(value)]]);
  const body = method === 'POST' ? { body: JSON.stringify(message) } : {};
  return new Request('http://127.0.0.1/mcp', { method, headers: all, ...body });
}

/** Answers like a server of both revisions without sessions. */
export function answerNotes(): (seen: SeenRequest, response: ServerResponse) => Promise<void> {
  const handler = createMcpHandler(notesServer);
  return async (seen, response) => pass(await handler.fetch(requestOf(seen)), response);
}

/** The official library: both revisions without sessions, or sessions of the older one, with or without streams. */
export async function startNotes(kind: 'modern' | 'session' | 'session-json', port = 0) {
  if (kind === 'modern') return startHttp(answerNotes(), port);
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const started = await startHttp(async (seen, response) => {
    const id = String(seen.headers['mcp-session-id'] ?? '');
    let transport = sessions.get(id);
    if (transport === undefined && id !== '') return void response.writeHead(404).end('{"error": "Session not found"}');
    if (transport === undefined) {
      const opened = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        enableJsonResponse: kind === 'session-json',
        onsessioninitialized: (session) => void sessions.set(session, opened),
      });
      await notesServer().connect(opened);
      transport = opened;
    }
    await pass(await transport.handleRequest(requestOf(seen)), response);
  }, port);
  return { ...started, sessions };
}

/** A server of the older revision, whose answers to calls a test writes. */
export function startOlder(onCall: Answer, headers: Readonly<Record<string, string>> = {}) {
  return startHttp(async (seen, response) => {
    const { id, params } = seen.message;
    const result = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
    };
    if (seen.method !== 'POST' && !('last-event-id' in seen.headers)) return void response.writeHead(405).end();
    switch (seen.rpc) {
      case 'initialize': {
        const serverInfo = { name: 'older', version: '1' };
        return result({ protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo });
      }
      case 'notifications/initialized':
      case 'notifications/cancelled':
        return void response.writeHead(202).end();
      case 'tools/list':
        return result({ tools: [{ name: 't', inputSchema: { type: 'object' } }] });
      case 'server/discover': {
        response.writeHead(400, { 'content-type': 'application/json' });
        return void response.end(
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Bad Request: not initialized' } }),
        );
      }
      default:
        return onCall(seen, response);
    }
  });
}

/** Forwards requests to another server, and streams its answers back: a stream may stay open. */
export async function resend(url: string, { method, headers, message }: SeenRequest, to: ServerResponse) {
  const names = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const sent = names.flatMap((name): [string, string][] => (name in headers ? [[name, String(headers[name])]] : []));
  await pass(
    await fetch(url, { method, headers: sent, ...(method === 'POST' && { body: JSON.stringify(message) }) }),
    to,
  );
}
