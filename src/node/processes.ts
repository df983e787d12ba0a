import { readFile } from 'node:fs/promises';
import os from 'node:os';
import process from 'node:process';
import type { Processes } from '../session/log/processes.ts';
import { isRunning, parseProcessStat } from './shell/process-tree.ts';
import { processExists } from './system.ts';

/** The processes of this machine. Only Linux reports the start time of a process without another program. */
export const systemProcesses: Processes = {
  async self() {
    return { pid: process.pid, started: (await startOf(process.pid)) ?? '', host: os.hostname() };
  },
  startOf,
};

async function startOf(pid: number): Promise<string | undefined> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const entry = parseProcessStat(stat);
    // The start is counted from the start of the machine.
    return entry !== undefined && isRunning(entry) ? `${boot.trim()} ${entry.started}` : undefined;
  } catch {
    return processExists(pid) ? '' : undefined;
  }
}
