import path from 'node:path';
import { UsageError } from '../agent/errors.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { StoredEvent } from './log/events.data.ts';
import { acquireLock, isLocked, LockedError, type LockPorts } from './log/lock.ts';
import type { Redact } from './log/log-line.ts';
import type { LogReading } from './log/read-log.ts';
import { type Announced, parseAnnounced, planRetention, type RetentionLimits, retentionNotice } from './retention.ts';
import type { SessionHead, SessionSummary } from './session-list.ts';
import { exists, LOG_SUFFIX, listNames, newSessionName, requireWritable } from './session-names.ts';
import {
  completeLines,
  createMemoryRecord,
  createStoredRecord,
  outputDirectoryOf,
  type RecordOptions,
  type SessionRecord,
} from './session-record.ts';
import { WriteJournal } from './writes/write-journal.ts';
import { storedWrites, writesDirectoryOf } from './writes/write-storage.ts';

/** Ports and settings of the store of sessions. */
export interface StoreOptions extends LockPorts {
  /** Absolute path of the directory of all sessions, `session.storage_path`. */
  readonly directory: string;
  /** Absolute path of the directory for the logs of sessions that are not stored. */
  readonly temporaryDirectory: string;
  /** If false, sessions are kept in memory. */
  readonly autoSave: boolean;
  readonly digest: ComputeDigest;
  readonly random: () => number;
  readonly newId: () => string;
  readonly redact: Redact;
  readonly historyOf?: RecordOptions['historyOf'];
}

/** Names of new sessions to try before an error; a name is taken by chance once in 65,536 sessions of a second. */
const MAX_NAMES = 100;

