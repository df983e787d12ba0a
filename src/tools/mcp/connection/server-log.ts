import type { JsonObject } from '../../../agent/ports/json.ts';
import { cleanLine } from '../texts.ts';

/** The maximum length of a line of a server. */
export const MAX_LINE = 500;
const KEPT = 16 * 1024;
const SHOWN_LINES = 5;
const LAST_LINES = 3;
/** A line that says what went wrong; a stack and the version of the runtime may follow it. */
const FAILURE = /\b(?:error|fatal|cannot|denied|not found|no such|missing|failed)\b/i;

/** Output of a server besides the protocol. It is cleaned when it is shown, because a server may write much that is not. */
export class ServerLog {
  #stderr = '';
  #failure: string | undefined;
  #stray: string | undefined;
  /** The number of lines on its standard output that were no protocol. */
  stray = 0;
  /** The end of its last process. */
  ended: string | undefined;

  /** Forgets what an earlier process has said. */
  begin(): void {
    [this.#stderr, this.#failure, this.ended] = ['', undefined, undefined];
  }

  addStray(text: string): void {
    this.stray += 1;
    this.#stray = text;
  }

  /** The last line on its standard output that was no protocol. */
  get lastStray(): string | undefined {
    return this.#stray === undefined ? undefined : cleanLine(this.#stray, MAX_LINE);
  }

  addStderr(text: string): void {
    const all = this.#stderr + text;
    if (all.length > KEPT) this.#failure ??= all.split('\n').find((line) => FAILURE.test(line));
    this.#stderr = all.slice(-KEPT);
  }

  /** The last lines of its standard error, after the first one about a failure. */
  lines(max = SHOWN_LINES): readonly string[] {
    const clean = this.#stderr.split('\n').map((line) => cleanLine(line, MAX_LINE));
    const last = clean.filter((line) => line !== '').slice(-max);
    const failure = [cleanLine(this.#failure ?? '', MAX_LINE), ...clean].find((line) => FAILURE.test(line));
    return failure === undefined || last.includes(failure) ? last : [failure, ...last.slice(1)];
  }

  /** A sentence with the last lines, and the last one that was no protocol; empty if there are none. */
  get lastWords(): string {
    const { lastStray } = this;
    const lines = [...(lastStray === undefined ? [] : [lastStray]), ...this.lines(LAST_LINES)];
    return lines.length === 0 ? '' : ` Its last lines: ${lines.join(' | ').replace(/[.!]*$/, '.')}`;
  }
}

/** Listener of what a server says besides the protocol. */
export interface Heard {
  readonly log: ServerLog;
  /** The server has answered the question for its revisions, perhaps after the library has ceased to wait. */
  discovered(result: JsonObject): void;
  /** Aborts when the session ends. */
  readonly over: AbortSignal;
}
