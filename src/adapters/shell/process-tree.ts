import process from 'node:process';
import { descendantsOf, isRunning, type ProcessEntry, readProcessTable } from './process-table.ts';

/** Signals that end processes. */
export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A command's process, its group, and the descendants that left the group while they could still be traced. */
export interface ProcessTree {
  /** Whether anything of it still runs; a dead process that its parent has not collected does not count. */
  isAlive(): boolean;
  signal(name: EndSignal): void;
}

/**
 * The tree of a process that leads its own group. `signalGroup` reaches the group (on Windows: the tree).
 * Windows keeps no groups, so there nothing is known to be alive.
 */
export function createProcessTree(leader: number, signalGroup: (name: EndSignal) => void): ProcessTree {
  const strays = new Map<number, ProcessEntry>();

  const runningStrays = (table: readonly ProcessEntry[]): readonly ProcessEntry[] =>
    table.filter((entry) => isRunning(entry) && strays.get(entry.pid)?.started === entry.started);

  return {
    isAlive() {
      if (process.platform === 'win32') return false;
      const grouped = canSignal(-leader);
      if (!grouped && strays.size === 0) return false;
      const table = readProcessTable();
      // Without a table the group's existence is all there is to know.
      if (table.length === 0) return grouped;
      return table.some((entry) => entry.group === leader && isRunning(entry)) || runningStrays(table).length > 0;
    },
    signal(name) {
      const table = readProcessTable();
      for (const entry of descendantsOf(leader, table)) {
        if (entry.group !== leader) strays.set(entry.pid, entry);
      }
      signalGroup(name);
      for (const entry of runningStrays(table)) trySignal(entry.pid, name);
    },
  };
}

function canSignal(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function trySignal(pid: number, name: EndSignal): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself, or belongs to another user.
  }
}
