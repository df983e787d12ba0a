import type { Style } from '../../app/terminal.ts';
import { textWidth } from '../../text/width.ts';
import { codeRow } from './code-block.ts';
import { inlineSpans, isSettled } from './inline.ts';
import { type Container, type LeafStart, readLineStart } from './line-start.ts';
import type { Leaf, MarkdownScreen, MarkdownState } from './state.ts';
import { tableRows } from './table.ts';
import { paintWord, wordsOf } from './wrap.ts';

/** The state before the first text. */
export const MARKDOWN_START: MarkdownState = {
  containers: [],
  drawn: 0,
  leaf: { type: 'none' },
  line: '',
  inText: false,
  column: undefined,
  gap: false,
  started: false,
};

/** Text for a screen, and the state for the next piece. */
export interface RenderedMarkdown {
  readonly state: MarkdownState;
  readonly text: string;
}

const QUOTE = '│';
const MAX_RULE_WIDTH = 40;

/** The start of a line that continues a block. */
const CONTINUED_BY = { paragraph: 'text', code: 'code', table: 'table_row' } as const;

/** The start of a row that would look like a message that a person has typed. */
const PROMPT_LIKE = new RegExp(String.raw`^(?:${'\u001b'}\[\d*m)*>`);

/**
 * Renders the next piece of a text in Markdown. The text that is returned follows that of earlier pieces: nothing on the
 * screen is ever drawn again. It is the same wherever the pieces end. The piece must be safe to print.
 */
export function renderMarkdown(state: MarkdownState, piece: string, screen: MarkdownScreen): RenderedMarkdown {
  const writer = new MarkdownWriter(state, screen);
  writer.add(piece);
  return { state: writer.state, text: writer.text };
}

/** Renders what is left at the end of a text, and ends its last row. The next text starts from `MARKDOWN_START`. */
export function endMarkdown(state: MarkdownState, screen: MarkdownScreen): string {
  const writer = new MarkdownWriter(state, screen);
  writer.end();
  return writer.text;
}

/** Applies text to a state, and collects what is shown for it. */
class MarkdownWriter {
  state: MarkdownState;
  text = '';
  readonly #screen: MarkdownScreen;

  constructor(state: MarkdownState, screen: MarkdownScreen) {
    this.state = state;
    this.#screen = screen;
  }

