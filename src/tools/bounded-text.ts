import { countLineFeeds } from '../text/line-endings.ts';
import { takeEnd, takeStart } from '../text/truncate.ts';

/** A text of any length of which the beginning and the end are kept. Line numbers count from 1. */
export interface BoundedText {
  readonly head: string;
  /** Empty when nothing is left out: `head` is the whole text then. */
  readonly tail: string;
  /** Absent when nothing is left out. */
  readonly omitted?: { readonly characters: number; readonly firstLine: number; readonly lastLine: number };
  readonly lines: number;
}

/** Collects a text that may grow without bounds, in bounded memory. */
export class BoundedTextCollector {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #whole: string | undefined = '';
  #head = '';
  /** One unit more than is shown: the one before tells whether the tail starts a line. */
  #tail = '';
  #length = 0;
  #newlines = 0;

  /** Keeps at most `limit` UTF-16 units, a quarter of them from the beginning: how it ended matters most. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 4);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** The whole text as long as nothing had to be left out. */
  get whole(): string | undefined {
    return this.#whole;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#newlines += countLineFeeds(text);
    const limit = this.#headLimit + this.#tailLimit;
    if (this.#whole === undefined) {
      this.#tail = (this.#tail + text).slice(-this.#tailLimit - 1);
      return;
    }
    this.#whole += text;
    if (this.#whole.length <= limit) return;
    this.#head = takeStart(this.#whole, this.#headLimit);
    this.#tail = this.#whole.slice(-this.#tailLimit - 1);
    this.#whole = undefined;
  }

  /** What is kept now. Cuts at line ends where one is near, and never inside a character. */
  take(): BoundedText {
    const endsInLine = this.#length > 0 && !(this.#whole ?? this.#tail).endsWith('\n');
    const lines = this.#newlines + (endsInLine ? 1 : 0);
    if (this.#whole !== undefined) return { head: this.#whole, tail: '', lines };
    const head = cutEnd(this.#head);
    const tail = cutStart(takeEnd(this.#tail, this.#tailLimit));
    const firstLine = countLineFeeds(head) + 1;
    // A tail that starts inside a line shares that line with what is left out.
    const tailLines = countLineFeeds(tail) + (endsInLine ? 1 : 0);
    const lastLine = lines - tailLines + (this.#startsLine(tail) ? 0 : 1);
    const characters = this.#length - head.length - tail.length;
    return { head, tail, lines, omitted: { characters, firstLine, lastLine } };
  }

  #startsLine(tail: string): boolean {
    return this.#tail[this.#tail.length - tail.length - 1] === '\n';
  }
}

function cutEnd(text: string): string {
  const lineEnd = text.lastIndexOf('\n') + 1;
  return lineEnd > text.length / 2 ? text.slice(0, lineEnd) : text;
}

function cutStart(text: string): string {
  const lineStart = text.indexOf('\n') + 1;
  return lineStart > 0 && lineStart < text.length / 2 ? text.slice(lineStart) : text;
}
