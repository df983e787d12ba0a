import path from 'node:path';
import { FileSystemError, unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { Redactor } from '../../policy/redaction/redact.ts';
import { RedactStream } from '../../policy/redaction/redact-stream.ts';
import { takeStart } from '../../text/truncate.ts';

/** The state of the log of one command. */
export interface ShellLog {
  /** Path of the log; absent if nothing was written. */
  readonly file?: string | undefined;
  /** The reason why the log is incomplete; absent if it is complete. */
  readonly gap?: string | undefined;
}

/** The maximum length of a log in characters, so that a command that prints forever does not fill the disk. */
const MAX_LOG = 64 * 1024 * 1024;

/** The length of output that is written at a time, in characters. */
const PIECE = 16 * 1024;

/**
 * Writes the full output of one command to a file, which is created with the first piece. The output is redacted, and
 * no piece ends within a secret. A failure to write becomes the `gap` of `state` and is not thrown, because it must not
 * end the command.
 */
export class ShellLogWriter {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #name: string;
  readonly #redacted: RedactStream;
  readonly #encoder = new TextEncoder();
  #waiting = '';
  #file: string | undefined;
  #gap: string | undefined;
  #written = 0;

  /** `name` is sanitised for use as a file name, and gets a number if that file already exists. */
  constructor(fileSystem: FileSystem, directory: string, name: string, redactor: Redactor) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#redacted = new RedactStream(redactor);
    this.#name = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80) || 'command';
  }

  get state(): ShellLog {
    return { file: this.#file, gap: this.#gap };
  }

  /** Adds output. A part of it is written at once, and the rest with more output or by `end`. */
  async append(text: string): Promise<void> {
    // Without a place to go to, endless output would fill the memory.
    if (this.#gap !== undefined) return;
    // One line of many megabytes would exceed the stack of regular expressions.
    for (let rest = text; rest !== ''; ) {
      const piece = takeStart(rest, PIECE);
      rest = rest.slice(piece.length);
      this.#waiting += this.#redacted.add(piece);
      if (this.#waiting.length >= PIECE) await this.#writeWaiting();
    }
  }

  /** Writes the rest of the output. */
  async end(): Promise<void> {
    this.#waiting += this.#redacted.end();
    await this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    await this.#write(text);
  }

  async #write(text: string): Promise<void> {
    if (this.#gap !== undefined || text === '') return;
    const part = takeStart(text, MAX_LOG - this.#written);
    try {
      const file = this.#file ?? (await this.#create());
      await this.#fileSystem.appendFile(file, this.#encoder.encode(part));
      this.#file = file;
      this.#written += part.length;
      if (part !== text) this.#gap = `it is limited to ${MAX_LOG / 1024 / 1024} MB`;
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      this.#gap = error.code === 'no_space' ? 'the disk is full' : `it could not be written: ${error.code}`;
    }
  }

  async #create(): Promise<string> {
    await this.#fileSystem.createDirectory(this.#directory);
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : `-${number}`;
      const file = path.join(this.#directory, `${this.#name}${suffix}.log`);
      if ((await unlessFileError(this.#fileSystem.stat(file), 'not_found')) === undefined) return file;
    }
  }
}