  add(piece: string): void {
    const lines = (this.state.line + piece).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#readLine(line, true);
      this.#endLine();
    }
    this.#set({ line: this.#readLine(last, false) ? '' : last });
  }

  end(): void {
    if (this.state.line !== '') this.#readLine(this.state.line, true);
    this.#closeLeaf();
    this.#endRow();
  }

  #set(change: Partial<MarkdownState>): void {
    this.state = { ...this.state, ...change };
  }

  /** Reads a line or its start; false if that waits for more text. */
  #readLine(line: string, complete: boolean): boolean {
    if (this.state.inText) {
      this.#addText(line);
      return true;
    }
    const start = readLineStart(line, this.state, complete);
    if (start === undefined) return false;
    const { containers, kept, leaf } = start;
    if (!this.#continuesLeaf(leaf, kept, containers.length)) this.#closeLeaf();
    const drawn = Math.min(this.state.drawn, kept);
    if (leaf.type === 'blank' && containers.length > kept) {
      // An empty item has its marker on a row of its own.
      this.#set({ containers, drawn });
      this.#row('');
    } else if (leaf.type === 'blank') {
      this.#set({ containers, drawn, gap: this.state.started });
    } else {
      this.#set({ containers, drawn });
      this.#openLeaf(leaf);
    }
    return true;
  }

  #continuesLeaf(start: LeafStart, kept: number, count: number): boolean {
    const { containers, leaf } = this.state;
    if (leaf.type === 'none') return true;
    return kept === containers.length && kept === count && start.type === CONTINUED_BY[leaf.type];
  }

  #openLeaf(start: Exclude<LeafStart, { readonly type: 'blank' }>): void {
    const { leaf } = this.state;
    const { palette, width } = this.#screen;
    switch (start.type) {
      case 'text':
        if (leaf.type !== 'paragraph') this.#set({ leaf: { type: 'paragraph', text: '' } });
        this.#set({ inText: true });
        this.#addText(start.text);
        return;
      case 'heading':
        this.#put(start.text, start.level === 1 ? ['bold', 'underline'] : ['bold']);
        this.#endRow();
        this.#showMarker();
        return;
      case 'rule':
        this.#row(palette('dim', '─'.repeat(Math.max(3, Math.min(MAX_RULE_WIDTH, width - this.#prefixWidth())))));
        return;
      case 'fence':
        this.#set({ leaf: { type: 'code', fence: start.fence, context: [] } });
        if (start.fence.info !== '') this.#row(palette('dim', start.fence.info));
        return;
      case 'fence_end':
        return;
      case 'code':
        if (leaf.type === 'code') this.#codeRow(start.text, leaf);
        return;
      case 'indented':
        this.#row(`  ${start.text}`);
        return;
      case 'table_row':
        this.#set({ leaf: { type: 'table', text: `${leaf.type === 'table' ? `${leaf.text}\n` : ''}${start.text}` } });
        return;
      default:
        start satisfies never;
    }
  }

  #codeRow(line: string, leaf: Extract<Leaf, { readonly type: 'code' }>): void {
    const language = /^[\w+#-]*/.exec(leaf.fence.info)?.[0].toLowerCase() ?? '';
    const { palette, highlight } = this.#screen;
    const { text, context } = codeRow(line, { language, context: leaf.context }, palette, highlight);
    this.#row(line === '' ? '' : `  ${text}`);
    this.#set({ leaf: { ...leaf, context } });
  }

  #closeLeaf(): void {
    const { leaf } = this.state;
    this.#set({ leaf: { type: 'none' }, inText: false });
    if (leaf.type === 'paragraph') {
      this.#put(leaf.text);
      this.#endRow();
    }
    if (leaf.type === 'code') this.#showMarker();
    if (leaf.type !== 'table') return;
    const { width, palette } = this.#screen;
    // Lines that are not a table may be a drawing.
    for (const row of tableRows(leaf.text, width - this.#prefixWidth(), palette) ?? leaf.text.split('\n'))
      this.#row(row);
  }

  /** Adds text to the open paragraph, and shows each word whose style cannot change any more. */
  #addText(added: string): void {
    const { leaf } = this.state;
    let text = leaf.type === 'paragraph' ? leaf.text : '';
    for (const [part] of added.matchAll(/[ \t]+|[^ \t]+/g)) {
      if (/^[ \t]/.test(part)) text = this.#showSettled(text);
      text += part;
    }
    this.#set({ leaf: { type: 'paragraph', text } });
  }

  /** Ends a line of the source. A paragraph can go on in the next one, which then begins a row. */
  #endLine(): void {
    const { leaf } = this.state;
    this.#set({ inText: false });
    if (leaf.type === 'paragraph') this.#set({ leaf: { ...leaf, text: `${this.#showSettled(leaf.text)}\n` } });
  }

  #showSettled(text: string): string {
    if (!isSettled(text)) return text;
    this.#put(text);
    return '';
  }

  /** Shows text with inline constructs. */
  #put(source: string, styles: readonly Style[] = []): void {
    const { width, palette } = this.#screen;
    for (const word of wordsOf(inlineSpans(source, styles))) {
      const space = word.gap === ' ' ? ' ' : '';
      const { column } = this.state;
      const isFull = column !== undefined && column + space.length + word.width > width;
      if (column === undefined) this.#startRow();
      else if (word.gap === '\n' || (isFull && column > this.#prefixWidth())) {
        this.#endRow();
        this.#startRow();
      } else this.#write(space, space.length);
      const painted = paintWord(word, palette);
      const [first] = word.pieces;
      // The colour of code, if the palette has one, distinguishes it from the prompt.
      const isCode = first?.styles.includes('cyan') === true && !painted.startsWith('>');
      if (this.#isAtMargin() && first?.text.startsWith('>') === true && !isCode) this.#write('\\', 1);
      this.#write(painted, word.width);
    }
  }

  #write(text: string, columns: number): void {
    const column = (this.state.column ?? 0) + columns;
    this.text += text;
    // The terminal itself wraps a word that is wider than the screen, so that a copy of it is whole.
    this.#set({ column: column <= this.#screen.width ? column : ((column - 1) % this.#screen.width) + 1 });
  }

  #row(text: string): void {
    this.#startRow(text === '');
    this.text += this.#isAtMargin() && PROMPT_LIKE.test(text) ? `\\${text}` : text;
    this.#endRow();
  }

  /** True at the start of a row outside of all blocks that contain others. */
  #isAtMargin(): boolean {
    return this.state.column === 0;
  }

  /** Shows the marker of an item whose first block has no text. */
  #showMarker(): void {
    if (this.state.drawn < this.state.containers.length) this.#row('');
  }

  /** Starts a row with the markers of its containers, after an empty one if the source has that. */
  #startRow(isEmpty = false): void {
    const { containers, drawn, gap } = this.state;
    if (gap) this.text += `${this.#prefix(containers.slice(0, drawn), drawn).trimEnd()}\n`;
    const prefix = this.#prefix(containers, drawn);
    this.text += isEmpty ? prefix.trimEnd() : prefix;
    this.#set({ column: this.#prefixWidth(), drawn: containers.length, gap: false, started: true });
  }

  #endRow(): void {
    if (this.state.column !== undefined) this.text += '\n';
    this.#set({ column: undefined });
  }

  #prefix(containers: readonly Container[], drawn: number): string {
    const { palette } = this.#screen;
    const parts = containers.map((container, index) => {
      if (container.type === 'quote') return `${palette('dim', QUOTE)} `;
      return index < drawn ? ' '.repeat(textWidth(container.marker) + 1) : `${container.marker} `;
    });
    return parts.join('');
  }

  #prefixWidth(): number {
    const { containers } = this.state;
    return containers.reduce((sum, item) => sum + textWidth(item.type === 'quote' ? QUOTE : item.marker) + 1, 0);
  }
}
