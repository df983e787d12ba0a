import type { Clock } from '../../agent/ports/clock.ts';
import type { Completer } from '../../app/commands/completion.ts';
import type { LineQuestion, TerminalInput } from '../../app/terminal.ts';
import type { Key } from '../keys/key.ts';
import type { LineState } from './line-state.ts';
import type { QuestionState } from './question-keys.ts';
import type { Screen } from './screen.ts';

export interface KeySource {
  /** Sets the modes of the terminal, and passes its keys on until `stop`. */
  start(handlers: KeyHandlers): void;
  /** Sets the modes in which other programs expect a terminal, or those for keys again. */
  setModes(active: boolean): void;
  /** Drops the paste that has begun. The next single key ends it, if its end does not come. */
  dropPaste(): void;
  /** Restores the modes, and reads no more. */
  stop(): void;
}

export interface KeyHandlers {
  readonly onKey: (key: Key) => void;
  /** Called once, when the terminal has been closed. */
  readonly onEnd: () => void;
}

/** Job control of the shell that started the process: Ctrl-Z and `fg`. */
export interface JobControl {
  /** Stops the process and its job. Returns when it is continued, or at once if no shell could continue it. */
  stop(): void;
  /** Calls `listener` each time the process is continued; returns a function that unsubscribes it. */
  onContinue(listener: () => void): () => void;
}

/** The text that another program has edited, or a sentence for the user about why it has not. */
export type ComposedText = { readonly text: string } | { readonly failure: string };

export interface EditorTerminalPorts {
  readonly keys: KeySource;
  readonly screen: Screen;
  readonly clock: Clock;
  /** Absent: Ctrl-Z does nothing. */
  readonly jobControl?: JobControl | undefined;
  /** The messages of earlier sessions, the last one at the end. */
  readonly history?: MessageHistory | undefined;
  readonly complete?: Completer | undefined;
  /** Edits a text in another program, which has the terminal meanwhile. Never rejects. */
  readonly compose?: ((text: string) => Promise<ComposedText>) | undefined;
  /** True: text that is typed while no line is read becomes the next message. Otherwise it is dropped. */
  readonly typeAhead?: boolean | undefined;
}

/** The messages of a project across sessions. */
export interface MessageHistory {
  /** Resolves to the messages, the last one at the end. Never rejects. */
  load(): Promise<readonly string[]>;
  /** Keeps one more message. Never rejects. */
  add(message: string): Promise<void>;
}

/** Help with typing the messages of a chat. */
export type ChatKeyboard = Pick<EditorTerminalPorts, 'history' | 'complete'>;

/** A line that is being read. */
export interface Reading {
  readonly question: LineQuestion;
  settle: (input: TerminalInput) => void;
  /** The line of a question; that of a message stays when the reading ends. */
  line: LineState | undefined;
  /** In the state `quiet`, the prompt is not on the screen. */
  state: QuestionState;
  /** Cancels the wait for the end of the state. */
  waiting: AbortController | undefined;
}
