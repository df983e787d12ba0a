import type { Key } from './key.ts';

/**
 * A control sequence of ECMA-48, section 5.4: what stands between `CSI` and its end. Parameters are separated by `;`, their
 * parts by `:`; a leading `<`, `=`, `>` or `?` makes the sequence private.
 */
export interface ControlSequence {
  readonly parameters: string;
  readonly intermediates: string;
  readonly final: string;
}

/** Modifiers of a key, as bits: the parameter of a sequence is 1 more than their sum. */
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const CAPS_LOCK = 64;
const NUM_LOCK = 128;
/** xterm's Meta, which iTerm2 sends for Option with an arrow; Super in the kitty keyboard protocol. */
const META = 8;
/** Super, Hyper and Meta, with which no key has a use. */
const OTHERS = ~(SHIFT | ALT | CTRL | CAPS_LOCK | NUM_LOCK);

/** The event type of a released key in the kitty keyboard protocol. */
const RELEASED = 3;

/** Keys by the final letter of their sequence; `SS3` uses the same letters. */
const BY_LETTER: Readonly<Record<string, string>> = {
  A: 'Up',
  B: 'Down',
  C: 'Right',
  D: 'Left',
  E: 'Begin',
  F: 'End',
  H: 'Home',
  Z: 'S-Tab',
};

/** Keys by the number of a sequence that ends with `~`, and in rxvt with `^`, `$` or `@`. Function keys have no use here. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: 'Home',
  2: 'Insert',
  3: 'Delete',
  4: 'End',
  5: 'PageUp',
  6: 'PageDown',
  7: 'Home',
  8: 'End',
};

/**
 * Keys of the keypad in application mode, by the letter after `SS3`. ybs does not switch that mode on, and Konsole sends
 * that of Enter for Shift-Enter: https://github.com/anthropics/claude-code/issues/2115.
 */
const KEYPAD: Readonly<Record<string, string>> = {
  ' ': ' ',
  I: 'Tab',
  M: 'S-Enter',
  X: '=',
  ...Object.fromEntries([...'jklmnopqrstuvwxy'].map((letter, index) => [letter, '*+,-./0123456789'[index] ?? ''])),
};

/** Keys by their code in the kitty keyboard protocol and in `modifyOtherKeys`; any other code is that of a character. */
const BY_CODE: Readonly<Record<number, string>> = {
  8: 'Backspace',
  9: 'Tab',
  13: 'Enter',
  27: 'Esc',
  127: 'Backspace',
  ...numbered(57399, [...'0123456789./*-+', 'Enter', '=', ',']),
  ...numbered(57417, ['Left', 'Right', 'Up', 'Down', 'PageUp', 'PageDown', 'Home', 'End', 'Insert', 'Delete', 'Begin']),
};

/** The private-use characters that stand for keys in the kitty keyboard protocol. */
const FIRST_KEY_CODE = 0xe000;
const LAST_KEY_CODE = 0xf8ff;

/** Keys with Ctrl for which a terminal without a keyboard protocol sends the byte of another key. */
const SAME_WITH_CTRL: Readonly<Record<string, string>> = {
  'C-Enter': 'Enter',
  'C-i': 'Tab',
  'C-m': 'Enter',
  'C-[': 'Esc',
  'C-/': 'C-_',
  'C-7': 'C-_',
  'C-S-_': 'C-_',
  'C-S--': 'C-_',
};

/** The key of a control sequence; `undefined` for the reply of a terminal, a report of its mouse, and any key without use. */
export function keyOfControlSequence({ parameters, intermediates, final }: ControlSequence): Key | undefined {
  if (intermediates === '$' && final === '') return numberedKey(parameters, SHIFT);
  if (intermediates !== '' || !/^[\d:;]*$/.test(parameters)) return undefined;
  const [first = '', second = '', third = '', ...more] = parameters.split(';');
  if (more.length > 0) return undefined;
  const [modifiers = 1, event] = second.split(':').map(Number);
  if (event === RELEASED) return undefined;
  const bits = Math.max(0, modifiers - 1);
  if (final === 'u') return codedKey(first, bits, third);
  if (final === '~' && first === '27' && third !== '') return codedKey(third, bits);
  if (third !== '') return undefined;
  if (final === '~') return first === '57427' ? undefined : numberedKey(first, bits);
  if (second === '' && final === '^') return numberedKey(first, CTRL);
  if (second === '' && final === '@') return numberedKey(first, CTRL | SHIFT);
  if (parameters === '' && /^[a-d]$/.test(final)) return named(BY_LETTER[final.toUpperCase()], SHIFT);
  return first === '' || first === '1' ? named(BY_LETTER[final], bits === META ? ALT : bits) : undefined;
}

