import { countLineFeeds } from '../../text/line-endings.ts';
import { takeEnd, takeStart } from '../../text/truncate.ts';

/** The beginning and the end of a text of any length. Line numbers count from 1. */
export interface BoundedText {
  readonly head: string;
  /** Empty if `head` is the whole text. */
  readonly tail: string;
  /** The part between them; absent if `head` is the whole text. */
  readonly omitted?: { readonly characters: number; readonly firstLine: number; readonly lastLine: number };
  readonly lines: number;
}

/** Collects a text of any length in bounded memory. */
export class BoundedTextCollector {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #whole: string | undefined = '';
  #head = '';
  /** One unit longer than the returned tail. The extra unit shows whether the tail starts a line. */
  #tail = '';
  #length = 0;
  #newlines = 0;

  /** Keeps at most `limit` UTF-16 units. Only a quarter of them is from the beginning, because the end matters most. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 4);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** The whole text while it fits the limit; `undefined` after that. */
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

  /** Returns the kept text. It is cut at a line end if one is near, and never inside a character. */
  take(): BoundedText {
    const endsInLine = this.#length > 0 && !(this.#whole ?? this.#tail).endsWith('\n');
    const lines = this.#newlines + (endsInLine ? 1 : 0);
    if (this.#whole !== undefined) return { head: this.#whole, tail: '', lines };
    const head = cutEnd(this.#head);
    const tail = cutStart(takeEnd(this.#tail, this.#tailLimit));
    const firstLine = countLineFeeds(head) + 1;
    // A tail that starts inside a line shares that line with the omitted part.
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
