import { FileSystemError } from '../../core/errors.ts';
import type { ComputeDigest } from '../../ports/digest.ts';
import type { FileSystem, FileSystemErrorCode } from '../../ports/file-system.ts';
import { conforms } from '../../schema/conforms.ts';
import { type RunObserver, writtenPaths } from '../observe-events.ts';
import { type FileState, WRITE_LINE, type WriteLine } from '../schemas.data.ts';
import { copyWrites, type WriteStorage } from './write-storage.ts';

/** A version of a file: its bytes, or why there are none. */
export type FileVersion =
  | { readonly type: 'missing' }
  | { readonly type: 'file'; readonly bytes: Uint8Array }
  | { readonly type: 'unknown'; readonly reason: string };

/** A file that differs from its version before the session first wrote it. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

/** Ports of a journal. */
export interface JournalPorts {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  readonly storage: WriteStorage;
}

/** The first write of a file. `isDone`: the call has ended. */
interface FirstWrite extends Pick<WriteLine, 'run' | 'call' | 'state'> {
  readonly isDone: boolean;
}

/** Maximum size of a file whose bytes are kept. The tools of ybs change no larger one. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * The bytes of files before a session first wrote them. Two lines of the index belong to a write: one with the state of
 * the file before it, whose bytes are kept, and one with the state after it; after a crash, the second one is missing.
 */
export class WriteJournal {
  readonly #ports: JournalPorts;
  /** The first write of each file, by path, once the index has been read. */
  #first: Map<string, FirstWrite> | undefined;

  constructor(ports: JournalPorts) {
    this.#ports = ports;
  }

  /** Keeps the bytes of each file that a run is about to change. `run` is the number of messages before the run. */
  observe(run: number): RunObserver {
    /** The paths that each call is going to write, by the id of the call. */
    const planned = new Map<string, readonly string[]>();
    const problems = new Map<string, string>();
    const start = async (call: string): Promise<void> => {
      for (const path of planned.get(call) ?? []) {
        const problem = await this.#start({ run, call, path });
        if (problem !== undefined) problems.set(path, problem);
      }
    };
    return {
      before: async (event) => {
        if (event.type === 'tool_call') {
          planned.set(event.call.id, writtenPaths(event));
          if (event.permission?.type === 'allow') await start(event.call.id);
        } else if (event.type === 'approval_decision') {
          if (event.decision.type === 'once' || event.decision.type === 'session') await start(event.callId);
        } else if (event.type === 'tool_result') {
          for (const path of planned.get(event.callId) ?? []) await this.#end({ run, call: event.callId, path });
        }
      },
      end: async () =>
        [...problems].map(([path, reason]) => ({
          type: 'warning',
          code: 'not_kept',
          message: `The content of ${path} before this run was not kept, so /diff cannot show its changes: ${reason}.`,
        })),
    };
  }

  /** The files that differ, in the order of their first writes. Throws `FileSystemError`. */
  async *changes(): AsyncGenerator<FileChange, void, void> {
    for (const [path, { state }] of await this.#firstWrites()) {
      const { version, state: now } = await this.#look(path);
      if (!isSame(state, now)) yield { path, before: await this.#versionOf(state), after: version };
    }
  }

  /** Copies the journal into a directory; see `copyWrites`. Throws `FileSystemError`. */
  copyTo(directory: string): Promise<void> {
    return copyWrites(this.#ports.storage, this.#ports.fileSystem, directory);
  }

  /** Notes a write before it happens. Returns the reason why the bytes could not be kept. */
  async #start(write: Pick<WriteLine, 'run' | 'call' | 'path'>): Promise<string | undefined> {
    const { storage } = this.#ports;
    try {
      const first = await this.#firstWrites();
      if (first.has(write.path)) return undefined;
      const { version, state } = await this.#look(write.path);
      first.set(write.path, { ...write, state, isDone: false });
      if (version.type === 'file' && state.type === 'file') await storage.keep(state.digest, version.bytes);
      await this.#addLine({ type: 'before', ...write, state });
      return state.type === 'unknown' ? state.reason : undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Notes the end of a write. A call that has left the file as it was has not written it. */
  async #end(write: Pick<WriteLine, 'run' | 'call' | 'path'>): Promise<void> {
    const first = this.#first?.get(write.path);
    if (first === undefined || first.isDone || first.call !== write.call || first.run !== write.run) return;
    const { state } = await this.#look(write.path);
    if (isSame(first.state, state)) this.#first?.delete(write.path);
    else this.#first?.set(write.path, { ...first, isDone: true });
    try {
      await this.#addLine({ type: 'after', ...write, state });
    } catch (error) {
      // Without this line the write counts as one that was interrupted, and the file is compared all the same.
      if (!(error instanceof FileSystemError)) throw error;
    }
  }

  #addLine(line: WriteLine): Promise<void> {
    return this.#ports.storage.addLine(JSON.stringify(line));
  }

  async #firstWrites(): Promise<Map<string, FirstWrite>> {
    this.#first ??= firstWrites((await this.#ports.storage.lines()).flatMap(parseLine));
    return this.#first;
  }

