import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { raceAbort } from '../../agent/async/abort.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../../app/terminal.ts';
import { previous } from '../../terminal/editor/buffer.ts';
import type { JobControl } from '../../terminal/editor/terminal-ports.ts';
import { Listeners } from '../../terminal/listeners.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { loadWidths, textWidth } from '../../text/width.ts';
import { type Keyboard, TerminalInputGate } from './keyboard-input.ts';
import { plainPrompt } from './output.ts';

const HISTORY_SIZE = 1_000;

/** Character in place of a line end in the line editor, which edits a single line. */
const LINE_END = '⏎';

/**
 * Creates a terminal with line editing, history, Ctrl-C and, with job control, Ctrl-Z, for screens that cannot redraw a
 * row. When the terminal is closed, every answer is `end`.
 */
export function createKeyboardTerminal(
  keyboard: Keyboard,
  screen: Writable,
  clock: Clock,
  jobControl?: JobControl,
): Terminal {
  const interrupts = new Listeners();
  const gate = new TerminalInputGate(keyboard, clock, {
    onInterrupt: interrupts.call,
    onSuspend: jobControl === undefined ? undefined : suspend,
    onPaste: paste,
    onErase: erase,
  });
  // Backspace needs the exact widths of characters; until they are loaded, it may erase too much.
  loadWidths().catch(() => undefined);
  let history: string[] = [];
  /** The line that was requested last is the answer to a question. */
  let isFresh = false;
  /** The text above the prompt of the question. */
  let above = '';
  const editor = createInterface({ input: gate, output: screen, terminal: true, historySize: HISTORY_SIZE });
  editor.on('history', (lines) => {
    // The editor owns this array. Removing the answer to a question keeps it out of the history of messages.
    if (!isFresh) history = [...lines];
    else lines.splice(0, lines.length, ...history);
  });
  let ended = false;
  let closed = false;
  let settle: ((input: TerminalInput) => void) | undefined;
  /** The next report that the process was continued is about a stop after which it has resumed. */
  let hasResumed = false;
  const resolveLine = (input: TerminalInput) => {
    gate.open = false;
    settle?.(input);
    settle = undefined;
  };
  editor.on('line', (line) => resolveLine({ type: 'line', text: line.replaceAll(LINE_END, '\n') }));
  const clearLine = () => {
    // The editor has no method for that, and where TERM is dumb it ignores Ctrl-U.
    Object.assign(editor, { line: '', cursor: 0 });
  };
  editor.on('SIGINT', () => {
    const cleared = editor.line !== '';
    clearLine();
    screen.write('^C\n');
    resolveLine({ type: 'interrupt', cleared });
  });
  editor.on('close', () => {
    ended = true;
    // The prompt of the user's shell must start on a new line.
    if (settle !== undefined) screen.write('\n');
    resolveLine({ type: 'end' });
  });

  function insert(text: string): void {
    editor.write(escapeForTerminal(text.replaceAll(/\r\n?|\n/g, LINE_END)));
  }

  /** Adds a paste to the message. At a question, it is not an answer, and the prompt is drawn again. */
  function paste(text: string): void {
    if (!isFresh) {
      insert(text);
      return;
    }
    clearLine();
    screen.write('\n');
    editor.prompt();
  }

  /** Erases the character before the cursor at the end of the line, which the editor does not do where TERM is dumb. */
  function erase(): boolean {
    const { line, cursor } = editor;
    if (cursor !== line.length) return false;
    const start = previous(line, cursor);
    Object.assign(editor, { line: line.slice(0, start), cursor: start });
    screen.write('\b \b'.repeat(textWidth(line.slice(start))));
    return true;
  }

  function suspend(): void {
    gate.setRawMode(false);
    screen.write('\n');
    jobControl?.stop();
    hasResumed = false;
    resume();
    hasResumed = true;
  }

  /** Sets the mode of the terminal again, which the shell has changed, and draws the line again, once. */
  function resume(): void {
    if (ended) return;
    // Node.js does nothing when the mode is the one that it set last.
    gate.setRawMode(false);
    gate.setRawMode(true);
    if (settle !== undefined && !hasResumed) {
      screen.write(plainPrompt(above));
      editor.prompt(true);
    }
    hasResumed = false;
  }
  const unsubscribe = jobControl?.onContinue(resume);

  async function dropEarlyKeys(): Promise<void> {
    // The event loop reads the keyboard before it runs immediates. Only the second one follows a complete iteration.
    await setImmediate();
    await setImmediate();
    gate.dropHeld();
  }

  return {
    async readLine(question: LineQuestion, signal?: AbortSignal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      if (question.fresh) await dropEarlyKeys();
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      // Otherwise Enter would submit an unfinished line that is still in the editor.
      if (question.fresh) clearLine();
      isFresh = question.fresh;
      above = question.above ?? '';
      editor.setPrompt(plainPrompt(question.prompt));
      editor.prompt();
      const input = new Promise<TerminalInput>((resolve) => {
        settle = resolve;
      });
      gate.open = true;
      if (question.text !== undefined) insert(question.text);
      try {
        return await raceAbort(input, signal);
      } finally {
        // A question that ended without an answer must leave nothing in the next line.
        if (settle !== undefined && question.fresh && !ended) clearLine();
        gate.open = false;
        settle = undefined;
      }
    },
    onInterrupt: interrupts.add,
    close() {
      if (closed) return;
      closed = true;
      unsubscribe?.();
      editor.close();
      gate.detach();
    },
  };
}
