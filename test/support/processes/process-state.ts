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

const POLL_MS = 5;
/** The number of polls that takes nearly as long as a test may, so that the error names the condition. */
const MAX_POLLS = 50_000 / POLL_MS;

/** Resolves as soon as `condition` holds; rejects with `description` shortly before the timeout of the test. */
export async function waitUntil(condition: () => boolean, description: string, polls = MAX_POLLS): Promise<void> {
  for (let poll = 0; !condition(); poll++) {
    if (poll === polls) throw new Error(`not reached after ${polls} polls: ${description}`);
    await setTimeout(POLL_MS);
  }
}
