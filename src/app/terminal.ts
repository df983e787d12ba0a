/**
 * Answer to a request for a line. `interrupt`: Ctrl-C, `cleared` when it removed a line that was being typed; `end`:
 * Ctrl-D, or the end of the input.
 */
export type TerminalInput =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'interrupt'; readonly cleared: boolean }
  | { readonly type: 'end' };

/**
 * Request for a line. `fresh`: keys that were typed before the prompt was drawn are not part of the answer. `text` is
 * in the line from the start. `keys`: the keys that answer alone, without Enter, where the terminal can tell; only they
 * and Enter count then. `above`: what the question is about, on the screen above the prompt; the terminal writes it
 * again when the process is continued after a stop, because the user may have cleared the screen. `choices`: answers in
 * a list below the line, which typing filters, where the terminal can draw it; the answer is the value of one of them,
 * or what was typed if that fits none.
 */
export interface LineQuestion {
  readonly prompt: string;
  readonly fresh: boolean;
  readonly text?: string;
  readonly keys?: readonly string[];
  readonly above?: string;
  readonly choices?: readonly Choice[];
}

/** An answer to choose from, and the text that is shown for it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A run that takes messages of the user for its next request. */
export interface Steering {
  /** Gives it a message. Resolves to `false` if the run ends before another request. */
  readonly steer: (text: string) => Promise<boolean>;
  /** The effect of Enter on a message: it goes to the run, or waits for the end of the run. Ctrl-Q does the other. */
  readonly enter: 'steer' | 'queue';
}

/** True for a command, which must be sent alone, because it would be plain text within a longer message. */
export function isCommand(text: string): boolean {
  return /^\s*(?:[/!]|@!)/.test(text);
}

/** True for a message that needs more than the model: a command, or one that names files; and for an empty one. */
export function mustWait(text: string): boolean {
  return text.trim() === '' || isCommand(text) || /(?:^|\s)@\S/.test(text);
}

/**
 * A terminal at which a person can be asked.
 *
 * Contract: one `readLine` at a time. A paste of several lines is one line that contains line feeds. After the first
 * `end` every answer is `end`. A `fresh` line is not kept in the history.
 */
export interface Terminal {
  /** Draws the prompt and waits for a line. Rejects on abort. */
  readLine(question: LineQuestion, signal?: AbortSignal): Promise<TerminalInput>;
  /** Calls `listener` at each Ctrl-C or Esc while no line is being read; returns a function that unsubscribes it. */
  onInterrupt(listener: () => void): () => void;
  /** Calls `listener` at each Ctrl-O, which asks for what is hidden. Absent where keys are read only with a line. */
  onUnfold?(listener: () => void): () => void;
  /** Calls `listener` at each Shift-Tab, which asks for the next permission mode. Absent where keys are read only with a line. */
  onMode?(listener: () => void): () => void;
  /** Begins a run that takes messages; `undefined` ends it. Absent where messages are read only between runs. */
  steerWith?(steering: Steering | undefined): void;
  /** True: the terminal draws the `choices` of a question. */
  readonly drawsChoices?: boolean;
  /** The size of the screen. Absent: text may have any length. */
  readonly size?: () => { readonly columns: number; readonly rows: number };
  /** Restores the original state of the terminal. */
  close(): void;
}

/** The styles of text at a terminal. */
export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'inverse'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan';

/** Gives text a style. The text must already be safe to print. */
export type Palette = (style: Style, text: string) => string;

/**
 * Writes text to an output. Each write is awaited, so that a slow reader slows the writer down. Resolves to `false`
 * when the output has been closed; this text and all later ones are dropped.
 */
export type WriteText = (text: string) => Promise<boolean>;

/**
 * Activity that the program waits for, such as `thinking`, and the unfinished line of a command. `size` follows the
 * label. `rows` are shown below it where there is room. `quiet` takes the place of the label when nothing has been shown
 * for a while. All of it is safe to print.
 */
export interface Status {
  readonly label: string;
  readonly size?: string | undefined;
  readonly detail?: string | undefined;
  readonly rows?: readonly string[] | undefined;
  readonly quiet?: string | undefined;
}

/** Shows a status until the next call; `undefined` removes it. Does nothing on screens that cannot redraw a line. */
export type ShowStatus = (status: Status | undefined) => void;
