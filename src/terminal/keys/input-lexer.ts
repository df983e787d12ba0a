import { lengthOfBeginning } from '../../text/length-of-beginning.ts';
import type { Key } from './key.ts';
import {
  characterLength,
  charactersEnd,
  decodeUtf8,
  ESC,
  isIntroducer,
  scanSequence,
  withoutContent,
} from './scan-sequence.ts';
import { KeyEvents } from './win32-input.ts';

/**
 * A part of the input of a terminal. `characters`: typed characters, control characters among them; `key`: a key that
 * arrived as a sequence; `paste`: the text of one whole paste.
 */
export type InputToken =
  | { readonly type: 'characters' | 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly key: Key };

/** Milliseconds after which the start of a sequence is the key Escape, or one with Alt. */
const ESCAPE_MS = 100;
/** Milliseconds that a sequence waits for its rest. No key begins with as much of a sequence as has arrived. */
const SEQUENCE_MS = 500;
/** Milliseconds that a paste waits for its rest. */
const PASTE_MS = 1_000;
/** Milliseconds for which the rest of a sequence is still recognised after its time has passed. */
const LATE_MS = 1_000;

const ESCAPE: Key = { type: 'key', name: 'Esc' };
const BEL = '\u0007';
const CTRL_C = '\u0003';
const STRING_END = '\\';

/** A paste whose end has not arrived. */
interface OpenPaste {
  readonly end: string;
  bytes: string;
  dropped: boolean;
}

/**
 * Splits the input of a terminal by the grammar of control sequences (ECMA-48, section 5, with what xterm, rxvt, the Linux
 * console and the kitty keyboard protocol add), wherever its chunks end. Sequences that are no keys – replies of the
 * terminal, reports of its mouse and its focus – are dropped. Bytes are the characters U+0000 to U+00FF of a string.
 */
export class InputLexer {
  /** The start of a character or of a sequence whose rest has not arrived. */
  #held = '';
  #paste: OpenPaste | undefined;
  /** The time of what is held has passed: only its rest belongs to it, and not a key that is pressed. */
  #late = false;
  readonly #events = new KeyEvents();
  /** The start of a key event of Windows. */
  #start = '';

  /** The milliseconds after which `elapse` is due, unless more bytes arrive before. */
  get waitMs(): number | undefined {
    if (this.#start !== '') return ESCAPE_MS;
    if (this.#paste !== undefined) return this.#late ? undefined : PASTE_MS;
    const scanned = scanSequence(this.#held, 0);
    if (scanned?.type !== 'more') return undefined;
    if (this.#late) return LATE_MS;
    return scanned.sure ? SEQUENCE_MS : ESCAPE_MS;
  }

  /** The tokens that more bytes complete. */
  push(bytes: string): readonly InputToken[] {
    const arrived = this.#withoutEvents(bytes);
    if (arrived === '') return [];
    if (this.#isOver(arrived)) {
      this.#held = '';
      this.#paste = undefined;
    }
    this.#late = false;
    return this.#split(this.#held + arrived);
  }

  /** More bytes, in which the key events of Windows are sequences and characters as others send them. */
  #withoutEvents(arrived: string): string {
    // A paste may contain anything, unless the terminal sends also its text as key events.
    if (this.#paste !== undefined && !this.#events.areSent) return arrived;
    const given = this.#held + this.#start + arrived;
    const length = this.#events.startLength(given);
    this.#start = given.slice(given.length - length);
    const bytes = this.#events.translate(given.slice(0, given.length - length));
    if (bytes.startsWith(this.#held)) return bytes.slice(this.#held.length);
    this.#held = '';
    return bytes;
  }

  /** The tokens of held input after its time has passed. */
  elapse(): readonly InputToken[] {
    if (this.#start !== '') {
      const start = this.#start;
      this.#start = '';
      return this.#split(this.#held + start);
    }
    if (this.#paste !== undefined) {
      const { bytes, dropped } = this.#paste;
      this.#paste.bytes = '';
      this.#late = true;
      return dropped || bytes === '' ? [] : [{ type: 'paste', text: decodeUtf8(bytes) }];
    }
    const isEscape = !this.#late && this.#held !== '' && this.#held.replaceAll(ESC, '') === '';
    const escapes = isEscape ? [...this.#held].map((): InputToken => ({ type: 'key', key: ESCAPE })) : [];
    this.#held = isEscape ? ESC : this.#late ? '' : this.#held;
    this.#late = this.#held !== '';
    return escapes;
  }

  /** Drops the paste that has not ended. The next single key ends it, if its end does not come. */
  dropPaste(): void {
    if (this.#paste !== undefined) this.#paste.dropped = true;
  }

  /** True if bytes are not the rest of what has begun: they were typed, or its end was lost. */
  #isOver(arrived: string): boolean {
    const isSingle = characterLength(arrived, 0) === arrived.length;
    const bytes = this.#held + arrived;
    if (this.#paste !== undefined) {
      if (arrived === CTRL_C) return true;
      if (!this.#late && !this.#paste.dropped) return false;
      const isMarker = bytes.startsWith(this.#paste.end) || this.#paste.end.startsWith(bytes);
      return !isMarker && (isSingle || (this.#late && arrived.startsWith(ESC)));
    }
    if (!this.#late) return false;
    const scanned = scanSequence(bytes, 0);
    if (scanned?.type !== 'done' || scanned.end < this.#held.length) return true;
    const isFollowed = scanned.end < bytes.length && bytes[scanned.end] !== ESC;
    if (this.#held === ESC) return isSingle || !isIntroducer(arrived[0]) || isFollowed;
    return isSingle && arrived !== BEL && !(arrived === STRING_END && this.#held.endsWith(ESC));
  }

  #split(bytes: string): readonly InputToken[] {
    const tokens: InputToken[] = [];
    let at = 0;
    while (at < bytes.length) {
      const paste = this.#paste;
      if (paste !== undefined) {
        const index = bytes.indexOf(paste.end, at);
        const end = index >= 0 ? index : bytes.length - lengthOfBeginning(bytes, paste.end);
        paste.bytes += bytes.slice(at, Math.max(at, end));
        at = Math.max(at, end);
        if (index < 0) break;
        if (!paste.dropped && paste.bytes !== '') tokens.push({ type: 'paste', text: decodeUtf8(paste.bytes) });
        this.#paste = undefined;
        at += paste.end.length;
        continue;
      }
      const end = charactersEnd(bytes, at);
      if (end > at) tokens.push({ type: 'characters', text: decodeUtf8(bytes.slice(at, end)) });
      at = end;
      const scanned = scanSequence(bytes, at);
      if (scanned?.type !== 'done') break;
      if (scanned.key !== undefined) tokens.push({ type: 'key', key: scanned.key });
      if (scanned.paste !== undefined) this.#paste = { end: scanned.paste, bytes: '', dropped: false };
      at = scanned.end;
    }
    this.#held = withoutContent(bytes.slice(at));
    return tokens;
  }
}
