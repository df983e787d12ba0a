// Starts the server of the first argument as ybs does, prints the number of its tools and the result of one call.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';
import { createStartServer } from '../../src/node/mcp/start-server.ts';
import { openMcpServers } from '../../src/tools/mcp/server.ts';

const { command, args, tool, given } = z
  .object({ command: z.string(), args: z.array(z.string()), tool: z.string(), given: z.record(z.string(), z.json()) })
  .parse(JSON.parse(process.argv.at(-1) ?? ''));
const signal = AbortSignal.timeout(400_000);
const home = path.join(os.tmpdir(), 'ybs-test-mcp');
const [server] = await openMcpServers(
  [
    {
      name: 'tested',
      entry: { command, args, timeout_seconds: 300, start_seconds: 300 },
      origin: 'user',
      digest: `${process.pid}`,
    },
  ],
  {
    ...{ fileSystem: createNodeFileSystem(), platform: 'posix', directory: path.join(home, 'mcp'), version: '1' },
    ...{ userEnvironment: process.env, keyVariables: [], workspace: process.cwd(), home },
    startServer: createStartServer(undefined),
    openHttp: () => Promise.reject(new Error('no network here')),
  },
);
if (server === undefined) throw new Error('no server');
try {
  const { tools, problems } = await server.listTools(signal);
  const result = await server.call(tool, given, signal);
  process.stdout.write(
    `${server.state.revision}, ${tools.length} tools, ${problems.length} left out: ${JSON.stringify(result)}\n`,
  );
} finally {
  await server.close();
}
