/**
 * What became of a question for a line. `interrupt`: Ctrl-C, `cleared` when it took a line away that was being typed;
 * `end`: Ctrl-D, or the input is over.
 */
export type TerminalInput =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'interrupt'; readonly cleared: boolean }
  | { readonly type: 'end' };

/** How a line is asked for. `fresh`: whatever was typed before the question was drawn is not an answer to it. */
export interface LineQuestion {
  readonly prompt: string;
  readonly fresh: boolean;
}

/**
 * Where the user types. Standard input of the process, whether a person or a pipe is behind it.
 *
 * Contract: one `readLine` at a time. A paste of several lines is one line with line feeds in it. Once it said `end`
 * it says so for ever. A `fresh` question is not kept in the history.
 */
export interface Terminal {
  /** A person can be asked: input and output are terminals. */
  readonly interactive: boolean;
  /** Draws the prompt (only where interactive) and waits for a line. Rejects on abort. */
  readLine(question: LineQuestion, signal?: AbortSignal): Promise<TerminalInput>;
  /** Calls `listener` at each Ctrl-C while no line is being read; returns what ends that. */
  onInterrupt(listener: () => void): () => void;
  /** Gives the terminal back as it was found. */
  close(): void;
}

/** The styles of text at a terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Gives text a style. The text must already be safe to print. */
export type Palette = (style: Style, text: string) => string;

/**
 * Where text goes. Each write is awaited, so that a slow reader slows the writer down. `false`: the reader has gone,
 * nothing was written and nothing will be.
 */
export type WriteText = (text: string) => Promise<boolean>;
