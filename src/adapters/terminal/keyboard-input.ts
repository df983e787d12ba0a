import { PassThrough, type Readable } from 'node:stream';

/** A terminal as far as it is typed at. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

const CTRL_C = '\u0003';

/**
 * Stands between the keyboard and the line editor. Open, everything passes. Closed, keys are dropped, except that
 * Ctrl-C calls `onInterrupt`: what is typed while nobody asks must not answer the next question.
 */
export class TerminalInputGate extends PassThrough {
  readonly isTTY = true;
  readonly #keyboard: Keyboard;
  readonly #onInterrupt: () => void;
  #open = false;

  constructor(keyboard: Keyboard, onInterrupt: () => void) {
    super();
    this.#keyboard = keyboard;
    this.#onInterrupt = onInterrupt;
    keyboard.on('data', this.#receive);
    keyboard.on('end', this.#end);
  }

  set open(open: boolean) {
    this.#open = open;
  }

  /** The line editor asks its input for raw mode; the keyboard is what has one. */
  setRawMode(raw: boolean): this {
    this.#keyboard.setRawMode(raw);
    return this;
  }

  /** Lets go of the keyboard, so that the process can end. */
  detach(): void {
    this.#keyboard.off('data', this.#receive);
    this.#keyboard.off('end', this.#end);
    this.#keyboard.pause();
  }

  readonly #receive = (chunk: Buffer): void => {
    if (this.#open) this.write(chunk);
    else if (chunk.toString('latin1').includes(CTRL_C)) this.#onInterrupt();
  };

  readonly #end = (): void => {
    this.end();
  };
}

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
