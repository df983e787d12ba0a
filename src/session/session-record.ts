import path from 'node:path';
import type { Clock } from '../agent/ports/clock.ts';
import type { ComputeDigest } from '../agent/ports/digest.ts';
import type { AgentEvent } from '../agent/ports/events.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { endLine, eventLine, isMessage, isPrompt, type Redact, systemLine, versionLine } from './log/log-line.ts';
import type { LogReading } from './log/read-log.ts';
import { LogWriter } from './log/session-log.ts';
import { createSessionFiles, type SessionFiles } from './session-files.ts';
import { LOG_SUFFIX } from './session-names.ts';
import { WriteJournal } from './writes/write-journal.ts';
import { rememberedWrites, storedWrites, type WriteStorage, writesDirectoryOf } from './writes/write-storage.ts';

/** One open session: its log, its files, and what was read from the log. */
export interface SessionRecord {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  /** The log; absent if the session is not stored. */
  readonly file: string | undefined;
  readonly files: SessionFiles;
  /** The content of files before this session wrote them, exactly as it was. */
  readonly writes: WriteJournal;
  /** Replaces the secrets in a text that is stored. */
  readonly redact: Redact;
  /** Directories with outputs of this session: that of `files`, and that of a log that is not written to. */
  readonly outputDirectories: readonly string[];
  /** The content of the log when it was opened; absent for a new session. */
  readonly restored: LogReading | undefined;
  /** The tools of servers that the session offers, as the log has them; see `createMcpTools`. */
  serverTools: unknown;
  /** Number of prompts, answers and results in the log. */
  readonly messageCount: number;
  /** Number of messages of the user in the log. */
  readonly promptCount: number;
  /**
   * Stores an event before its effect. `system` is the system prompt, which belongs to a `session_start`. Throws
   * `NotSavedError`.
   */
  append(event: AgentEvent, system: string): Promise<void>;
  /** Stores an event before its effect, between two runs. Throws `NotSavedError`; the event then must have no effect. */
  announce(event: Announcement): Promise<void>;
  /** All lines of the log so far. */
  lines(): AsyncIterable<string>;
  /**
   * Ends the use of the session. Throws an error if events are lost that could not be stored, and `FileSystemError`.
   */
  close(): Promise<void>;
}

/** An action of the user between two runs. */
export type Announcement = Extract<AgentEvent, { type: 'user_action' | 'compaction' | 'tasks' }>;

/** Facts and ports of a record. */
export interface RecordOptions {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
  readonly redact: Redact;
  readonly id: string;
  readonly name: string;
  /** Real path of the directory of all sessions. */
  readonly directory: string;
  readonly restored: LogReading | undefined;
  /** Releases the lock of the session. */
  readonly release: () => Promise<void>;
  /** Gets the messages as XNL, too; see `historyElement`. */
  readonly historyOf?: (event: AgentEvent, system: string) => string | undefined;
}

/** The directory for the command logs and the saved outputs of a session. */
export function outputDirectoryOf(directory: string, name: string): string {
  return path.join(directory, name, 'outputs');
}

/** The place of the lines of a session. */
interface RecordPlace {
  readonly file: string | undefined;
  readonly storage: WriteStorage;
  readonly outputDirectories: readonly [own: string, ...others: string[]];
  write(lines: readonly string[]): Promise<void>;
  writeOrDrop(line: string): Promise<void>;
  /** Called after the lines of an event are written. */
  written?(event: AgentEvent, system: string): Promise<void>;
  lines(): AsyncIterable<string>;
  close(end: string): Promise<void>;
}

function openRecord(options: RecordOptions, place: RecordPlace): SessionRecord {
  const { fileSystem, digest, redact, id, name, restored } = options;
  const { file, storage, outputDirectories, lines } = place;
  const timestamp = timestampsOf(options);
  let { messageCount, promptCount, serverTools = undefined } = restored ?? { messageCount: 0, promptCount: 0 };
  return {
    ...{ id, name, file, redact, restored, outputDirectories, lines },
    files: createSessionFiles(fileSystem, outputDirectories[0], redact),
    writes: new WriteJournal({ fileSystem, digest, storage }),
    get messageCount() {
      return messageCount;
    },
    get serverTools() {
      return serverTools;
    },
    set serverTools(offered) {
      serverTools = offered;
    },
    get promptCount() {
      return promptCount;
    },
    async append(event, system) {
      const line = eventLine(timestamp(), event, redact);
      if (line === undefined) return;
      if (isMessage(event)) messageCount += 1;
      if (isPrompt(event)) promptCount += 1;
      // Together, because what could not be written belongs to the next write.
      await place.write([
        line,
        ...(event.type === 'session_start' ? [systemLine(timestamp(), system, serverTools, redact)] : []),
      ]);
      await place.written?.(event, system);
    },
    async announce(event) {
      const line = eventLine(timestamp(), event, redact);
      if (line !== undefined) await place.writeOrDrop(line);
    },
    close: () => place.close(endLine(timestamp(), messageCount)),
  };
}

