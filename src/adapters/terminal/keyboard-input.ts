import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';

/** The receivers of what is not a key for the line editor. */
export interface InputHandlers {
  /** Ctrl-C while the gate is closed. */
  readonly onInterrupt: () => void;
  /** Ctrl-Z. Without a handler it is a key like any other. */
  readonly onSuspend: (() => void) | undefined;
}

/**
 * Passes keys from the keyboard to the line editor while `open` is set. Otherwise it drops them, so that they do not
 * answer the next question. Ends when the terminal is closed.
 */
export class TerminalInputGate extends Readable {
  readonly isTTY = true;
  open = false;
  readonly #keyboard: Keyboard;
  readonly #handlers: InputHandlers;
  readonly #decoder = new StringDecoder('utf8');

  constructor(keyboard: Keyboard, handlers: InputHandlers) {
    super({ read: () => {} });
    this.#keyboard = keyboard;
    this.#handlers = handlers;
    keyboard.on('data', this.#receive);
    keyboard.on('end', this.#end);
    // A terminal that is closed fails to be read with EIO.
    keyboard.on('error', this.#end);
  }

  /** Sets the raw mode of the keyboard, which the line editor requests from its input. */
  setRawMode(raw: boolean): this {
    try {
      if (!this.#keyboard.destroyed) this.#keyboard.setRawMode(raw);
    } catch {
      // The terminal has been closed, so it has no mode.
    }
    return this;
  }

  /** Stops reading from the keyboard, so that the process can end. */
  detach(): void {
    this.#keyboard.off('data', this.#receive);
    this.#keyboard.off('end', this.#end);
    this.#keyboard.pause();
  }

  readonly #receive = (chunk: Buffer): void => this.#pressKeys(this.#decoder.write(chunk));

  #pressKeys(text: string): void {
    const { onSuspend, onInterrupt } = this.#handlers;
    const [keys = '', ...afterSuspends] = onSuspend === undefined ? [text] : text.split(CTRL_Z);
    // Not `push`, which may deliver later, when the gate may be closed.
    if (this.open && keys !== '') this.emit('data', keys);
    else if (keys.includes(CTRL_C)) onInterrupt();
    for (const rest of afterSuspends) {
      onSuspend?.();
      this.#pressKeys(rest);
    }
  }

  readonly #end = (): void => {
    this.push(null);
  };
}
