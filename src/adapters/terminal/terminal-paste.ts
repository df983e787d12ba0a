/** What a terminal is told so that it marks pastes, and that it may stop. */
export const PASTE_MARKS_ON = '\u001b[?2004h';
export const PASTE_MARKS_OFF = '\u001b[?2004l';

/**
 * Puts the lines of one message together. Between the marks of a paste, the end of a line belongs to the message;
 * after them the next end of a line sends it.
 */
export class PasteCollector {
  #pasting = false;
  #lines: string[] = [];

  pasteStarts(): void {
    this.#pasting = true;
  }

  pasteEnds(): void {
    this.#pasting = false;
  }

  /** Takes a line; returns the whole message when the line ended one. */
  line(text: string): string | undefined {
    this.#lines.push(text);
    return this.#pasting ? undefined : this.#take();
  }

  /** Whether nothing has been collected. */
  get empty(): boolean {
    return this.#lines.length === 0;
  }

  /** Forgets what has been collected. */
  clear(): void {
    this.#pasting = false;
    this.#take();
  }

  #take(): string {
    const message = this.#lines.join('\n');
    this.#lines = [];
    return message;
  }
}
