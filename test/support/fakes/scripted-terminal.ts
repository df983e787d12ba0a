import { raceAbort } from '../../../src/agent/async/abort.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../../../src/app/terminal.ts';
import { Listeners } from '../../../src/terminal/listeners.ts';

/** A terminal with scripted input. After the last input it returns `end`. */
export interface ScriptedTerminal extends Terminal {
  /** All questions in order. */
  readonly questions: readonly LineQuestion[];
  /** Presses Ctrl-C while no line is read; returns the number of listeners. */
  pressInterrupt(): number;
  /** Presses Ctrl-O. */
  pressUnfold(): void;
}

/** `wait` never answers, so that the question ends with its signal or the test with a timeout. */
export function createScriptedTerminal(
  inputs: readonly (string | Exclude<TerminalInput, { type: 'line' }> | 'wait')[],
): ScriptedTerminal {
  const left = [...inputs];
  const questions: LineQuestion[] = [];
  const interrupts = new Listeners();
  const unfolds = new Listeners();
  return {
    questions,
    async readLine(question, signal) {
      signal?.throwIfAborted();
      questions.push(question);
      const next = left.shift() ?? { type: 'end' };
      if (next === 'wait') return raceAbort(new Promise(() => {}), signal);
      return typeof next === 'string' ? { type: 'line', text: next } : next;
    },
    onInterrupt: interrupts.add,
    onUnfold: unfolds.add,
    pressUnfold: unfolds.call,
    pressInterrupt() {
      interrupts.call();
      return interrupts.size;
    },
    close() {},
  };
}
