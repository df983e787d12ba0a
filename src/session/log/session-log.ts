import { FileSystemError } from '../../agent/errors.ts';
import type { AppendFile } from '../../agent/ports/file-system.ts';
import { countOf } from '../../text/quantities.ts';

/** Writes the lines of one log, one write each. A line that could not be written is written before the next one. */
export class LogWriter {
  readonly #file: string;
  readonly #open: () => Promise<AppendFile>;
  #opened: AppendFile | undefined;
  #pending: readonly string[] = [];
  /** Settles when the last write has ended. */
  #written: Promise<void> = Promise.resolve();

  /** `open` opens the log when the first line is written. */
  constructor(file: string, open: () => Promise<AppendFile>) {
    this.#file = file;
    this.#open = open;
  }

  /** Writes lines. Throws `NotSavedError`; the lines then belong to the next call. */
  write(...lines: readonly string[]): Promise<void> {
    return this.#inTurn(() => this.#write(lines));
  }

  /** Writes a line. Throws `NotSavedError`; the line is then dropped. */
  writeOrDrop(line: string): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#write([line]);
      } catch (error) {
        this.#pending = this.#pending.slice(0, -1);
        throw error;
      }
    });
  }

  async #write(lines: readonly string[]): Promise<void> {
    this.#pending = [...this.#pending, ...lines];
    await this.#orNotSaved(async () => {
      this.#opened ??= await this.#open();
      for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
        await this.#opened.append(new TextEncoder().encode(`${next}\n`));
        this.#pending = this.#pending.slice(1);
      }
    });
  }

  /** Waits for the writes before this one: the user may change a setting while a run writes its events. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#written.then(write);
    this.#written = written.catch(() => undefined);
    return written;
  }

  /** Flushes the log to the disk. Throws `NotSavedError`. */
  async sync(): Promise<void> {
    await this.#orNotSaved(async () => this.#opened?.sync());
  }

  /** Closes the log. If it has lines, writes `last` as the last one. Throws if earlier lines are lost. */
  async close(last: string): Promise<void> {
    await this.#written;
    if (this.#opened === undefined && this.#pending.length === 0) return;
    try {
      await this.writeOrDrop(last);
    } catch (error) {
      if (!(error instanceof NotSavedError)) throw error;
      const lost = this.#pending.length;
      // Without its last line, a log is as complete as that of a process that was killed.
      if (lost > 0)
        throw new Error(`${countOf(lost, 'line')} of it cannot be saved and will be lost: ${error.place}`, {
          cause: error,
        });
    } finally {
      await this.#opened?.close();
      this.#opened = undefined;
    }
  }

  async #orNotSaved(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw error instanceof FileSystemError ? new NotSavedError(this.#file, error) : error;
    }
  }
}

/** Failure to write to the log of a session. The message is for the user. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
  /** The file, and why it cannot be written. */
  readonly place: string;

  constructor(file: string, cause: FileSystemError) {
    const place = `${file}: ${cause.reason}`;
    super(`The session cannot be saved in ${place}. Nothing more was done: fix this, then try again.`, { cause });
    this.place = place;
  }
}
