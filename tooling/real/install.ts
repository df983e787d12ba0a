import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { InstallCommand, RealServer } from './real-server.ts';
import { lastLines, startProcess } from './server-process.ts';

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
  // An installation that is interrupted leaves its temporary files to the next one, which removes them.
  const temporary = path.join(directory, 'temporary');
  await mkdir(temporary, { recursive: true });
  for (const step of server.install(directory)) {
    report(`  ${step.command.join(' ')}`);
    await runCommand(step, directory, { ...process.env, TMPDIR: temporary }, signal);
  }
  await rm(temporary, { recursive: true, force: true });
  if (!(await exists(server.program(directory))))
    throw new Error(`the installation has no ${server.program(directory)}`);
  await writeFile(path.join(directory, COMPLETE), '');
}

/** Runs a command to its end. Rejects with the command and its last output when it fails. Nothing of it outlives us. */
export async function runCommand(
  { command, directory, environment, verify, prints }: InstallCommand,
  cwd: string,
  surroundings: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const [file, ...args] = command;
  const running = startProcess({
    file,
    args,
    environment: { ...surroundings, ...environment },
    directory: directory ?? cwd,
  });
  const kill = (): void => void running.kill();
  signal.addEventListener('abort', kill, { once: true });
  const code = await running.ended;
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  const line = command.join(' ');
  const output = running.output();
  if (code !== 0)
    throw new Error(`${line}\n    It ended with exit code ${code}. Its last output:\n${lastLines(output)}`);
  if (prints !== undefined && !output.includes(prints)) {
    throw new Error(`${line}\n    did not print ${prints}. Its output:\n${lastLines(output)}`);
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
