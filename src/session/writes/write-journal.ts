import path from 'node:path';
import { FileSystemError, unlessFileError } from '../../agent/errors.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { PlannedEffect } from '../../agent/ports/tool.ts';
import { conforms } from '../../schema/conforms.ts';
import { jsonOr } from '../../text/json/json.ts';
import { type RunObserver, writtenPaths } from '../observe-events.ts';
import { type JournalLine, WRITE_LINE } from '../schemas.data.ts';
import { addLine, type Checkpoint, isSameState, keptSizes, wantedFiles } from './checkpoints.ts';
import { type FileVersion, type JournalPorts, lookAt, reasonOf, type SeenFile, versionOf } from './file-versions.ts';
import { copyWrites } from './write-storage.ts';

/** A file that differs from its version before the session, or one run of it, first wrote it. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

/** A write that is about to happen. */
export type StartedWrite = Pick<
  Extract<JournalLine, { type: 'before' }>,
  'run' | 'call' | 'path' | 'intended' | 'added' | 'removed' | 'undo'
>;

/** Maximum size of all kept bytes of a session. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;

/**
 * The bytes of files before each write of a session. Two lines of the index belong to a write: one with the state of
 * the file before it, whose bytes are kept, and one with the state after it; after a crash, the second one is missing.
 */
export class WriteJournal {
  readonly ports: JournalPorts;
  /** Undefined until the index has been read. */
  #checkpoints: readonly Checkpoint[] | undefined;

  constructor(ports: JournalPorts) {
    this.ports = ports;
  }

