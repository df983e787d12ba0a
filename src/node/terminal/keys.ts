import { emitKeypressEvents, type Key as NodeKey } from 'node:readline';
import { PassThrough, type Writable } from 'node:stream';
import type { Clock } from '../../agent/ports/clock.ts';
import type { Key } from '../../terminal/editor/key.ts';
import type { KeyHandlers, KeySource } from '../../terminal/editor/terminal-ports.ts';
import { InputBursts } from './input-bursts.ts';
import type { Keyboard } from './keyboard-input.ts';
import { BRACKETED_PASTE_OFF, BRACKETED_PASTE_ON, PasteSplitter } from './paste-splitter.ts';

const ESCAPE = '\u001b';

/** The time after which Escape is a key of its own, and not the start of the sequence of another key. */
const ESCAPE_MS = 50;

/** The names of keys that Node.js reports under other names. */
const NAMES: Readonly<Record<string, string>> = {
  return: 'Enter',
  enter: 'C-j',
  escape: 'Esc',
  backspace: 'Backspace',
  delete: 'Delete',
  tab: 'Tab',
  left: 'Left',
  right: 'Right',
  up: 'Up',
  down: 'Down',
  home: 'Home',
  end: 'End',
};

/** Keys that Node.js does not name, by their sequences. */
const SEQUENCES: Readonly<Record<string, string>> = {
  '\u001f': 'C-_',
  '\u001b[13;2u': 'S-Enter',
  '\u001b[27;2;13~': 'S-Enter',
};

/** The keys of a keyboard in raw mode, decoded by Node.js; a bracketed paste is one key. */
export function createKeySource(keyboard: Keyboard, screen: Writable, clock: Clock): KeySource {
  const decoder = new PassThrough();
  const splitter = new PasteSplitter();
  let handlers: KeyHandlers | undefined;
  /** Escape characters at the end of the input, which may be the start of a sequence. */
  let escapes = '';
  let waiting: AbortController | undefined;
  let active = false;
  let wasActive = false;
  /** True until the first input in raw mode, which may have been typed before it, when the terminal sent Enter as Ctrl-J. */
  let mayBeEarlier = false;

  decoder.on('keypress', (text: string | undefined, key: NodeKey) => {
    const decoded = keyOf(text, key);
    if (decoded !== undefined) handlers?.onKey(decoded);
  });
  emitKeypressEvents(decoder);

  const receive = (chunk: Buffer): void => {
    const isEarlier = mayBeEarlier && chunk.length > 1;
    mayBeEarlier = false;
    for (const part of splitter.push(chunk)) {
      if (part.type === 'keys') bursts.push(isEarlier ? part.text.replaceAll(/(?<!\r)\n/g, '\r') : part.text);
      else {
        bursts.flush();
        handlers?.onKey({ type: 'paste', text: part.text });
      }
    }
  };
  const bursts = new InputBursts(clock, ({ type, text }) => {
    if (type === 'keys') decode(text);
    else handlers?.onKey({ type, text });
  });
  const decode = (arrived: string): void => {
    waiting?.abort();
    const text = escapes + arrived;
    let end = text.length;
    while (text[end - 1] === ESCAPE) end -= 1;
    const complete = text.slice(0, end);
    escapes = text.slice(end);
    // Not `push`, which may deliver later: a paste must not overtake the keys before it.
    if (complete !== '') decoder.emit('data', complete);
    if (escapes === '') return;
    waiting = new AbortController();
    clock.sleep(ESCAPE_MS, waiting.signal).then(pressEscape, () => undefined);
  };
  const pressEscape = (): void => {
    const count = escapes.length;
    escapes = '';
    for (let pressed = 0; pressed < count; pressed += 1) handlers?.onKey({ type: 'key', name: 'Esc' });
  };
  const close = (): void => {
    handlers?.onEnd();
  };
  const setModes = (on: boolean): void => {
    if (on || active) screen.write(on ? BRACKETED_PASTE_ON : BRACKETED_PASTE_OFF);
    active = on;
    mayBeEarlier = on;
    // Another program that has the terminal must get its keys.
    if (on) keyboard.resume();
    else keyboard.pause();
    try {
      // Node.js does nothing when the mode is the one that it set last, and the shell may have changed it.
      if (on && wasActive && !keyboard.destroyed) keyboard.setRawMode(false);
      if (!keyboard.destroyed) keyboard.setRawMode(on);
      wasActive = true;
    } catch {
      // The terminal has been closed, so it has no mode.
    }
  };

  return {
    start(receivers) {
      handlers = receivers;
      setModes(true);
      keyboard.on('data', receive);
      keyboard.on('end', close);
      // A terminal that is closed fails to be read with EIO.
      keyboard.on('error', close);
    },
    setModes,
    dropPaste: () => splitter.dropPaste(),
    stop() {
      waiting?.abort();
      bursts.stop();
      setModes(false);
      keyboard.off('data', receive);
      keyboard.off('end', close);
    },
  };
}

function keyOf(text: string | undefined, { name, sequence = '', ctrl, meta, shift }: NodeKey): Key | undefined {
  const special = SEQUENCES[sequence];
  if (special !== undefined) return { type: 'key', name: special };
  const isPrintable = text !== undefined && ctrl !== true && meta !== true && !/^[\p{Cc}]/u.test(text);
  if (isPrintable && !sequence.startsWith(ESCAPE)) return { type: 'text', text };
  if (name === undefined || name === 'undefined') return undefined;
  const known = NAMES[name] ?? name;
  if (known === 'Esc') return { type: 'key', name: known };
  const modifiers = `${ctrl === true ? 'C-' : ''}${meta === true ? 'M-' : ''}`;
  return { type: 'key', name: `${modifiers}${shift === true && name === 'tab' ? 'S-' : ''}${known}` };
}
