import { ESC } from './scan-sequence.ts';

/**
 * A key event of win32-input-mode, `CSI Vk;Sc;Uc;Kd;Cs;Rc _`, which ConPTY and Windows Terminal send after a program
 * has asked for it, and go on to send if that program did not end the mode.
 */
const EVENT = new RegExp(`${ESC}\\[(\\d*;\\d*;\\d*;[01]?(?:;\\d*){0,2})_`, 'g');

/** The end of a text that may be the start of an event. */
const EVENT_START = new RegExp(`${ESC}(?:\\[[\\d;]*)?$`);

/** Bits of the state of the control keys. */
const [ALT, CTRL, SHIFT] = [0x3, 0xc, 0x10];

/** The key Alt, whose release has the character of a code that was typed with it. */
const ALT_KEY = 18;

/** The ends of sequences by the virtual key: a letter, or a number before `~`. */
const SEQUENCES: Readonly<Record<number, string>> = {
  ...{ 33: '5~', 34: '6~', 35: 'F', 36: 'H', 37: 'D', 38: 'A', 39: 'C', 40: 'B', 45: '2~', 46: '3~' },
};

/** Keys whose sequences with modifiers are those of `modifyOtherKeys`, by their character. */
const CODES: Readonly<Record<number, number>> = { 8: 127, 9: 9, 13: 13 };

/** The key events of a terminal, as the sequences and characters that it sends without the mode. */
export class KeyEvents {
  /** The first half of a character beyond U+FFFF, which comes as two events. */
  #high = 0;
  /** True after the first event: the terminal sends each key as events. */
  areSent = false;

  /** The length of the end of a text that may be the start of an event. */
  startLength(bytes: string): number {
    this.areSent ||= bytes.includes('_') && bytes.search(EVENT) >= 0;
    return this.areSent ? (EVENT_START.exec(bytes)?.[0].length ?? 0) : 0;
  }

  /** Bytes without events. */
  translate(bytes: string): string {
    if (!this.areSent) return bytes;
    return bytes.replace(EVENT, (_event, parameters: string) => {
      const [key = 0, , unit = 0, isDown = 0, state = 0, count = 1] = parameters.split(';').map(Number);
      if (isDown === 0 && !(key === ALT_KEY && unit !== 0)) return '';
      if (unit >= 0xd800 && unit < 0xdc00) {
        this.#high = unit;
        return '';
      }
      const isLow = unit >= 0xdc00 && unit < 0xe000;
      const text = String.fromCharCode(...(isLow ? [this.#high, unit] : [unit]));
      return bytesOf(key, text, isDown === 0 ? 0 : state).repeat(Math.min(Math.max(count, 1), MAX_COUNT));
    });
  }
}

const MAX_COUNT = 100;

function bytesOf(key: number, text: string, state: number): string {
  const [alt, ctrl, shift] = [ALT, CTRL, SHIFT].map((bits) => (state & bits) !== 0);
  const modifiers = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  const sequence = SEQUENCES[key];
  if (sequence !== undefined) {
    const [, number = '', end = ''] = /^(\d?)(.)$/.exec(sequence) ?? [];
    return modifiers === 1 ? `${ESC}[${sequence}` : `${ESC}[${number === '' ? '1' : number};${modifiers}${end}`;
  }
  const code = CODES[key];
  if (code !== undefined) return modifiers === 1 ? String.fromCharCode(code) : `${ESC}[27;${modifiers};${code}~`;
  if (text === '\0') return ctrl && key >= 65 && key <= 90 ? String.fromCharCode(key - 64) : '';
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  // AltGr is Ctrl and Alt, and its character is text.
  return alt && !ctrl ? `${ESC}${bytes}` : bytes;
}
