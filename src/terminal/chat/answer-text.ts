import type { Palette } from '../../app/terminal.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import type { MarkdownState } from '../markdown/state.ts';
import type { RenderedMarkdown } from '../markdown/stream.ts';
import { escapeChunk } from '../output.ts';
import { endReasoning, isAtLineStart, REASONING_START, type ReasoningState, wrapReasoning } from './reasoning-text.ts';

export type TextKind = 'answer' | 'reasoning';

/** The streamed text that is shown, and the part of it that is not printed yet. */
export interface AnswerText {
  /** Kind of the text under the cursor; `none`: the cursor is at the start of a line. */
  readonly open: 'none' | TextKind;
  readonly pending: string;
  /** Kind of the text that is not printed yet. */
  readonly pendingKind: TextKind;
  /** The open answer as Markdown; absent at its start. */
  readonly markdown?: MarkdownState | undefined;
  /** The open text, if it is wrapped: reasoning, or an answer that is not Markdown. */
  readonly wrapped?: ReasoningState | undefined;
}

/** Renders answers in Markdown for a screen. Its texts must be escaped. */
export interface MarkdownView {
  readonly start: MarkdownState;
  readonly render: (state: MarkdownState, piece: string) => RenderedMarkdown;
  readonly end: (state: MarkdownState) => string;
}

/**
 * Styles of streamed text. `columns` gives the width of the screen at this moment, at which text is wrapped; answers are
 * rendered with `markdown`. Without both, text is shown as the model wrote it.
 */
export interface AnswerStyles {
  readonly palette: Palette;
  readonly markdown?: MarkdownView | undefined;
  readonly columns?: (() => number) | undefined;
}

/** The state before the first text. */
export const NO_TEXT: AnswerText = { open: 'none', pending: '', pendingKind: 'answer' };

/** True if some text is incomplete. */
export function isInText({ open, pending }: AnswerText): boolean {
  return open !== 'none' || pending !== '';
}

/** True if text of this kind continues the open one. */
export function continuesText({ open, pending, pendingKind }: AnswerText, kind: TextKind): boolean {
  return open === kind || (pending !== '' && pendingKind === kind);
}

/** Adds a piece of text, which continues the open one, or starts after `endText`. Escapes it. */
export function addText(
  state: AnswerText,
  kind: TextKind,
  chunk: string,
  { palette, markdown, columns }: AnswerStyles,
): { readonly state: AnswerText; readonly text: string } {
  const { text, pending } = escapeChunk(state.pending, chunk);
  const next = { pending, pendingKind: kind };
  if (markdown !== undefined && kind === 'answer') {
    const rendered = markdown.render(state.markdown ?? markdown.start, text);
    return { state: { ...next, open: kind, markdown: rendered.state }, text: rendered.text };
  }
  if (columns !== undefined) {
    const wrapped = wrapReasoning(state.wrapped ?? REASONING_START, text, columns());
    const open = isAtLineStart(wrapped.state) ? 'none' : kind;
    return { state: { ...next, open, wrapped: wrapped.state }, text: paint(wrapped.text, kind, palette) };
  }
  const open = text === '' ? state.open : text.endsWith('\n') ? 'none' : kind;
  return { state: { ...next, open }, text: paint(text, kind, palette) };
}

/** The text that ends the open one and its line. */
export function endText(text: AnswerText, styles: AnswerStyles): string {
  const { open, pending, pendingKind, markdown, wrapped } = text;
  const tail = escapeForTerminal(pending);
  if (markdown !== undefined && styles.markdown !== undefined) {
    const rendered = styles.markdown.render(markdown, tail);
    return rendered.text + styles.markdown.end(rendered.state);
  }
  if (wrapped !== undefined && styles.columns !== undefined) {
    const width = styles.columns();
    const last = wrapReasoning(wrapped, tail, width);
    const isOpen = open !== 'none' || !isAtLineStart(last.state);
    return paint(last.text + endReasoning(last.state, width), pendingKind, styles.palette) + (isOpen ? '\n' : '');
  }
  return paint(tail, pendingKind, styles.palette) + (open === 'none' && tail === '' ? '' : '\n');
}

function paint(text: string, kind: TextKind, palette: Palette): string {
  return kind === 'answer' ? text : text.replaceAll(/[^\n]+/g, (part) => palette('dim', part));
}
