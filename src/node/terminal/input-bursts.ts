import type { Clock } from '../../agent/ports/clock.ts';
import { sleepAndRead } from '../../terminal/sleep-and-read.ts';

type TextPart = { readonly type: 'characters' | 'paste'; readonly text: string };

/** Milliseconds that a line waits for the next one; if one arrives within them, both are a paste. */
const BURST_MS = 30;

const LINE_BREAK = /[\r\n]/;
const CTRL_C = '\u0003';
/** The start of a key that does not belong to a paste: a control character other than those of text. */
const CONTROL_KEY = /^(?![\t\r\n])\p{Cc}/u;
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

/**
 * Detects pastes that the terminal does not mark: a line break with more text after it that arrives together or within
 * `BURST_MS`. All other input is typed. A single character is passed on at once.
 */
export class InputBursts {
  readonly #clock: Clock;
  readonly #receive: (part: TextPart) => void;
  #held = '';
  #waiting: AbortController | undefined;

  constructor(clock: Clock, receive: (part: TextPart) => void) {
    this.#clock = clock;
    this.#receive = receive;
  }

  push(text: string): void {
    if (CONTROL_KEY.test(text)) this.flush();
    this.#waiting?.abort();
    this.#held += text;
    if (this.#held.length === 1 || !LINE_BREAK.test(this.#held)) {
      this.flush();
      return;
    }
    const waiting = new AbortController();
    this.#waiting = waiting;
    sleepAndRead(this.#clock, BURST_MS, waiting.signal).then(
      () => this.flush(),
      () => undefined,
    );
  }

  /** Passes on the pending input, because the next input does not belong to it. */
  flush(): void {
    this.#waiting?.abort();
    const parts = partsOf(this.#held);
    this.#held = '';
    for (const part of parts) this.#receive(part);
  }

  /** Drops the pending input. */
  stop(): void {
    this.#waiting?.abort();
    this.#held = '';
  }
}

/**
 * Splits input into characters and pastes. Ctrl-C is a key even within a paste, because it stops the run. Other control
 * characters within one are neither keys nor text: they are left from keys that were typed before ybs has started, of
 * which the terminal has kept Ctrl-D as a null character.
 */
function partsOf(text: string): readonly TextPart[] {
  return text
    .split(new RegExp(`(${CTRL_C})`))
    .filter((part) => part !== '')
    .map((part): TextPart => {
      const isPaste = /[\r\n][^\r\n]/.test(part);
      return isPaste ? { type: 'paste', text: part.replaceAll(CONTROLS, '') } : { type: 'characters', text: part };
    });
}
