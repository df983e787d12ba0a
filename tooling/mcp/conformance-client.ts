// The client under test of the conformance suite: lists the tools of the server of the scenario and calls them as ybs does.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { openFetch } from '../../src/node/http/open-fetch.ts';
import { loginPages } from '../../src/node/mcp/login-pages.ts';
import { boundedFetch } from '../../src/tools/mcp/connection/http-transport.ts';
import { logIn } from '../../src/tools/mcp/login/login.ts';
import type { Login } from '../../src/tools/mcp/login/tokens.ts';
import { openMcpServers } from '../../src/tools/mcp/server.ts';

const signal = AbortSignal.timeout(200_000);
const url = process.argv.at(-1) ?? '';
const home = path.join(os.tmpdir(), 'ybs-conformance');
const context = z
  .object({
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).default([]),
  })
  .parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'));

const send = await openFetch({ local: true, caFile: undefined }, { environment: process.env, home });
const { client_id, client_secret } = context;
// A client whose metadata is at an address names this as its id.
const metadata = 'https://conformance-test.local/client-metadata.json';
const registered =
  process.env['YBS_CLIENT_METADATA'] === undefined ? { client_id, client_secret } : { client_id: metadata };
let login: Login | undefined;
let last: Promise<unknown> = Promise.resolve();
const store = {
  now: Date.now,
  read: async () => login,
  async write(next: Login) {
    login = next;
  },
  locked<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  },
};

/** Logs in as a user does whose browser agrees at once. */
async function logInAt(scope: string | undefined): Promise<void> {
  const callback = await loginPages(new Set()).openCallback();
  const address = new URL(url);
  const showPage = async (page: URL): Promise<void> => {
    const { headers } = await fetch(page, { redirect: 'manual' });
    await fetch(headers.get('location') ?? callback.url);
  };
  const ports = { fetch: boundedFetch(address, {}, send), callback, showPage, newId: () => crypto.randomUUID() };
  try {
    await logIn(address, registered, store, ports, signal, scope);
  } finally {
    await callback.close();
  }
}

/** Does what ybs does, and what it advises the user to do. */
async function withLogin<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let logins = 0; ; logins += 1) {
    try {
      return await work();
    } catch (error) {
      const [advice, scope] = /ybs mcp login \w+(?: --scope "([^"]*)")?/.exec(String(error)) ?? [];
      if (advice === undefined || logins === 3) throw error;
      await logInAt(scope);
    }
  }
}

const [server] = await openMcpServers([{ name: 'tested', entry: { url }, origin: 'user', digest: `${process.pid}` }], {
  ...{ fileSystem: createNodeFileSystem(), platform: 'posix', directory: path.join(home, 'mcp'), version: '1' },
  ...{ userEnvironment: process.env, keyVariables: [], workspace: home, home },
  startServer: () => Promise.reject(new Error('no programs here')),
  // A user who takes what is proposed.
  forms: { modes: ['form', 'url'], fill: async () => ({ action: 'accept', content: {} }) },
  openHttp: async () => send,
  openLogin: () => store,
});
if (server === undefined) throw new Error('no server');
try {
  const { tools } = await withLogin(() => server.listTools(signal));
  const argumentOf = ({ type, default: given }: { type?: unknown; default?: unknown }) =>
    given ?? (type === 'number' || type === 'integer' ? 2 : type === 'boolean' ? true : 'text');
  const calls = tools.map(({ name, parameters }) => {
    const { properties, required } = z
      .object({ properties: z.record(z.string(), z.looseObject({})), required: z.array(z.string()).default([]) })
      .parse(parameters);
    const entries = required.map((key) => [key, argumentOf(properties[key] ?? {})]);
    return { name, arguments: z.record(z.string(), z.json()).parse(Object.fromEntries(entries)) };
  });
  const [focal] = tools.filter(({ name }) => name === 'json_schema_2020_12_tool');
  for (const call of calls)
    if (focal !== undefined && call.name === 'json_schema_echo')
      call.arguments = { schema: z.json().parse(focal.parameters) };
  for (const call of context.toolCalls.length > 0 ? context.toolCalls : calls) {
    const answer = await withLogin(() => server.call(call.name, call.arguments, signal)).catch((error: unknown) =>
      String(error),
    );
    process.stdout.write(`${call.name}: ${JSON.stringify(answer)}\n`);
  }
} finally {
  await server.close();
}
