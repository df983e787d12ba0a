import { FileSystemError } from '../../core/errors.ts';
import type { AppendFile } from '../../ports/file-system.ts';

/** Writes the lines of one log, one write each. A line that could not be written is written before the next one. */
export class LogWriter {
  readonly #file: string;
  readonly #open: () => Promise<AppendFile>;
  #opened: AppendFile | undefined;
  #pending: readonly string[] = [];

  /** `open` opens the log when the first line is written. */
  constructor(file: string, open: () => Promise<AppendFile>) {
    this.#file = file;
    this.#open = open;
  }

  /** True once a line has been written. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** Writes a line. Throws `NotSavedError`; the line then belongs to the next call. */
  async write(line: string): Promise<void> {
    this.#pending = [...this.#pending, line];
    await this.#orNotSaved(async () => {
      this.#opened ??= await this.#open();
      for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
        await this.#opened.append(new TextEncoder().encode(`${next}\n`));
        this.#pending = this.#pending.slice(1);
      }
    });
  }

  /** Flushes the log to the disk. Throws `NotSavedError`. */
  async sync(): Promise<void> {
    await this.#orNotSaved(async () => this.#opened?.sync());
  }

  async close(): Promise<void> {
    await this.#orNotSaved(async () => this.#opened?.close());
    this.#opened = undefined;
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

  constructor(file: string, cause: FileSystemError) {
    const reason = cause.code === 'no_space' ? 'the disk is full' : cause.code;
    super(
      `The session cannot be saved in ${file}: ${reason}. The run was stopped, and nothing is lost while ybs runs: solve this, then go on.`,
      { cause },
    );
  }
}
