import type { LineQuestion, Terminal, TerminalInput } from '../../src/ports/terminal.ts';

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
  const listeners = new Set<() => void>();
  const unfoldListeners = new Set<() => void>();
  return {
    questions,
    async readLine(question, signal) {
      signal?.throwIfAborted();
      questions.push(question);
      const next = left.shift() ?? { type: 'end' };
      if (next === 'wait') {
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      return typeof next === 'string' ? { type: 'line', text: next } : next;
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onUnfold(listener) {
      unfoldListeners.add(listener);
      return () => unfoldListeners.delete(listener);
    },
    pressUnfold() {
      for (const listener of unfoldListeners) listener();
    },
    pressInterrupt() {
      const count = listeners.size;
      for (const listener of listeners) listener();
      return count;
    },
    close() {
      listeners.clear();
    },
  };
}
