import type { Writable } from 'node:stream';
import type { Clock } from '../../agent/ports/clock.ts';
import type { KeyHandlers, KeySource } from '../../terminal/editor/terminal-ports.ts';
import { keyOfCharacter } from '../../terminal/keys/decode-sequence.ts';
import type { Keyboard } from './keyboard-input.ts';
import { CHARSET } from './output.ts';
import { InputReader } from './read-input.ts';

/** Control sequences that turn the bracketed paste mode of a terminal on and off. */
const BRACKETED_PASTE_ON = '\u001b[?2004h';
const BRACKETED_PASTE_OFF = '\u001b[?2004l';

/** The bytes of UTF-8 for those of the locale. Control characters stay. */
function toUtf8(bytes: string): string {
  if (CHARSET !== 'latin-1') return bytes;
  return bytes.replaceAll(/[\u00a0-\u00ff]/g, (letter) => Buffer.from(letter, 'utf8').toString('latin1'));
}

/** The keys of a keyboard in raw mode, a bracketed paste is one key. */
export function createKeySource(keyboard: Keyboard, screen: Writable, clock: Clock): KeySource {
  let handlers: KeyHandlers | undefined;
  let active = false;
  let wasActive = false;
  /** True until the first input in raw mode, which may have been typed before it, when the terminal sent Enter as Ctrl-J. */
  let mayBeEarlier = false;

  const reader = new InputReader(clock, (part) => {
    if (part.type === 'key') handlers?.onKey(part.key);
    else if (part.type === 'paste') handlers?.onKey({ type: 'paste', text: part.text });
    else {
      for (const character of part.text) {
        const key = keyOfCharacter(character);
        if (key !== undefined) handlers?.onKey(key);
      }
    }
  });
  const receive = (chunk: Buffer): void => {
    const isEarlier = mayBeEarlier && chunk.length > 1;
    mayBeEarlier = false;
    const bytes = toUtf8(chunk.toString('latin1'));
    reader.push(isEarlier ? bytes.replaceAll(/(?<!\r)\n/g, '\r') : bytes);
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
    dropPaste: () => reader.dropPaste(),
    stop() {
      reader.stop();
      setModes(false);
      keyboard.off('data', receive);
      keyboard.off('end', close);
    },
  };
}