  /**
   * Keeps the bytes of each file that a run is about to change, and reports a `checkpoint` for each call that changes
   * files. `run` is the number of messages before the run.
   */
  observe(run: number): RunObserver {
    /** The effects of the calls that are going to write, by the id of the call. */
    const planned = new Map<string, PlannedEffect>();
    const problems = new Map<string, string>();
    const start = async (callId: string): Promise<readonly AgentEvent[]> => {
      const effect = planned.get(callId);
      if (effect === undefined) return [];
      const files: { readonly realPath: string; readonly problem?: string }[] = [];
      const { after: intended, preview } = effect;
      for (const realPath of writtenPaths(effect)) {
        const counts = preview !== undefined && { added: preview.added, removed: preview.removed };
        const write = { run, call: callId, path: realPath, ...(intended !== undefined && { intended }), ...counts };
        const { problem } = await this.start(write);
        if (problem !== undefined) problems.set(realPath, problem);
        files.push({ realPath, ...(problem !== undefined && { problem }) });
      }
      return [{ type: 'checkpoint', number: this.#checkpoints?.length ?? 0, callId, files }];
    };
    return {
      before: async (event) => {
        if (event.type === 'tool_call') {
          if (event.effect === undefined || writtenPaths(event.effect).length === 0) return undefined;
          planned.set(event.call.id, event.effect);
          return event.permission?.type === 'allow' ? start(event.call.id) : undefined;
        }
        if (event.type === 'approval_decision') {
          const { type } = event.decision;
          return type === 'once' || type === 'session' ? start(event.callId) : undefined;
        }
        if (event.type === 'tool_result') {
          const effect = planned.get(event.callId);
          planned.delete(event.callId);
          for (const file of writtenPaths(effect)) {
            await this.#end({ run, call: event.callId, path: file }, event.outcome === 'interrupted');
          }
        }
        return undefined;
      },
      end: async () =>
        [...problems].map(([file, reason]) => ({
          type: 'warning',
          code: 'not_kept',
          message: `/diff and /undo do not have the content of ${file} before a write of this run: ${reason}.`,
        })),
    };
  }

  /** All checkpoints. Throws `FileSystemError`. */
  async checkpoints(): Promise<readonly Checkpoint[]> {
    this.#checkpoints ??= (await this.ports.storage.lines()).flatMap(parseLine).reduce(addLine, []);
    return this.#checkpoints;
  }

  /** The real paths of all files that the session has written. Throws `FileSystemError`. */
  async writtenFiles(): Promise<readonly string[]> {
    return wantedFiles(await this.checkpoints(), 1).map((wanted) => wanted.path);
  }

  /**
   * The files that differ from what they were before the session first wrote them, in the order of their first writes;
   * with `run`, before that run. Throws `FileSystemError`.
   */
  async *changes(run?: number): AsyncGenerator<FileChange, void, void> {
    const checkpoints = await this.checkpoints();
    const from = run === undefined ? 1 : 1 + checkpoints.findIndex((checkpoint) => checkpoint.run === run);
    if (from === 0) return;
    for (const { path: file, state } of wantedFiles(checkpoints, from)) {
      const { version, state: now } = await lookAt(file, this.ports);
      if (!isSameState(state, now)) yield { path: file, before: await versionOf(state, this.ports), after: version };
    }
  }

  /** Copies the journal into a directory; see `copyWrites`. Throws `FileSystemError`. */
  copyTo(directory: string): Promise<void> {
    return copyWrites(this.ports.storage, this.ports.fileSystem, directory);
  }

  /**
   * Notes a write before it happens, or after it, with the file as it was. Returns that, and the reason why its bytes
   * could not be kept; the write of an undo is then not noted.
   */
  async start(write: StartedWrite, before?: SeenFile): Promise<SeenFile & { readonly problem?: string }> {
    const seen = before ?? (await lookAt(write.path, this.ports));
    try {
      const problem = await this.#keep(seen);
      if (problem !== undefined && write.undo !== undefined) return { ...seen, problem };
      const state = problem === undefined ? seen.state : ({ type: 'unknown', reason: problem } as const);
      const directories = seen.state.type === 'missing' ? await this.#missingParents(write.path) : [];
      const more = directories.length === 0 ? {} : { directories };
      await this.#addLine({ type: 'before', ...write, state, ...more });
      return problem === undefined ? seen : { ...seen, problem };
    } catch (error) {
      return { ...seen, problem: reasonOf(error) };
    }
  }

  /** Notes the end of a write, or of an undo. */
  async note(line: Exclude<JournalLine, { type: 'before' }>): Promise<void> {
    // Without this line the write counts as one that was interrupted, and the file is compared all the same.
    await unlessFileError(this.#addLine(line));
  }

  /** Keeps the bytes of a file. Returns the reason if they are not kept. */
  async #keep({ version, state }: SeenFile): Promise<string | undefined> {
    if (state.type === 'unknown') return state.reason;
    if (version.type !== 'file' || state.type !== 'file') return undefined;
    const kept = keptSizes(await this.checkpoints());
    const size = [...kept.values()].reduce((total, each) => total + each, kept.has(state.digest) ? 0 : state.size);
    if (size > MAX_KEPT_BYTES) return 'its content before was not kept, because this session has kept 256 MB';
    try {
      await this.ports.storage.keep(state.digest, version.bytes);
      return undefined;
    } catch (error) {
      return `its content before could not be kept: ${reasonOf(error)}`;
    }
  }

  /**
   * Notes the end of the write of a call. A call that was interrupted may still end its write, so a file that is as it
   * was is not noted.
   */
  async #end(write: Pick<JournalLine, 'run' | 'call'> & { readonly path: string }, isOpen: boolean): Promise<void> {
    const last = this.#checkpoints?.at(-1);
    const started = last?.run === write.run && last.call === write.call ? last.writes.get(write.path) : undefined;
    if (started === undefined || started.after !== undefined) return;
    const { state } = await lookAt(write.path, this.ports);
    if (isOpen && isSameState(started.before, state)) return;
    await this.note({ type: 'after', ...write, state });
  }

  async #addLine(line: JournalLine): Promise<void> {
    this.#checkpoints = addLine(await this.checkpoints(), line);
    await this.ports.storage.addLine(JSON.stringify(line));
  }

  /** The directories above a file that do not exist, the outermost first. */
  async #missingParents(file: string): Promise<string[]> {
    const missing: string[] = [];
    for (
      let directory = path.dirname(file);
      directory !== path.dirname(directory);
      directory = path.dirname(directory)
    ) {
      const found = await this.ports.fileSystem.stat(directory).catch((error: unknown) => {
        if (error instanceof FileSystemError && error.code === 'not_found') return undefined;
        throw error;
      });
      if (found !== undefined) break;
      missing.unshift(directory);
    }
    return missing;
  }
}

function parseLine(line: string): readonly JournalLine[] {
  const value = jsonOr(undefined, line);
  return conforms(value, WRITE_LINE) ? [value] : [];
}
