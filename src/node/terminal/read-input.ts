import type { Clock } from '../../agent/ports/clock.ts';
import { InputLexer, type InputToken } from '../../terminal/keys/input-lexer.ts';
import type { Key } from '../../terminal/keys/key.ts';
import { sleepAndRead } from '../../terminal/sleep-and-read.ts';
import { InputBursts } from './input-bursts.ts';

/** A part of the input: typed characters, the text of one whole paste, or a key that arrived as a sequence. */
export type InputPart =
  | { readonly type: 'characters' | 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly key: Key };

/** Reads the parts of a terminal's input in their order, and passes on what is due when no more arrives. */
export class InputReader {
  readonly #clock: Clock;
  readonly #receive: (part: InputPart) => void;
  readonly #lexer = new InputLexer();
  readonly #bursts: InputBursts;
  #waiting: AbortController | undefined;

  constructor(clock: Clock, receive: (part: InputPart) => void) {
    this.#clock = clock;
    this.#receive = receive;
    this.#bursts = new InputBursts(clock, receive);
  }

  /** Takes bytes, as the characters U+0000 to U+00FF of a string. */
  push(bytes: string): void {
    this.#pass(this.#lexer.push(bytes));
  }

  dropPaste(): void {
    this.#lexer.dropPaste();
  }

  /** Drops the start of a line that may be a paste. */
  dropHeld(): void {
    this.#bursts.stop();
  }

  /** Passes nothing on any more. */
  stop(): void {
    this.#waiting?.abort();
    this.#bursts.stop();
  }

  #pass(tokens: readonly InputToken[]): void {
    this.#waiting?.abort();
    for (const token of tokens) {
      if (token.type === 'characters') this.#bursts.push(token.text);
      else {
        this.#bursts.flush();
        this.#receive(token);
      }
    }
    const { waitMs } = this.#lexer;
    if (waitMs === undefined) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    sleepAndRead(this.#clock, waitMs, waiting.signal).then(
      () => this.#pass(this.#lexer.elapse()),
      () => undefined,
    );
  }
}
