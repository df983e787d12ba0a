import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** One process of this machine. `started` tells it from a later process with the same id. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** One letter as in `ps`; `Z` and `X` are dead. */
  readonly state: string;
  readonly started: string;
}

/** The running processes and the dead ones nobody has collected yet; empty where the system has no `/proc`. */
export function readProcessTable(): readonly ProcessEntry[] {
  return listProcessIds().flatMap((pid) => {
    try {
      return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    } catch {
      return []; // It ended since the directory was read.
    }
  });
}

function listProcessIds(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Reads the one line of `/proc/<pid>/stat`. The program's name in it may hold blanks and parentheses. */
export function parseProcessStat(line: string): ProcessEntry | undefined {
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const started = fields[19];
  if (Number.isNaN(pid) || state === undefined || started === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), state, started };
}

export function isRunning(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X';
}

/** Children, grandchildren and so on of `pid`, whatever group or session they moved to. */
export function descendantsOf(pid: number, table: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  const pending = [pid];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const entry of table) {
      // Ids are used again while the table is read, so it may hold circles.
      if (entry.parent !== parent || entry.pid === pid || found.has(entry.pid)) continue;
      found.set(entry.pid, entry);
      pending.push(entry.pid);
    }
  }
  return [...found.values()];
}

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
