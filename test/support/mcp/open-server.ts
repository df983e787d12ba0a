import path from 'node:path';
import { afterEach } from 'vitest';
import type { Tool } from '../../../src/agent/ports/tool.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { openFetch } from '../../../src/node/http/open-fetch.ts';
import { createStartServer } from '../../../src/node/mcp/start-server.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { createMcpTools } from '../../../src/tools/mcp/mcp-tools.ts';
import type { FormAsker } from '../../../src/tools/mcp/questions/forms.ts';
import { type McpServer, openMcpServers } from '../../../src/tools/mcp/server.ts';
import type { McpEntry, McpServerSettings } from '../../../src/tools/mcp/settings.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';

const script = path.join(import.meta.dirname, 'hostile-server.mjs');

/** The signal of calls that are never aborted. */
export const signal: AbortSignal = new AbortController().signal;

const open: McpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Properties of a server to open; `home` contains the files of an earlier session. */
interface Opened {
  readonly entry?: McpEntry;
  readonly home?: string;
  readonly origin?: McpServerSettings['origin'];
  readonly environment?: Readonly<Record<string, string>>;
  readonly forms?: FormAsker;
  /** True if the server is treated as one in the sandbox, in which it is not. */
  readonly isConfined?: boolean;
}

/** The server with one behaviour of `hostile-server.mjs`. */
export function serverOf(mode: string, { args = [], entry = {}, ...more }: Opened & { args?: readonly string[] } = {}) {
  return openServer({ ...more, entry: { command: process.execPath, args: [script, mode, ...args], ...entry } });
}

/** A server with this entry, its tools, and functions that call them like the agent. */
export async function openServer({
  entry = {},
  home = temporaryDirectory(),
  origin = 'user',
  environment,
  forms,
  isConfined = false,
}: Opened) {
  const digest = computeDigest(new TextEncoder().encode(JSON.stringify(entry)));
  const userEnvironment = { ...process.env, SECRET_TOKEN: 'abc', ...environment };
  const [server] = await openMcpServers([{ name: 'srv', entry, origin, digest }], {
    ...{ fileSystem: createNodeFileSystem(), platform: 'posix', directory: path.join(home, 'mcp'), version: '1' },
    ...{ userEnvironment, keyVariables: ['OPENAI_API_KEY'], workspace: home, home, forms },
    startServer: Object.assign(createStartServer(undefined), { isConfined }),
    openHttp: () => openFetch({ local: false, caFile: undefined }, { environment: userEnvironment, home }),
  });
  if (server === undefined) throw new Error('no server');
  open.push(server);
  const noShell = (): never => {
    throw new Error('no shell');
  };
  const roots = { workspace: home, allowedRoots: [home], readOnlyRoots: [], blockedPaths: [] };
  const ports = {
    ...{ fileSystem: createNodeFileSystem(), outputDirectory: path.join(home, 'out'), maxOutputChars: 10_000 },
    ...{ environment: {}, digest: computeDigest, shell: { run: noShell } },
    pathRules: { ...roots, platform: 'posix' as const },
  };
  const tools = (): readonly Tool[] => createMcpTools([server], undefined, undefined, ports).tools;
  const call = async (name: string, input: unknown = {}, stop: AbortSignal = signal) => {
    const found = tools().find(({ definition }) => definition.name === name);
    if (found === undefined) throw new Error(`no tool ${name} in ${tools().map(({ definition }) => definition.name)}`);
    const planned = await found.plan(input, { callId: 'c1', signal: stop, pause: async () => {} });
    const run = planned.run();
    const { value } = await run.next();
    if (value === undefined || !('content' in value)) throw new Error('no result');
    return { effect: planned.effect, ...value };
  };
  return { server, tools, call, home };
}

/**
 * The same, once it speaks `revision`: on a busy machine a server may start so slowly that it is asked in the older
 * way, and its late answer then counts from the next start on.
 */
export async function openInRevision(revision: string, opened: Opened): ReturnType<typeof openServer> {
  const { home = temporaryDirectory() } = opened;
  for (;;) {
    const one = await openServer({ ...opened, home });
    await one.server.listTools(signal);
    if (one.server.state.revision === revision) return one;
    await one.server.close();
  }
}
