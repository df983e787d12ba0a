import { Readable } from 'node:stream';
import type { Clock } from '../../agent/ports/clock.ts';
import type { Key } from '../../terminal/keys/key.ts';
import { InputReader } from './read-input.ts';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const BACKSPACE = /([\b\u007f])/;

/** The receivers of what is not a key for the line editor. */
export interface InputHandlers {
  /** Ctrl-C while the gate is closed. */
  readonly onInterrupt: () => void;
  /** Ctrl-Z. Without a handler it is a key like any other. */
  readonly onSuspend: (() => void) | undefined;
  /** Gets several lines that arrive together while the gate is open. */
  readonly onPaste: (text: string) => void;
  /** Handles Backspace while the gate is open. Returns false if the key must be passed on like any other. */
  readonly onErase: () => boolean;
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
  readonly #reader: InputReader;

  constructor(keyboard: Keyboard, clock: Clock, handlers: InputHandlers) {
    super({ read: () => {} });
    this.#reader = new InputReader(clock, (part) => {
      if (part.type === 'key') this.#pressKeys(charactersOf(part.key));
      else if (part.type === 'characters') this.#pressKeys(part.text);
      else if (this.open) handlers.onPaste(part.text);
    });
    this.#keyboard = keyboard;
    this.#handlers = handlers;
    keyboard.on('data', this.#receive);
    keyboard.on('end', this.#end);
    // A terminal that is closed fails to be read with EIO.
    keyboard.on('error', this.#end);
    // A gate that was detached has paused it.
    keyboard.resume();
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

  /** Drops the start of a line that has arrived and may go on. */
  dropHeld(): void {
    this.#reader.dropHeld();
  }

  /** Stops reading from the keyboard, so that the process can end. */
  detach(): void {
    this.#reader.stop();
    this.#keyboard.off('data', this.#receive);
    this.#keyboard.off('end', this.#end);
    this.#keyboard.pause();
  }

  readonly #receive = (chunk: Buffer): void => this.#reader.push(chunk.toString('latin1'));

  #pressKeys(text: string): void {
    const { onSuspend, onInterrupt } = this.#handlers;
    const [keys = '', ...afterSuspends] = onSuspend === undefined ? [text] : text.split(CTRL_Z);
    if (this.open) this.#edit(keys);
    else if (keys.includes(CTRL_C)) onInterrupt();
    for (const rest of afterSuspends) {
      onSuspend?.();
      this.#pressKeys(rest);
    }
  }

  #edit(keys: string): void {
    for (const part of keys.split(BACKSPACE)) {
      if (BACKSPACE.test(part) && this.#handlers.onErase()) continue;
      // Not `push`, which may deliver later, when the gate may be closed.
      if (part !== '') this.emit('data', part);
    }
  }

  readonly #end = (): void => {
    this.push(null);
  };
}

/** The characters that the simple line editor understands for a key that arrived as a sequence. */
function charactersOf(key: Key): string {
  if (key.type !== 'key') return key.text;
  if (key.name === 'Enter') return '\r';
  if (key.name === 'Backspace') return '\u007f';
  const [, letter = ''] = /^C-([a-z])$/.exec(key.name) ?? [];
  return letter === '' ? '' : String.fromCharCode(letter.charCodeAt(0) - 0x60);
}
