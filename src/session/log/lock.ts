import path from 'node:path';
import { UsageError, unlessFileError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { conforms } from '../../schema/conforms.ts';
import { jsonOr } from '../../text/json/json.ts';
import { LOCK } from '../schemas.data.ts';
import type { Processes, ProcessIdentity } from './processes.ts';

export interface LockPorts {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  readonly clock: Clock;
}

const MAX_LOCK_BYTES = 4096;
/** The time in which another process surely writes the lock that it has just created, in milliseconds. */
const WRITE_MS = 100;
/** The maximum number of waits of `WRITE_MS`. A process that holds a lock for longer hangs. */
const MAX_WAITS = 300;

/**
 * Takes a lock: a file that names the process that holds it. Returns a function that releases it. The lock of a process
 * that has ended is taken over. Throws `LockedError` if a running process holds it, and `FileSystemError`.
 */
export async function acquireLock(file: string, ports: LockPorts): Promise<() => Promise<void>> {
  const { fileSystem, processes } = ports;
  const own = new TextEncoder().encode(JSON.stringify(await processes.self()));
  const release = (): Promise<void> => fileSystem.removeFile(file);
  for (;;) {
    if (await create(file, own, fileSystem)) return release;
    const found = await readLock(file, ports);
    if (found === undefined) continue;
    if (found.holder !== undefined && (await isRunning(found.holder, processes))) {
      throw new LockedError(file, found.holder);
    }
    // Only the process that holds this second lock may replace the lock of one that has ended.
    const releaseTakeover = await acquireLock(`${file}.takeover`, ports);
    try {
      if ((await readText(file, fileSystem)) !== found.text) continue;
      await fileSystem.replaceFile(path.dirname(file), path.basename(file), own, 0o600);
      return release;
    } finally {
      await releaseTakeover();
    }
  }
}

/** Waits up to 30 s for a lock, and runs `work` while holding it. Throws `UsageError` and `FileSystemError`. */
export async function whileLocked<T>(file: string, ports: LockPorts, work: () => Promise<T>): Promise<T> {
  const release = await waitForLock(file, ports);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function waitForLock(file: string, ports: LockPorts): ReturnType<typeof acquireLock> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await acquireLock(file, ports);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (waits >= MAX_WAITS) {
        const { pid, host } = error.holder;
        const used = `${file.replace(/\.lock$/, '')} is in use by another ybs (process ${pid} on ${host})`;
        throw new UsageError(`${used}. Try again when it has ended; if that process does not exist, remove ${file}.`);
      }
      await ports.clock.sleep(WRITE_MS, new AbortController().signal);
    }
  }
}

/** True if a running process holds the lock. */
export async function isLocked(file: string, ports: LockPorts): Promise<boolean> {
  const holder = (await readLock(file, ports))?.holder;
  return holder !== undefined && isRunning(holder, ports.processes);
}

/** Thrown for a lock that a running process holds. The message is for the user. */
export class LockedError extends UsageError {
  override readonly name = 'LockedError';
  readonly holder: ProcessIdentity;

  constructor(file: string, holder: ProcessIdentity) {
    const { pid, host } = holder;
    const session = path.basename(file).replace(/\.lock(?:\.takeover)*$/, '');
    super(
      `The session ${session} is open in another ybs (process ${pid} on ${host}). Close it there first; if that process does not exist, remove ${file}.`,
    );
    this.holder = holder;
  }
}

async function create(file: string, bytes: Uint8Array, fileSystem: FileSystem): Promise<boolean> {
  const created = fileSystem.createFile(file, bytes).then(() => true);
  return (await unlessFileError(created, 'already_exists')) === true;
}

interface FoundLock {
  readonly text: string;
  /** Absent if the process that created the file ended before it wrote its name. */
  readonly holder: ProcessIdentity | undefined;
}

/** Reads a lock; `undefined` if it has been released. */
async function readLock(file: string, { fileSystem, clock }: LockPorts): Promise<FoundLock | undefined> {
  const first = parseLock(await readText(file, fileSystem));
  if (first === undefined || first.holder !== undefined) return first;
  await clock.sleep(WRITE_MS, new AbortController().signal);
  return parseLock(await readText(file, fileSystem));
}

async function readText(file: string, fileSystem: FileSystem): Promise<string | undefined> {
  const read = await unlessFileError(fileSystem.readFile(file, MAX_LOCK_BYTES), 'not_found');
  return read && new TextDecoder().decode(read.bytes);
}

function parseLock(text: string | undefined): FoundLock | undefined {
  if (text === undefined) return undefined;
  const holder = jsonOr(undefined, text);
  return { text, holder: conforms(holder, LOCK) ? holder : undefined };
}

/** True if the process runs, and for a process of another machine, of which nothing is known. */
async function isRunning({ pid, started, host }: ProcessIdentity, processes: Processes): Promise<boolean> {
  return host !== (await processes.self()).host || (await processes.startOf(pid)) === started;
}
