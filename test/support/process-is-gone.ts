import { readFileSync } from 'node:fs';

/** True when no process has this id any more; one that has ended and waits to be collected is gone. */
export function processIsGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')) return true;
    throw error;
  }
}
