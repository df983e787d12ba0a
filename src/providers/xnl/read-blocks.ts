/** One call as it stands in a block. `problem` is set when its element is incomplete; the text is for the model. */
export interface CallElement {
  readonly id: string | undefined;
  readonly text: string;
  readonly problem?: string;
}

/** A part of an answer: text for the user, or the calls of one block. */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'calls'; readonly calls: readonly CallElement[] };

const BAD_HEAD =
  'The start of the tool_call is wrong, so it was not executed. Write <tool_call id="a1" lang="javascript" #>, then the call, then </#>.';
const UNCLOSED_CALL = 'The tool_call has no closing tag, so it was not executed. Send it again, complete.';
const UNCLOSED_BLOCK =
  'The block has no !unquote_end on a line of its own, so nothing in it was executed. Send it again, complete.';

/** The marks that change the meaning of the text after them. */
const START_MARK = /!(?:un)?quote_start/g;
const QUOTE_END = /!quote_end/g;
const MARKS = ['!unquote_start', '!quote_start', '!quote_end'];

/** Maximum length of an answer that is read, in characters. All that follows is text, so that an endless answer shows. */
const MAX_LENGTH = 2_000_000;

/**
 * Reads an answer as it arrives, however it is cut into chunks. Calls count only between `!unquote_start` and
 * `!unquote_end`; everything between `!quote_start` and `!quote_end` is text. In an element, only an `!unquote_end` at
 * the start of a line ends the block, so that a string can contain one. The work is linear in the length of the answer.
 */
export class BlockReader {
  #mode: 'text' | 'quoted' | Block = 'text';
  #length = 0;
  /** Text that has arrived and is not read yet: the possible start of a mark, or an unfinished line of a block. */
  #pending = '';

  /** True within a block, whose text is held back until its end. */
  get isInBlock(): boolean {
    return this.#mode instanceof Block;
  }

