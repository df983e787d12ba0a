import { cleanLine } from '../texts.ts';

/** The maximum length of a line of a server. */
export const MAX_LINE = 500;
const KEPT_LINES = 20;
const LAST_LINES = 3;

/** What a server says besides the protocol, cleaned. */
export class ServerLog {
  #stderr: string[] = [];
  /** The number of lines on its standard output that were no protocol, and the last one. */
  stray = 0;
  lastStray: string | undefined;

  addStray(text: string): void {
    this.stray += 1;
    this.lastStray = cleanLine(text, MAX_LINE);
  }

  addStderr(text: string): void {
    const lines = `${this.#stderr.pop() ?? ''}${text}`.split('\n');
    const last = lines.pop() ?? '';
    this.#stderr.push(...lines.map((line) => cleanLine(line, MAX_LINE)), last.slice(-MAX_LINE));
    this.#stderr = this.#stderr.slice(-KEPT_LINES - 1);
  }

  /** The last lines of its standard error. */
  get lines(): readonly string[] {
    return this.#stderr.map((line) => cleanLine(line, MAX_LINE)).filter((line) => line !== '');
  }

  /** A sentence with the last lines; empty if there are none. */
  get lastWords(): string {
    const { lines } = this;
    return lines.length === 0 ? '' : ` Its last lines: ${lines.slice(-LAST_LINES).join(' | ')}`;
  }
}
