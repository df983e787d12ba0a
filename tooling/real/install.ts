import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { InstallCommand, RealServer } from './real-server.ts';
import { lastLines } from './server-process.ts';

/** The file of an installation that is written last. */
const COMPLETE = 'installed';

/** Directory of the installed servers, outside of the project. */
export function serverCache(environment: Readonly<Record<string, string | undefined>>): string {
  const cache = environment['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(cache, 'ybs/real-servers');
}

/** Directory of one version of a server in the cache. */
export function installationOf(cache: string, { name, version }: Pick<RealServer, 'name' | 'version'>): string {
  return path.join(cache, `${name}-${version}`);
}

/** True if the installation of this version is complete. */
export async function isInstalled(cache: string, server: RealServer): Promise<boolean> {
  const directory = installationOf(cache, server);
  return (await exists(path.join(directory, COMPLETE))) && (await exists(server.program(directory)));
}

/**
 * Installs a server into the cache, unless it is there. An installation that was interrupted starts again. Rejects with
 * the command that failed and its last output.
 */
export async function installServer(
  cache: string,
  server: RealServer,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  const directory = installationOf(cache, server);
  if (await isInstalled(cache, server)) return;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const step of server.install(directory)) {
    report(`  ${step.command.join(' ')}`);
    await runCommand(step, directory, {}, signal);
  }
  if (!(await exists(server.program(directory))))
    throw new Error(`the installation has no ${server.program(directory)}`);
  await writeFile(path.join(directory, COMPLETE), '');
}

/** Runs a command to its end. Rejects with the command and its last output when it fails. */
export async function runCommand(
  { command, directory, environment, verify, prints }: InstallCommand,
  cwd: string,
  surroundings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const [file, ...args] = command;
  const ended = await execa(file, args, {
    cwd: directory ?? cwd,
    env: { ...surroundings, ...environment },
    stdin: 'ignore',
    all: true,
    reject: false,
    cancelSignal: signal,
    killDescendants: true,
  });
  const line = command.join(' ');
  signal.throwIfAborted();
  if (ended.failed) throw new Error(`${line}\n    ${ended.shortMessage?.split('\n')[0]}\n${lastLines(ended.all)}`);
  if (prints !== undefined && !ended.all.includes(prints)) {
    throw new Error(`${line}\n    did not print ${prints}. Its output:\n${lastLines(ended.all)}`);
  }
  if (verify === undefined) return;
  const sha256 = createHash('sha256')
    .update(await readFile(verify.file))
    .digest('hex');
  if (sha256 !== verify.sha256)
    throw new Error(`${line}\n    ${verify.file} has the SHA-256 ${sha256}, not ${verify.sha256}`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