  read(chunk: string): readonly AnswerPiece[] {
    if (this.#length > MAX_LENGTH) return [{ type: 'text', text: chunk }];
    this.#length += chunk.length;
    this.#pending += chunk;
    if (this.#length > MAX_LENGTH) return this.end();
    // A long line arrives in many chunks: it is read once, when it is complete.
    return this.#mode instanceof Block && !chunk.includes('\n') ? [] : this.#readPending(false);
  }

  /** The pieces at the end of the answer. A block without end is text, with a problem if it contains calls. */
  end(): readonly AnswerPiece[] {
    const pieces = this.#readPending(true);
    if (!(this.#mode instanceof Block)) return pieces;
    const { raw, calls } = this.#mode.abandon();
    this.#mode = 'text';
    const unclosed = calls.map((call) => ({ ...call, problem: UNCLOSED_BLOCK }));
    const text = { type: 'text', text: `!unquote_start${raw}` } as const;
    return [...pieces, text, ...(unclosed.length === 0 ? [] : [{ type: 'calls', calls: unclosed } as const])];
  }

  #readPending(ended: boolean): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    const pending = this.#pending;
    let at = 0;
    const showUntil = (end: number): void => {
      if (end > at) pieces.push({ type: 'text', text: pending.slice(at, end) });
      at = end;
    };
    for (;;) {
      if (this.#mode instanceof Block) {
        const line = lineAt(pending, at, ended);
        if (line === undefined) break;
        const rest = this.#mode.readLine(line);
        at += line.length - (rest?.length ?? 0);
        if (rest === undefined) continue;
        pieces.push({ type: 'calls', calls: this.#mode.calls });
        this.#mode = 'text';
        continue;
      }
      const mark = this.#mode === 'text' ? START_MARK : QUOTE_END;
      mark.lastIndex = at;
      const found = mark.exec(pending);
      if (found === null) {
        showUntil(pending.length - (ended ? 0 : heldLength(pending.slice(at))));
        break;
      }
      const end = found.index + found[0].length;
      const opensBlock = found[0] === '!unquote_start';
      showUntil(opensBlock ? found.index : end);
      at = end;
      this.#mode = opensBlock ? new Block() : this.#mode === 'text' ? 'quoted' : 'text';
    }
    this.#pending = pending.slice(at);
    return pieces;
  }
}

/** Length of the end of a text that may be the start of a mark. */
function heldLength(text: string): number {
  const start = text.lastIndexOf('!');
  const tail = start === -1 ? '' : text.slice(start);
  return MARKS.some((mark) => mark.startsWith(tail)) ? tail.length : 0;
}

/** The line from `start` with its line feed; at the end of the answer also a line without one. */
function lineAt(text: string, start: number, ended: boolean): string | undefined {
  const end = text.indexOf('\n', start);
  if (end !== -1) return text.slice(start, end + 1);
  return ended && start < text.length ? text.slice(start) : undefined;
}

/** Lines with a meaning between the elements of a block. */
const SPECIAL = /!unquote_end|!quote_start|<!--|<[A-Za-z_]/g;

/** The head of a text element: its tag, its metadata, and the marker that its closing tag repeats. */
const HEAD =
  /<(?<tag>[A-Za-z_][\w-]*)(?<metadata>(?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[\w.-]+))*)\s*#(?<marker>[\w-]*)>/y;
const ID = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))/;

const END_LINE = /^[ \t]*!unquote_end/;

/** A text element whose closing tag has not been read. */
interface OpenElement {
  readonly isCall: boolean;
  readonly id: string | undefined;
  readonly closingTag: string;
  readonly text: string[];
}

/** Reads the lines of one block. */
class Block {
  readonly calls: CallElement[] = [];
  readonly #lines: string[] = [];
  #open: OpenElement | undefined;
  /** The end of a comment or of a quoted part that has not been read. */
  #skippedUntil: string | undefined;

  /** Reads one line. Returns what follows the end of the block on this line, or `undefined` if the block goes on. */
  readLine(line: string): string | undefined {
    this.#lines.push(line);
    let at = 0;
    for (;;) {
      if (this.#skippedUntil !== undefined) {
        const end = line.indexOf(this.#skippedUntil, at);
        if (end === -1) return undefined;
        at = end + this.#skippedUntil.length;
        this.#skippedUntil = undefined;
      }
      if (this.#open !== undefined) {
        const end = line.indexOf(this.#open.closingTag, at);
        const blockEnd = at === 0 && end === -1 ? END_LINE.exec(line) : null;
        if (blockEnd !== null) {
          this.#close(UNCLOSED_CALL);
          return line.slice(blockEnd[0].length);
        }
        this.#open.text.push(line.slice(at, end === -1 ? undefined : end));
        if (end === -1) return undefined;
        at = end + this.#open.closingTag.length;
        this.#close();
      }
      SPECIAL.lastIndex = at;
      const special = SPECIAL.exec(line);
      if (special === null) return undefined;
      at = special.index + special[0].length;
      if (special[0] === '!unquote_end') return line.slice(at);
      if (special[0] === '!quote_start') this.#skippedUntil = '!quote_end';
      else if (special[0] === '<!--') this.#skippedUntil = '-->';
      else {
        const end = this.#openElement(line, special.index);
        const isCall = line.startsWith('<tool_call', special.index);
        if (end === undefined && isCall) this.calls.push({ id: undefined, text: '', problem: BAD_HEAD });
        at = end ?? at;
      }
    }
  }

  /** The text of a block that never ended, and its calls. */
  abandon(): { readonly raw: string; readonly calls: readonly CallElement[] } {
    this.#close();
    return { raw: this.#lines.join(''), calls: this.calls };
  }

  /** Opens the element whose head starts at `start`; returns the end of its head, or `undefined` if there is none. */
  #openElement(line: string, start: number): number | undefined {
    HEAD.lastIndex = start;
    const { tag, metadata = '', marker = '' } = HEAD.exec(line)?.groups ?? {};
    if (tag === undefined) return undefined;
    const [, double, single, bare] = ID.exec(metadata) ?? [];
    this.#open = { isCall: tag === 'tool_call', id: double ?? single ?? bare, closingTag: `</#${marker}>`, text: [] };
    return HEAD.lastIndex;
  }

  #close(problem?: string): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.isCall !== true) return;
    const call = { id: open.id, text: elementText(open.text.join('')) };
    this.calls.push(problem === undefined ? call : { ...call, problem });
  }
}

/** The text of an element without its blank first and last lines and without the indentation of its closing tag. */
function elementText(raw: string): string {
  const lines = raw.split('\n');
  const last = raw.slice(raw.lastIndexOf('\n') + 1);
  const indent = lines.length > 1 && /^[ \t]*$/.test(last) ? last : '';
  const cut = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  const isBlank = (line: string): boolean => line.trim() === '';
  const first = cut.findIndex((line) => !isBlank(line));
  const end = cut.findLastIndex((line) => !isBlank(line));
  return first === -1 ? '' : cut.slice(first, end + 1).join('\n');
}