  async #look(path: string): Promise<{ readonly version: FileVersion; readonly state: FileState }> {
    const { fileSystem, digest } = this.#ports;
    try {
      const { bytes, size, mode } = await fileSystem.readFile(path, MAX_BYTES, 'refuse');
      if (size > bytes.length) return unknown('it is larger than 10 MB');
      return { version: { type: 'file', bytes }, state: { type: 'file', digest: digest(bytes), mode, size } };
    } catch (error) {
      const reason = reasonOf(error);
      return isMissing(error) ? { version: MISSING, state: MISSING } : unknown(reason);
    }
  }

  async #versionOf(state: FileState): Promise<FileVersion> {
    if (state.type !== 'file') return state;
    const bytes = await this.#ports.storage.read(state.digest);
    if (bytes === undefined) return { type: 'unknown', reason: 'its content before was not kept' };
    if (this.#ports.digest(bytes) === state.digest) return { type: 'file', bytes };
    return { type: 'unknown', reason: 'the copy of its content before is damaged' };
  }
}

const MISSING = { type: 'missing' } as const;

function unknown(reason: string): { readonly version: FileVersion; readonly state: FileState } {
  const state = { type: 'unknown', reason } as const;
  return { version: state, state };
}

function isMissing(error: unknown): boolean {
  return error instanceof FileSystemError && (error.code === 'not_found' || error.code === 'not_a_directory');
}

const REASONS: Readonly<Partial<Record<FileSystemErrorCode, string>>> = {
  moved: 'its path leads through a link',
  is_directory: 'it is a directory',
  not_a_file: 'it is not a regular file',
  permission_denied: 'it cannot be read',
  no_space: 'the disk is full',
};

/** The reason of a failed file operation, for people. Throws any other error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof FileSystemError)) throw error;
  return REASONS[error.code] ?? error.code;
}

function isSame(one: FileState, other: FileState): boolean {
  if (one.type === 'file' && other.type === 'file') return one.digest === other.digest;
  return one.type === 'missing' && other.type === 'missing';
}

function parseLine(line: string): readonly WriteLine[] {
  try {
    const value: unknown = JSON.parse(line);
    return conforms(value, WRITE_LINE) ? [value] : [];
  } catch {
    return [];
  }
}

/** The first write of each file: the first one that did not leave the file as it was. */
function firstWrites(lines: readonly WriteLine[]): Map<string, FirstWrite> {
  const first = new Map<string, FirstWrite>();
  for (const { type, run, call, path, state } of lines) {
    const known = first.get(path);
    if (type === 'before') {
      if (known === undefined) first.set(path, { run, call, state, isDone: false });
    } else if (known !== undefined && !known.isDone && known.run === run && known.call === call) {
      if (isSame(known.state, state)) first.delete(path);
      else first.set(path, { ...known, isDone: true });
    }
  }
  return first;
}
