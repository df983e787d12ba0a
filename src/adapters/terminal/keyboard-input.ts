import { PassThrough, type Readable } from 'node:stream';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

const CTRL_C = '\u0003';

/**
 * Passes keys from the keyboard to the line editor while `open` is set. Otherwise it drops keys, so that they do
 * not answer the next question; only Ctrl-C calls `onInterrupt`.
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

  /** Sets the raw mode of the keyboard, which the line editor requests from its input. */
  setRawMode(raw: boolean): this {
    this.#keyboard.setRawMode(raw);
    return this;
  }

  /** Stops reading from the keyboard, so that the process can end. */
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

/** Control sequences that turn the bracketed paste mode of a terminal on and off. */
export const BRACKETED_PASTE_ON = '\u001b[?2004h';
export const BRACKETED_PASTE_OFF = '\u001b[?2004l';

/**
 * Collects the lines of one message. A line end within a paste is part of the message; the first line end outside a
 * paste completes it.
 */
export class PasteCollector {
  #pasting = false;
  #lines: string[] = [];

  startPaste(): void {
    this.#pasting = true;
  }

  endPaste(): void {
    this.#pasting = false;
  }

  /** Adds a line. Returns the message if the line completes it, else `undefined`. */
  addLine(text: string): string | undefined {
    this.#lines.push(text);
    return this.#pasting ? undefined : this.#take();
  }

  /** True if no line has been collected. */
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Discards the collected lines. */
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
