import type { ShellOutput } from '../../agent/ports/shell.ts';

/** Cleans the output of one stream, piece by piece, for a model to read. */
export interface OutputCleaner {
  /** Returns the cleaned text that no later piece can change. May hold back an unfinished line. */
  push(text: string): string;
  /** Returns the text that was held back. Called when the stream ends or the other stream has output. */
  flush(): string;
}

/** The maximum length of an unfinished line or escape sequence that is held back, in characters. */
const MAX_PENDING = 16_384;

const ESCAPE = '\\u001b';
const ESCAPE_SEQUENCE = new RegExp(
  [
    `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]`, // colours, cursor movement
    `${ESCAPE}[\\]PX^_][^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)`, // titles, links, strings
    `${ESCAPE}[ -/]+[0-~]`, // character sets
    `${ESCAPE}[0-OQ-WYZ\\\\\`-~]`, // two characters
  ].join('|'),
  'g',
);
/** The start of an escape sequence whose end may arrive with the next piece. */
const UNFINISHED_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\u0007\\u001b\\u009c\\n]*${ESCAPE}?|[ -/]*)$|\\u009b[0-?]*[ -/]*$`,
);
const NEEDS_CLEANING = /(?![\t\n])\p{Cc}/u;
const CONTROL = /(?![\t\n\r\b])\p{Cc}/gu;

/**
 * Creates a cleaner for one stream. It removes escape sequences, keeps only the last state of a line that was
 * overwritten with carriage returns, applies backspaces, and replaces other control characters with visible ones.
 */
export function createOutputCleaner(): OutputCleaner {
  const withoutEscapes = createEscapeRemover();
  let pending = '';

  const settle = (text: string): string => {
    const input = pending + text;
    const end = input.lastIndexOf('\n') + 1;
    pending = input.slice(end);
    const lines = collapseLines(input.slice(0, end));
    if (pending.length <= MAX_PENDING) return lines;
    const long = collapseLine(pending);
    pending = '';
    return lines + long;
  };

  return {
    push(text) {
      return settle(withoutEscapes.push(text));
    },
    flush() {
      const rest = collapseLine(pending + withoutEscapes.flush());
      pending = '';
      return rest;
    },
  };
}

/**
 * Creates a cleaner for output that is shown while it arrives: it removes escape sequences and replaces control
 * characters with visible ones, except carriage returns and backspaces. Holds back an unfinished sequence only.
 */
export function createEscapeRemover(): OutputCleaner {
  let unfinished = '';
  return {
    push(text) {
      const input = unfinished + text;
      unfinished = '';
      if (!NEEDS_CLEANING.test(input)) return input;
      const tail = UNFINISHED_SEQUENCE.exec(input);
      if (tail !== null && input.length - tail.index <= MAX_PENDING) unfinished = tail[0];
      const complete = input.slice(0, input.length - unfinished.length);
      return complete.replace(ESCAPE_SEQUENCE, '').replace(CONTROL, pictureOf);
    },
    flush() {
      const rest = unfinished.replace(CONTROL, pictureOf);
      unfinished = '';
      return rest;
    },
  };
}

function collapseLines(text: string): string {
  return /[\r\b]/.test(text) ? text.split('\n').map(collapseLine).join('\n') : text;
}

/** The final state of a line on a terminal, after carriage returns and backspaces. */
function collapseLine(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  const written = line.slice(0, end);
  const last = written.slice(written.lastIndexOf('\r') + 1);
  if (!last.includes('\b')) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

type StreamName = ShellOutput['stream'];

/**
 * Merges the output of both streams into one text, in order of arrival, with a line `[stderr]` or `[stdout]` where the
 * stream changes. A text that starts with standard output has no marker before it.
 */
export class ShellTranscript {
  readonly #cleaners: Readonly<Record<StreamName, OutputCleaner>> = {
    stdout: createOutputCleaner(),
    stderr: createOutputCleaner(),
  };
  #current: StreamName = 'stdout';
  #last: StreamName = 'stdout';
  #atLineStart = true;

  /** Adds a piece of output. Returns the text to append. */
  add({ stream, text }: Pick<ShellOutput, 'stream' | 'text'>): string {
    const before = stream === this.#current ? '' : this.end();
    this.#current = stream;
    return before + this.#write(this.#cleaners[stream].push(text));
  }

  /** Ends the output. Returns the text to append. */
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
