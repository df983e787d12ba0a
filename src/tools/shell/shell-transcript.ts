import type { ShellOutput } from '../../ports/shell.ts';
import { createOutputCleaner, type OutputCleaner } from './shell-output.ts';

type StreamName = ShellOutput['stream'];

/**
 * Writes the output of both streams into one text, in order of arrival: standard output as it is, and a line
 * `[stderr]` or `[stdout]` where the stream changes.
 */
export class ShellTranscript {
  readonly #cleaners: Readonly<Record<StreamName, OutputCleaner>> = {
    stdout: createOutputCleaner(),
    stderr: createOutputCleaner(),
  };
  #current: StreamName = 'stdout';
  #last: StreamName = 'stdout';
  #atLineStart = true;

  /** What this piece of output adds to the text. */
  add({ stream, text }: Pick<ShellOutput, 'stream' | 'text'>): string {
    const before = stream === this.#current ? '' : this.end();
    this.#current = stream;
    return before + this.#write(this.#cleaners[stream].push(text));
  }

  /** What is still missing from the text when no more output comes. */
  end(): string {
    return this.#write(this.#cleaners[this.#current].flush());
  }

  #write(text: string): string {
    if (text === '') return '';
    const marker = this.#current === this.#last ? '' : `${this.#atLineStart ? '' : '\n'}[${this.#current}]\n`;
    this.#last = this.#current;
    this.#atLineStart = text.endsWith('\n');
    return marker + text;
  }
}
