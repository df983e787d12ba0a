import { StringDecoder } from 'node:string_decoder';

/** Control sequences that turn the bracketed paste mode of a terminal on and off. */
export const BRACKETED_PASTE_ON = '\u001b[?2004h';
export const BRACKETED_PASTE_OFF = '\u001b[?2004l';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const CTRL_C = '\u0003';

/** A part of the input: keys, or the text of one whole paste. */
export type InputPart = { readonly type: 'keys' | 'paste'; readonly text: string };

/** Splits input into keys and pastes, wherever its chunks end. Without bracketed paste everything is keys. */
export class PasteSplitter {
  readonly #decoder = new StringDecoder('utf8');
  /** The start of a marker whose rest has not arrived. */
  #held = '';
  #paste: string | undefined;
  #dropped = false;

  /** The parts that a chunk completes. */
  push(chunk: Buffer): readonly InputPart[] {
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
        this.#dropped = false;
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
