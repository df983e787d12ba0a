// The client under test of the conformance suite: lists the tools of the server of the scenario and calls them as ybs does.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { openFetch } from '../../src/node/http/open-fetch.ts';
import { openMcpServers } from '../../src/tools/mcp/mcp-servers.ts';

const signal = AbortSignal.timeout(25_000);
const url = process.argv.at(-1) ?? '';
const home = path.join(os.tmpdir(), 'ybs-conformance');
const context = z
  .object({ toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).default([]) })
  .parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'));

const [server] = await openMcpServers([{ name: 'tested', entry: { url }, origin: 'user', digest: `${process.pid}` }], {
  ...{ fileSystem: createNodeFileSystem(), platform: 'posix', directory: path.join(home, 'mcp'), version: '1' },
  ...{ userEnvironment: process.env, keyVariables: [], workspace: home, home },
  startServer: () => Promise.reject(new Error('no programs here')),
  // A user who takes what is proposed.
  forms: { modes: ['form', 'url'], fill: async () => ({ action: 'accept', content: {} }) },
  openHttp: () => openFetch({ local: true, caFile: undefined }, { environment: process.env, home }),
});
if (server === undefined) throw new Error('no server');
try {
  const { tools } = await server.listTools(signal);
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
    const answer = await server.call(call.name, call.arguments, signal).catch((error: unknown) => String(error));
    process.stdout.write(`${call.name}: ${JSON.stringify(answer)}\n`);
  }
} finally {
  await server.close();
}