/** The key of a sequence that `SS3` introduces. Some terminals put the modifiers before its letter. */
export function keyOfSs3(parameters: string, final: string): Key | undefined {
  const bits = Math.max(0, Number(parameters.split(';').at(-1) || 1) - 1);
  if (/^[a-d]$/.test(final)) return named(BY_LETTER[final.toUpperCase()], CTRL);
  const keypad = KEYPAD[final];
  if (keypad?.length === 1) return { type: 'text', text: keypad };
  return named(BY_LETTER[final] ?? keypad, bits);
}

/** The key of a character without Alt: a control character is a key, any other one text. */
export function keyOfCharacter(character: string): Key | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x1f) return { type: 'key', name: 'C-_' };
  if (BY_CODE[code] !== undefined && code < 0x80) return named(BY_CODE[code], 0);
  if (code > 0x1f && !isControl(code)) return { type: 'text', text: character };
  return code >= 1 && code <= 26 ? { type: 'key', name: `C-${String.fromCharCode(code + 0x60)}` } : undefined;
}

/** The key of a character after Escape, which terminals send for Alt. */
export function withAlt(key: Key | undefined): Key | undefined {
  if (key?.type !== 'key') return key && { type: 'key', name: `M-${key.text.toLowerCase()}` };
  return { type: 'key', name: key.name.startsWith('C-') ? `C-M-${key.name.slice(2)}` : `M-${key.name}` };
}

/** The key of a code with its alternatives, `code:shifted:base`, and of the code points of its text, if they are known. */
function codedKey(codes: string, bits: number, textCodes = ''): Key | undefined {
  const [code = 0, shifted = 0] = codes.split(':').map(Number);
  const known = BY_CODE[code];
  if (known !== undefined && (known.length > 1 || (bits & (CTRL | ALT)) !== 0)) return named(known, bits);
  if ((bits & OTHERS) !== 0) return undefined;
  if ((bits & (CTRL | ALT)) !== 0) return named(characterOf(code)?.toLowerCase(), bits, 'character');
  const isUpper = ((bits & SHIFT) !== 0) !== ((bits & CAPS_LOCK) !== 0);
  const typed = textCodes === '' ? [shifted > 0 && isUpper ? shifted : code] : textCodes.split(':').map(Number);
  const characters = typed.map((point) => (point === code && known !== undefined ? known : characterOf(point)));
  if (characters.length === 0 || characters.includes(undefined)) return undefined;
  const text = characters.join('');
  return { type: 'text', text: isUpper && textCodes === '' && shifted === 0 ? text.toUpperCase() : text };
}

/** The character of a code point; `undefined` for control characters, and for the codes of keys in the private-use area. */
function characterOf(code: number): string | undefined {
  const isKey = code >= FIRST_KEY_CODE && code <= LAST_KEY_CODE;
  return isKey || isControl(code) || !(code <= 0x10ffff) ? undefined : String.fromCodePoint(code);
}

function numberedKey(number: string, bits: number): Key | undefined {
  return named(BY_NUMBER[number], bits);
}

/** A key with its modifiers. With another modifier, such as Super, it is ignored. */
function named(name: string | undefined, bits: number, kind: 'key' | 'character' = 'key'): Key | undefined {
  if (name === undefined || (bits & OTHERS) !== 0) return undefined;
  const isShown = name === 'Tab' || name === 'Enter' || (kind === 'character' && (bits & CTRL) !== 0);
  const shift = (bits & SHIFT) !== 0 && isShown ? 'S-' : '';
  const modified = `${(bits & CTRL) === 0 ? '' : 'C-'}${(bits & ALT) === 0 ? '' : 'M-'}${shift}${name}`;
  return { type: 'key', name: SAME_WITH_CTRL[modified] ?? modified };
}

function numbered(first: number, names: readonly string[]): Readonly<Record<number, string>> {
  return Object.fromEntries(names.map((name, index) => [first + index, name]));
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
