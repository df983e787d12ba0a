import { execa } from 'execa';

/**
 * Runs a program of the desktop to its end, and ends it when `signal` aborts. Resolves to its exit code, or to `undefined`
 * if there is no such program.
 */
export async function runVisible(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const { code, exitCode = 1 } = await execa(program, args, { stdio: 'ignore', reject: false, cancelSignal: signal });
  return code === 'ENOENT' || code === 'EACCES' ? undefined : exitCode;
}
