import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** True while a process runs; a dead process that its parent has not collected does not count. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^\s[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}

/** Resolves as soon as `condition` holds; rejects with `description` when it does not within `deadlineMs`. */
export async function waitUntil(condition: () => boolean, description: string, deadlineMs = 2_000): Promise<void> {
  for (const end = performance.now() + deadlineMs; !condition(); await setTimeout(5)) {
    if (performance.now() > end) throw new Error(`not reached within ${deadlineMs} ms: ${description}`);
  }
}
