import { cleanLine } from '../texts.ts';

/** The maximum length of a line of a server. */
export const MAX_LINE = 500;
const KEPT_LINES = 20;
const LAST_LINES = 3;
/** A line that says what went wrong; a stack and the version of the runtime may follow it. */
const FAILURE = /\b(?:error|fatal|cannot|denied|not found|no such|missing|failed)\b/i;

/** Output of a server besides the protocol, cleaned. */
export class ServerLog {
  #stderr: string[] = [];
  #failedAnswer: string | undefined;
  /** The number of lines on its standard output that were no protocol, and the last one. */
  stray = 0;
  lastStray: string | undefined;
  /** The end of its last process. */
  ended: string | undefined;

  /** Forgets what an earlier process has said. */
  begin(): void {
    this.#stderr = [];
    this.#failedAnswer = undefined;
    this.ended = undefined;
  }

  addStray(text: string): void {
    this.stray += 1;
    this.lastStray = cleanLine(text, MAX_LINE);
  }

  addStderr(text: string): void {
    const lines = `${this.#stderr.pop() ?? ''}${text}`.split('\n');
    const last = lines.pop() ?? '';
    const clean = lines.map((line) => cleanLine(line, MAX_LINE));
    this.#failedAnswer ??= clean.find((line) => FAILURE.test(line));
    this.#stderr.push(...clean, last.slice(-MAX_LINE));
    this.#stderr = this.#stderr.slice(-KEPT_LINES - 1);
  }

  /** The last lines of its standard error, after the first one about a failedAnswer. */
  lines(max = KEPT_LINES): readonly string[] {
    const lines = this.#stderr.map((line) => cleanLine(line, MAX_LINE)).filter((line) => line !== '');
    const last = lines.slice(-max);
    return this.#failedAnswer === undefined || last.includes(this.#failedAnswer)
      ? last
      : [this.#failedAnswer, ...last.slice(1)];
  }

  /** A sentence with the last lines, and the last one that was no protocol; empty if there are none. */
  get lastWords(): string {
    const lines = [...(this.lastStray === undefined ? [] : [this.lastStray]), ...this.lines(LAST_LINES)];
    return lines.length === 0 ? '' : ` Its last lines: ${lines.join(' | ').replace(/[.!]*$/, '.')}`;
  }
}
