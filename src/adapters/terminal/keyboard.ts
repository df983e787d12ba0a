import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { raceAbort } from '../../core/abort.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../../ports/terminal.ts';
import { type Keyboard, PASTE_MARKS_OFF, PASTE_MARKS_ON, PasteCollector, TerminalInputGate } from './keyboard-input.ts';

const HISTORY_SIZE = 1_000;

/**
 * A terminal with a person at its keyboard: line editing, history, pastes as one message, Ctrl-C. `marksPastes` is
 * false for a terminal that would print the control sequence for it.
 */
export function createKeyboardTerminal(keyboard: Keyboard, screen: Writable, marksPastes = true): Terminal {
  const listeners = new Set<() => void>();
  const gate = new TerminalInputGate(keyboard, () => {
    for (const listener of listeners) listener();
  });
  let history: string[] = [];
  let keepsHistory = true;
  const editor = createInterface({ input: gate, output: screen, terminal: true, historySize: HISTORY_SIZE });
  editor.on('history', (lines) => {
    // This array is the editor's own. Removing the answer to a question keeps it out of the history of messages.
    if (keepsHistory) history = [...lines];
    else lines.splice(0, lines.length, ...history);
  });
  const paste = new PasteCollector();
  // Lines that arrived together with an expected one, from a terminal that does not mark pastes.
  const waiting: string[] = [];
  let ended = false;
  let settle: ((input: TerminalInput) => void) | undefined;
  const answer = (input: TerminalInput) => {
    gate.open = false;
    settle?.(input);
    settle = undefined;
  };
  gate.on('keypress', (_text: string | undefined, key: { readonly name?: string }) => {
    if (key.name === 'paste-start') paste.pasteStarts();
    if (key.name === 'paste-end') paste.pasteEnds();
  });
  editor.on('line', (text) => {
    const message = paste.line(text);
    if (message === undefined) return;
    if (settle === undefined) waiting.push(message);
    else answer({ type: 'line', text: message });
  });
  const clearLine = () => {
    paste.clear();
    // Ctrl-E and Ctrl-U, because the editor has no call that clears the line.
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
  };
  editor.on('SIGINT', () => {
    const cleared = editor.line !== '' || !paste.empty;
    clearLine();
    screen.write('^C\n');
    answer({ type: 'interrupt', cleared });
  });
  editor.on('close', () => {
    ended = true;
    // The shell's next output must not follow the prompt on its line.
    if (settle !== undefined) screen.write('\n');
    answer({ type: 'end' });
  });
  if (marksPastes) screen.write(PASTE_MARKS_ON);

  async function dropEarlyKeys(): Promise<void> {
    waiting.length = 0;
    // The event loop reads the keyboard before it runs immediates; only the second one follows a complete turn.
    await setImmediate();
    await setImmediate();
  }

  return {
    interactive: true,
    async readLine(question: LineQuestion, signal?: AbortSignal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      if (question.fresh) await dropEarlyKeys();
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      // An unfinished line in the editor would be sent by Enter.
      if (question.fresh) clearLine();
      keepsHistory = !question.fresh;
      editor.setPrompt(question.prompt);
      editor.prompt();
      const early = waiting.shift();
      if (early !== undefined) return { type: 'line', text: early };
      const input = new Promise<TerminalInput>((resolve) => {
        settle = resolve;
      });
      gate.open = true;
      try {
        return await (signal === undefined ? input : raceAbort(input, signal));
      } finally {
        gate.open = false;
        settle = undefined;
      }
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      if (marksPastes) screen.write(PASTE_MARKS_OFF);
      editor.close();
      gate.detach();
    },
  };
}
