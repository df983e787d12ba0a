import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { processExists } from '../system.ts';

/** A process of this machine. `started` distinguishes it from a later process with the same id. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** One letter as in `ps`. `Z` (zombie) and `X` are dead processes. */
  readonly state: string;
  readonly started: string;
}

/** All processes, including zombies; empty on systems without `/proc`. */
function readProcessTable(): readonly ProcessEntry[] {
  return listProcessIds().flatMap((pid) => {
    try {
      return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    } catch {
      // The process has ended since the directory was read.
      return [];
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

/**
 * Parses `/proc/<pid>/stat`; `undefined` if it is incomplete. The program's name may contain spaces and parentheses.
 */
export function parseProcessStat(line: string): ProcessEntry | undefined {
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const started = fields[19];
  if (Number.isNaN(pid) || state === undefined || started === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), state, started };
}

/** True for a process that is not dead. */
export function isRunning(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X';
}

/** All descendants of `pid`, including those that moved to another group or session. */
export function descendantsOf(pid: number, table: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  const pending = [pid];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const entry of table) {
      // Process ids may be reused while the table is read, so it can contain cycles.
      if (entry.parent !== parent || entry.pid === pid || found.has(entry.pid)) continue;
      found.set(entry.pid, entry);
      pending.push(entry.pid);
    }
  }
  return [...found.values()];
}

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A command's process, its process group, and the known descendants that have left the group. */
export interface ProcessTree {
  /** True while a process of the tree runs. Zombies do not count. */
  isAlive(): boolean;
  signal(name: EndSignal): void;
}

/**
 * Creates the tree of a process that leads its own group. `signalGroup` signals the group. On Windows, which has no
 * groups, it signals the tree, and `isAlive` is always false. With `hasMonitor`, the leader and its child only watch
 * a sandbox, which ends with them, so that TERM is for the processes inside.
 */
export function createProcessTree(
  leader: number,
  signalGroup: (name: EndSignal) => void,
  hasMonitor = false,
): ProcessTree {
  const detached = new Map<number, ProcessEntry>();

  const runningDetached = (table: readonly ProcessEntry[]): readonly ProcessEntry[] =>
    table.filter((entry) => isRunning(entry) && detached.get(entry.pid)?.started === entry.started);

  return {
    isAlive() {
      if (process.platform === 'win32') return false;
      const grouped = processExists(-leader);
      if (!grouped && detached.size === 0) return false;
      const table = readProcessTable();
      // Without a table, only the existence of the group is known.
      if (table.length === 0) return grouped;
      return table.some((entry) => entry.group === leader && isRunning(entry)) || runningDetached(table).length > 0;
    },
    signal(name) {
      const table = readProcessTable();
      for (const entry of descendantsOf(leader, table)) {
        if (entry.group !== leader) detached.set(entry.pid, entry);
      }
      if (!hasMonitor || name === 'SIGKILL' || detached.size === 0) signalGroup(name);
      for (const entry of runningDetached(table)) trySignal(entry.pid, name);
    },
  };
}

function trySignal(pid: number, name: EndSignal): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended, or it belongs to another user.
  }
}
