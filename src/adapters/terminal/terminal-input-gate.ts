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
