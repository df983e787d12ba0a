import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

/** Control sequences that turn the bracketed paste mode of a terminal on and off. */
export const BRACKETED_PASTE_ON = '\u001b[?2004h';
export const BRACKETED_PASTE_OFF = '\u001b[?2004l';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';

/** A part of the input: keys, or the text of one whole paste. */
type InputPart = { readonly type: 'keys' | 'paste'; readonly text: string };

/** Splits input into keys and pastes, wherever its chunks end. Without bracketed paste everything is keys. */
export class PasteSplitter {
  readonly #decoder = new StringDecoder('utf8');
  /** The start of a marker whose rest has not arrived. */
  #held = '';
  #paste: string | undefined;
  #dropped = false;

  /** The parts that a chunk completes. `wanted`: a paste that starts in it is reported when it is complete. */
  push(chunk: Buffer, wanted: boolean): readonly InputPart[] {
    const arrived = this.#decoder.write(chunk);
    // A single key ends a paste whose end never comes; otherwise the keyboard would be dead.
    if (this.#paste !== undefined && (arrived === CTRL_C || (this.#dropped && arrived.length === 1))) {
      this.#paste = undefined;
      this.#held = '';
    }
    const parts: InputPart[] = [];
    let text = this.#held + arrived;
    for (;;) {
      const marker = this.#paste === undefined ? PASTE_START : PASTE_END;
      const index = text.indexOf(marker);
      const found = index >= 0;
      const part = found ? text.slice(0, index) : text.slice(0, text.length - pendingLength(text, marker));
      if (this.#paste !== undefined) this.#paste += part;
      else if (part !== '') parts.push({ type: 'keys', text: part });
      text = text.slice(part.length + (found ? marker.length : 0));
      if (!found) break;
      if (this.#paste === undefined) {
        this.#paste = '';
        this.#dropped = !wanted;
      } else {
        if (!this.#dropped) parts.push({ type: 'paste', text: this.#paste });
        this.#paste = undefined;
      }
    }
    this.#held = text;
    return parts;
  }

  /** Drops the paste that has not ended. */
  dropPaste(): void {
    this.#dropped = true;
  }
}

/**
 * The length of the start of `marker` at the end of a text. The first two characters alone are a key that was pressed,
 * Escape or Alt-[, which must not wait for the next one.
 */
function pendingLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return length < 3 && text.length === length ? 0 : length;
  }
  return 0;
}

/** The receivers of what is not a key for the line editor. */
export interface InputHandlers {
  /** Gets a paste while the gate is open. */
  readonly onPaste: (text: string) => void;
  /** Ctrl-C while the gate is closed. */
  readonly onInterrupt: () => void;
  /** Ctrl-Z. Without a handler it is a key like any other. */
  readonly onSuspend: (() => void) | undefined;
}

/**
 * Passes keys from the keyboard to the line editor while `open` is set. Otherwise it drops keys and pastes, so that
 * they do not answer the next question. Ends when the terminal is closed.
 */
export class TerminalInputGate extends Readable {
  readonly isTTY = true;
  open = false;
  readonly #keyboard: Keyboard;
  readonly #handlers: InputHandlers;
  readonly #splitter = new PasteSplitter();

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

  /** Drops the keys of a paste that has begun. */
  dropPaste(): void {
    this.#splitter.dropPaste();
  }

  /** Stops reading from the keyboard, so that the process can end. */
  detach(): void {
    this.#keyboard.off('data', this.#receive);
    this.#keyboard.off('end', this.#end);
    this.#keyboard.pause();
  }

  readonly #receive = (chunk: Buffer): void => {
    for (const { type, text } of this.#splitter.push(chunk, this.open)) {
      if (type === 'keys') this.#pressKeys(text);
      else if (this.open) this.#handlers.onPaste(text);
    }
  };

  #pressKeys(text: string): void {
    const { onSuspend, onInterrupt } = this.#handlers;
    const [keys = '', ...afterSuspends] = onSuspend === undefined ? [text] : text.split(CTRL_Z);
    // Not `push`, which may deliver later: a paste must not overtake the keys before it.
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
