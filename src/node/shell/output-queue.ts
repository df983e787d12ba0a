import { TextDecoder } from 'node:util';
import type { ShellOutput } from '../../agent/ports/shell.ts';

type StreamName = ShellOutput['stream'];

/**
 * The unread text output of a command, in order of arrival. Adjacent pieces of one stream are joined, so a slow reader
 * gets a few large pieces.
 */
export class OutputQueue {
  readonly #pieces: ShellOutput[] = [];
  readonly #decoders = new Map<StreamName, TextDecoder>();
  #size = 0;

  /** The length of the queued text, in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  /** Adds bytes. An incomplete character at the end waits for its remaining bytes. */
  push(stream: StreamName, bytes: Uint8Array): void {
    const decoder = this.#decoders.get(stream) ?? new TextDecoder('utf-8', { ignoreBOM: true });
    this.#decoders.set(stream, decoder);
    this.#add(stream, decoder.decode(bytes, { stream: true }));
  }

  /** Ends a stream. An incomplete character becomes U+FFFD. */
  end(stream: StreamName): void {
    const decoder = this.#decoders.get(stream);
    this.#decoders.delete(stream);
    if (decoder !== undefined) this.#add(stream, decoder.decode());
  }

  /** Removes and returns the first piece. */
  shift(): ShellOutput | undefined {
    const piece = this.#pieces.shift();
    if (piece !== undefined) this.#size -= piece.text.length;
    return piece;
  }

  /** Removes all pieces. */
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