/** The stored sessions. Every call throws `UsageError` for what the user can solve, and `FileSystemError`. */
export class SessionStore {
  readonly #options: StoreOptions;
  /** The names of the copies of each session, by its id, the last one last. */
  readonly #copies = new Map<string, readonly string[]>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Begins a new session. `wanted` is its name, unless another session has it. No other session has the `id`. */
  async create(wanted = this.newName(), id = this.#options.newId()): Promise<SessionRecord> {
    const { autoSave } = this.#options;
    if (!autoSave) return this.#memoryRecord({ id, name: wanted, restored: undefined, release: async () => {} });
    await this.#createDirectory();
    for (let name = wanted, tries = 1; ; name = this.newName(), tries += 1) {
      const release = await this.#lockNew(name, tries < MAX_NAMES);
      if (release !== undefined) {
        return createStoredRecord(await this.#recordOptions({ id, name, restored: undefined, release }));
      }
    }
  }

  /** Throws `FileSystemError` unless the directory can be written, or created. */
  async requireWritable(): Promise<void> {
    const { fileSystem, directory, random } = this.#options;
    // The cryptography behind an id would delay the first prompt.
    await requireWritable(fileSystem, directory, `.try-${random().toString(36).slice(2)}`);
  }

  newName(): string {
    return newSessionName(this.#options.clock.now(), this.#options.random);
  }

  /**
   * Opens the session of this name: reads and repairs its log. Throws `LockedError` if another process uses it. Results
   * of calls that were interrupted are stored and become part of the restored state.
   */
  async open(name: string): Promise<SessionRecord> {
    const { autoSave, fileSystem, newId } = this.#options;
    await this.#createDirectory();
    const file = this.#file(name);
    const release = await acquireLock(this.#lockFile(name), this.#options);
    try {
      const restored = await (await loadReader()).readLog(fileSystem, file);
      const options = { id: restored.start?.sessionId ?? newId(), name, restored, release };
      if (!autoSave) return await this.#memoryRecord(options);
      await this.#repair(file, restored);
      const record = createStoredRecord(await this.#recordOptions(options));
      for (const event of restored.interrupted) await record.append(event, '');
      return record;
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Begins a session with the history and the files of a stored one, which stays as it is. */
  async fork(name: string, id = this.#options.newId()): Promise<SessionRecord> {
    const { autoSave, fileSystem, digest } = this.#options;
    if (!autoSave) {
      const restored = await this.read(name);
      return this.#memoryRecord({ id, name, restored, release: async () => {} });
    }
    const directory = await this.#createDirectory();
    const copy = this.newName();
    const release = await this.#lockNew(copy, false);
    try {
      const { copySession } = await import('./copy-session.ts');
      const storage = storedWrites(fileSystem, writesDirectoryOf(directory, name));
      const source = {
        lines: () => this.lines(name),
        outputDirectories: [outputDirectoryOf(directory, name)],
        writes: new WriteJournal({ fileSystem, digest, storage }),
      };
      await copySession(source, { directory, name: copy, id }, fileSystem);
    } finally {
      await release?.();
    }
    return this.open(copy);
  }

  /** The stored sessions, the one used last first, without their number of prompts. */
  async heads(): Promise<readonly SessionHead[]> {
    return (await loadList()).readHeads(this.#options.fileSystem, this.#options.directory);
  }

  /** All stored sessions, the one used last first. */
  async list(): Promise<readonly SessionSummary[]> {
    const { fileSystem } = this.#options;
    const heads = await this.heads();
    const { countPrompts } = await loadList();
    const counts = await Promise.all(heads.map(({ name }) => countPrompts(fileSystem, this.#file(name))));
    return heads.map((head, index) => ({ ...head, prompts: counts[index] ?? 0 }));
  }

  /** The name of the session with this UUID, file name or unique start of one of them. */
  async find(wanted: string): Promise<string> {
    return (await loadList()).findSession(await this.heads(), wanted);
  }

  /** The content of a stored session, without opening it. */
  async read(name: string): Promise<LogReading> {
    return (await loadReader()).readLog(this.#options.fileSystem, this.#file(name));
  }

  /** The lines of the log of a stored session. */
  lines(name: string): AsyncIterable<string> {
    return completeLines(this.#options.fileSystem, this.#file(name), []);
  }

  /** The time, in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number {
    return this.#options.clock.now();
  }

  /**
   * Copies a session, which goes on unchanged: its log, with an id of its own, and its files. Without a `name`, the copy
   * has the name of the last copy of this session, which it replaces, or a new one. Returns the file.
   */
  async save(record: SessionRecord, wanted: string): Promise<string> {
    const { fileSystem, newId, clock, random } = this.#options;
    const earlier = this.#copies.get(record.id) ?? [];
    const name = wanted === '' ? (earlier.at(-1) ?? newSessionName(clock.now(), random, 'saved')) : wanted;
    if (record.messageCount === 0) throw new UsageError('There is nothing to save yet.');
    const directory = await this.#createDirectory();
    const release = await acquireLock(this.#lockFile(name), this.#options);
    try {
      if (!earlier.includes(name) && (await this.#exists(name))) {
        throw new UsageError(`There is a session ${name} already. Choose another name.`);
      }
      const { copySession } = await import('./copy-session.ts');
      await copySession(record, { directory, name, id: newId() }, fileSystem);
      this.#copies.set(record.id, [...earlier.filter((other) => other !== name), name]);
      return this.#file(name);
    } finally {
      await release();
    }
  }

  /** Writes a session as Markdown to a new file, relative to `directory`. Returns its path. */
  async export(record: SessionRecord, directory: string, file: string): Promise<string> {
    if (record.messageCount === 0) throw new UsageError('There is nothing to export yet.');
    const { exportMarkdown } = await import('./export/export-markdown.ts');
    const { readEvent } = await import('./log/read-line.ts');
    const events: StoredEvent[] = [];
    for await (const line of record.lines()) {
      const event = readEvent(line);
      if (event !== undefined) events.push(event);
    }
    const target = path.resolve(directory, file);
    await this.#options.fileSystem.createFile(target, new TextEncoder().encode(exportMarkdown(record.name, events)));
    return target;
  }

  /** Removes the sessions that are due, and announces the next ones: `tell` gets the text for the user. */
  async cleanUp(limits: RetentionLimits, tell: (text: string) => Promise<unknown>): Promise<void> {
    const { fileSystem, clock } = this.#options;
    const names = await listNames(fileSystem, this.#options.directory);
    if (names.length === 0) return;
    const directory = await this.#createDirectory();
    const announced = path.join(directory, 'announced.json');
    const before = await this.#readAnnounced(announced);
    const candidates = planRetention(names, () => false, limits, before, clock.now());
    const open = new Set<string>();
    for (const name of [...candidates.announce, ...candidates.remove]) {
      if (await isLocked(this.#lockFile(name), this.#options)) open.add(name);
    }
    const plan = planRetention(names, (name) => open.has(name), limits, before, clock.now());
    // First, because the process may end before the announcement is stored.
    if (plan.announce.length > 0) await tell(retentionNotice(plan.announce, limits));
    if (JSON.stringify(plan.announced) !== JSON.stringify(before)) {
      const bytes = new TextEncoder().encode(JSON.stringify(plan.announced));
      await fileSystem.replaceFile(directory, 'announced.json', bytes, 0o600);
    }
    for (const name of plan.remove) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    const { fileSystem, directory } = this.#options;
    const release = await acquireLock(this.#lockFile(name), this.#options);
    try {
      await fileSystem.removeDirectory(path.join(directory, name));
      await fileSystem.removeFile(`${this.#file(name)}.torn`);
      await fileSystem.removeFile(this.#file(name));
    } finally {
      await release();
    }
  }

  async #readAnnounced(file: string): Promise<Announced> {
    const { fileSystem } = this.#options;
    if (!(await exists(fileSystem.stat(file)))) return {};
    return parseAnnounced(new TextDecoder().decode((await fileSystem.readFile(file, 1024 * 1024)).bytes));
  }

  /** Takes the lock of a new session; `undefined` if the name is taken and `mayFail` is true. */
  async #lockNew(name: string, mayFail: boolean): Promise<(() => Promise<void>) | undefined> {
    try {
      const release = await acquireLock(this.#lockFile(name), this.#options);
      if (!(await this.#exists(name))) return release;
      await release();
    } catch (error) {
      if (!(error instanceof LockedError && mayFail)) throw error;
    }
    if (mayFail) return undefined;
    throw new UsageError(`No name for a new session is free in ${this.#options.directory}.`);
  }

  /** Cuts what follows the last complete line, and keeps it aside; ends that line if only its line feed is missing. */
  async #repair(file: string, { ending, isRestComplete }: LogReading): Promise<void> {
    const { fileSystem } = this.#options;
    if (ending.rest.length === 0) return;
    if (!isRestComplete) await fileSystem.appendFile(`${file}.torn`, ending.rest);
    const log = await fileSystem.openAppend(file);
    try {
      if (isRestComplete) await log.append(new TextEncoder().encode('\n'));
      else await log.truncate(ending.size);
      await log.sync();
    } finally {
      await log.close();
    }
  }

  async #exists(name: string): Promise<boolean> {
    return exists(this.#options.fileSystem.stat(this.#file(name)));
  }

  #file(name: string): string {
    return path.join(this.#options.directory, `${name}${LOG_SUFFIX}`);
  }

  #lockFile(name: string): string {
    return path.join(this.#options.directory, `${name}.lock`);
  }

  /** Creates the directory and returns its real path. */
  async #createDirectory(): Promise<string> {
    const { fileSystem, directory } = this.#options;
    await fileSystem.createDirectory(directory, 'owner');
    return fileSystem.realPath(directory);
  }

  async #recordOptions(facts: Pick<RecordOptions, 'id' | 'name' | 'restored' | 'release'>): Promise<RecordOptions> {
    const { fileSystem, clock, digest, redact, historyOf } = this.#options;
    const directory = await fileSystem.realPath(this.#options.directory);
    return { fileSystem, clock, digest, redact, directory, ...facts, ...(historyOf !== undefined && { historyOf }) };
  }

  async #memoryRecord(facts: Pick<RecordOptions, 'id' | 'name' | 'restored' | 'release'>): Promise<SessionRecord> {
    const { fileSystem, clock, digest, redact, directory, temporaryDirectory } = this.#options;
    const options = { fileSystem, clock, digest, redact, directory, ...facts };
    return createMemoryRecord(options, path.join(temporaryDirectory, `ybs-${facts.id}`));
  }
}

// What reads logs is loaded on demand, because a new session has nothing to read.
const loadReader = () => import('./log/read-log.ts');
const loadList = () => import('./session-list.ts');
