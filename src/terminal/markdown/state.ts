import type { Palette } from '../../app/terminal.ts';
import type { CodeContext, Highlight } from './code-block.ts';
import type { Container, Fence } from './line-start.ts';

/** The screen that a text is rendered for. */
export interface MarkdownScreen {
  readonly width: number;
  readonly palette: Palette;
  /** Absent until it is loaded; code is plain until then. */
  readonly highlight?: Highlight | undefined;
}

/** The innermost open block. */
export type Leaf =
  | { readonly type: 'none' }
  /** `text` is not shown yet, because more text can change how it is shown. */
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code'; readonly fence: Fence; readonly context: CodeContext }
  | { readonly type: 'table'; readonly text: string };

/** A text in Markdown as far as it has arrived. All blocks that have ended, and all words whose style is known, are shown. */
export interface MarkdownState {
  readonly containers: readonly Container[];
  /** The number of containers whose markers are shown. */
  readonly drawn: number;
  readonly leaf: Leaf;
  /** The part of the current line that is not read yet. */
  readonly line: string;
  /** The start of the current line has been read; the rest is text of its paragraph. */
  readonly inText: boolean;
  /** The column of the cursor; `undefined` at the start of a row. */
  readonly column: number | undefined;
  /** An empty row comes before the next one. */
  readonly gap: boolean;
  /** A row has been shown. */
  readonly started: boolean;
}