function timestampsOf({ clock }: Pick<RecordOptions, 'clock'>): () => string {
  return () => new Date(clock.now()).toISOString();
}

/** A session that is stored as it happens. A new log begins with its first event. */
export function createStoredRecord(options: RecordOptions): SessionRecord {
  const { fileSystem, redact, name, directory, restored } = options;
  const file = path.join(directory, `${name}${LOG_SUFFIX}`);
  let created = restored !== undefined;
  const writer = new LogWriter(file, async () => {
    const first = `${versionLine(timestampsOf(options)())}\n`;
    if (!created) await fileSystem.createFile(file, new TextEncoder().encode(first));
    created = true;
    return fileSystem.openAppend(file);
  });
  return openRecord(options, {
    file,
    storage: storedWrites(fileSystem, writesDirectoryOf(directory, name)),
    outputDirectories: [outputDirectoryOf(directory, name)],
    write: (lines) => writer.write(...lines),
    writeOrDrop: (line) => writer.writeOrDrop(line),
    async written(event, system) {
      if (event.type === 'run_end') await writer.sync();
      const element = options.historyOf?.(event, system);
      if (element === undefined) return;
      await fileSystem.createDirectory(path.join(directory, name), 'owner');
      const bytes = new TextEncoder().encode(redact(element));
      await fileSystem.appendFile(path.join(directory, name, 'history.xnl'), bytes);
    },
    lines: () => completeLines(fileSystem, created ? file : undefined, []),
    async close(end) {
      try {
        await writer.close(end);
      } finally {
        await options.release();
      }
    },
  });
}

/**
 * A session that is only kept in memory, until `/save` copies it. `outputDirectory` is its own directory for command
 * logs and saved outputs; a session that was read from a log keeps that log, to which nothing is written.
 */
export function createMemoryRecord(options: RecordOptions, outputDirectory: string): SessionRecord {
  const { fileSystem, name, directory, restored } = options;
  const base = restored && storedWrites(fileSystem, writesDirectoryOf(directory, name));
  const log = restored && path.join(directory, `${name}${LOG_SUFFIX}`);
  const lines: string[] = [];
  const write = async (added: readonly string[]): Promise<void> => {
    if (lines.length === 0 && log === undefined) lines.push(versionLine(timestampsOf(options)()));
    lines.push(...added);
  };
  return openRecord(options, {
    file: undefined,
    storage: rememberedWrites(base),
    outputDirectories: [outputDirectory, ...(restored === undefined ? [] : [outputDirectoryOf(directory, name)])],
    write,
    writeOrDrop: (line) => write([line]),
    lines: () => completeLines(fileSystem, log, lines),
    async close() {
      await options.release();
      await fileSystem.removeDirectory(outputDirectory);
    },
  });
}

/**
 * The first stage behind a run: stores each event before anybody sees it and before the run goes on, which is pulled. An
 * error is thrown into the run, which then ends; its last event is passed on even if it cannot be stored.
 */
export async function* recordEvents(
  events: AsyncGenerator<AgentEvent, void, void>,
  record: SessionRecord,
  system: string,
): AsyncGenerator<AgentEvent, void, void> {
  try {
    for (let step = await events.next(); step.done !== true; ) {
      const event = step.value;
      const failure = await record.append(event, system).catch((error: unknown) => ({ error }));
      if (failure !== undefined && event.type !== 'run_end') {
        step = isBeforePrompt(event) ? await events.next() : await events.throw(failure.error);
        continue;
      }
      yield event;
      step = await events.next();
    }
  } finally {
    await events.return();
  }
}

/**
 * True for an event that comes before a prompt and has no effect. It is stored with the next one, so that the prompt is
 * not lost.
 */
function isBeforePrompt(event: AgentEvent): boolean {
  return event.type === 'session_start' || (event.type === 'user_message' && event.reminder === true);
}

/** The lines of a log, without one that is incomplete, and then `more`. */
export async function* completeLines(
  fileSystem: FileSystem,
  file: string | undefined,
  more: readonly string[],
): AsyncGenerator<string, void, void> {
  if (file !== undefined) {
    const { completeRest, readLines } = await import('./log/read-log.ts');
    const batches = readLines(fileSystem, file);
    try {
      for (;;) {
        const step = await batches.next();
        if (step.done === true) {
          const last = completeRest(step.value.rest);
          if (last !== undefined) yield last;
          break;
        }
        yield* step.value.lines;
      }
    } finally {
      // Closes the file for a reader that has read enough.
      await batches.return({ size: 0, rest: new Uint8Array() });
    }
  }
  yield* more;
}
