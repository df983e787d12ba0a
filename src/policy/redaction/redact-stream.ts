import type { Redactor } from './redact.ts';

/** The maximum length of text that waits for the end of a secret: that of a private key, with room to spare. */
const MAX_WAITING = 64 * 1024;

/** Redacts a text that arrives in pieces, as if it had arrived in one. Holds back what may be the start of a secret. */
export class RedactStream {
  readonly #redactor: Redactor;
  #waiting = '';
  /** Stands for a letter before `#waiting` in the redacted text; empty if a word begins there. */
  #before = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Adds a piece, and returns the text that is ready. */
  add(piece: string): string {
    this.#waiting += piece;
    const { length } = this.#before;
    const start = Math.max(0, this.#redactor.unfinishedStart(this.#before + this.#waiting) - length);
    const ready = this.#splits(start) ? 0 : start;
    return this.#take(this.#waiting.length - ready > MAX_WAITING ? this.#waiting.length : ready);
  }

  /** Returns the text that waits. The next piece begins a new text. */
  end(): string {
    const rest = this.#take(this.#waiting.length);
    this.#before = '';
    return rest;
  }

  /** True if a secret begins before this index and ends after it. */
  #splits(index: number): boolean {
    const { redact } = this.#redactor;
    const text = this.#waiting;
    const clean = redact(text);
    return clean !== text && redact(text.slice(0, index)) + redact(text.slice(index)) !== clean;
  }

  #take(length: number): string {
    if (length === 0) return '';
    const text = this.#waiting.slice(0, length);
    const clean = this.#redactor.redact(this.#before + text).slice(this.#before.length);
    this.#waiting = this.#waiting.slice(length);
    this.#before = /\w$/.test(clean) ? '_' : '';
    return clean;
  }
}
