import { TextDecoder } from 'node:util';
import type { ShellOutput } from '../../ports/shell.ts';

type StreamName = ShellOutput['stream'];

/**
 * Output between a command and its reader, in order of arrival, as text. Neighbouring pieces of one stream are
 * joined, so a slow reader gets few large pieces. `size` is in UTF-16 units.
 */
export class OutputQueue {
  readonly #pieces: ShellOutput[] = [];
  readonly #decoders = new Map<StreamName, TextDecoder>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds bytes; the first bytes of a character wait for its last. */
  push(stream: StreamName, bytes: Uint8Array): void {
    const decoder = this.#decoders.get(stream) ?? new TextDecoder('utf-8', { ignoreBOM: true });
    this.#decoders.set(stream, decoder);
    this.#add(stream, decoder.decode(bytes, { stream: true }));
  }

  /** Ends a stream: a character that never became whole is shown as U+FFFD. */
  end(stream: StreamName): void {
    const decoder = this.#decoders.get(stream);
    this.#decoders.delete(stream);
    if (decoder !== undefined) this.#add(stream, decoder.decode());
  }

  shift(): ShellOutput | undefined {
    const piece = this.#pieces.shift();
    if (piece !== undefined) this.#size -= piece.text.length;
    return piece;
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#size = 0;
  }

  #add(stream: StreamName, text: string): void {
    if (text === '') return;
    this.#size += text.length;
    const last = this.#pieces.at(-1);
    if (last?.stream === stream) this.#pieces[this.#pieces.length - 1] = { ...last, text: last.text + text };
    else this.#pieces.push({ type: 'output', stream, text });
  }
}
