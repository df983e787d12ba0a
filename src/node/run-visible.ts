import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { type Projects, trustedEnvironment } from './system.ts';

/**
 * Creates a function that runs a program of the desktop to its end, and ends it when `signal` aborts. It resolves to the
 * exit code, or to `undefined` if there is no such program or `signal` has aborted before.
 */
export const runVisible =
  (projects: Projects) =>
  async (program: string, args: readonly string[], signal: AbortSignal): Promise<number | undefined> => {
    if (signal.aborted) return undefined;
    const { code, exitCode = 1 } = await execa(program, args, {
      ...{ stdio: 'ignore', reject: false, cancelSignal: signal },
      ...{ cwd: '/', env: trustedEnvironment(projects), extendEnv: false },
    });
    return code === 'ENOENT' || code === 'EACCES' ? undefined : exitCode;
  };

/** Calls `work` with an empty directory for the profile of a browser, which is removed afterwards. */
export async function withProfile<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ybs-window-'));
  try {
    return await work(directory);
  } finally {
    // Processes of the browser may write a moment longer.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
