import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { raceAbort } from '../../core/abort.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../../ports/terminal.ts';
import {
  BRACKETED_PASTE_OFF,
  BRACKETED_PASTE_ON,
  type Keyboard,
  PasteCollector,
  TerminalInputGate,
} from './keyboard-input.ts';

const HISTORY_SIZE = 1_000;

/**
 * Creates a terminal with line editing, history and Ctrl-C, in which a paste is one message.
 * `bracketedPaste` is false for a terminal that would print the control sequence of that mode.
 */
export function createKeyboardTerminal(keyboard: Keyboard, screen: Writable, bracketedPaste = true): Terminal {
  const listeners = new Set<() => void>();
  const gate = new TerminalInputGate(keyboard, () => {
    for (const listener of listeners) listener();
  });
  let history: string[] = [];
  let addsToHistory = true;
  const editor = createInterface({ input: gate, output: screen, terminal: true, historySize: HISTORY_SIZE });
  editor.on('history', (lines) => {
    // The editor owns this array. Removing the answer to a question keeps it out of the history of messages.
    if (addsToHistory) history = [...lines];
    else lines.splice(0, lines.length, ...history);
  });
  const paste = new PasteCollector();
  // Lines that arrived together with a requested one, from a terminal without bracketed paste.
  const queuedLines: string[] = [];
  let ended = false;
  let settle: ((input: TerminalInput) => void) | undefined;
  const resolveLine = (input: TerminalInput) => {
    gate.open = false;
    settle?.(input);
    settle = undefined;
  };
  gate.on('keypress', (_text: string | undefined, key: { readonly name?: string }) => {
    if (key.name === 'paste-start') paste.startPaste();
    if (key.name === 'paste-end') paste.endPaste();
  });
  editor.on('line', (text) => {
    const message = paste.addLine(text);
    if (message === undefined) return;
    if (settle === undefined) queuedLines.push(message);
    else resolveLine({ type: 'line', text: message });
  });
  const clearLine = () => {
    paste.clear();
    // Send Ctrl-E and Ctrl-U, because the editor has no method that clears the line.
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
  };
  editor.on('SIGINT', () => {
    const cleared = editor.line !== '' || !paste.isEmpty;
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
  if (bracketedPaste) screen.write(BRACKETED_PASTE_ON);

  async function dropEarlyKeys(): Promise<void> {
    queuedLines.length = 0;
    // The event loop reads the keyboard before it runs immediates. Only the second one follows a complete iteration.
    await setImmediate();
    await setImmediate();
  }

  return {
    async readLine(question: LineQuestion, signal?: AbortSignal): Promise<TerminalInput> {
      signal?.throwIfAborted();
      if (question.fresh) await dropEarlyKeys();
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      // Otherwise Enter would submit an unfinished line that is still in the editor.
      if (question.fresh) clearLine();
      addsToHistory = !question.fresh;
      editor.setPrompt(question.prompt);
      editor.prompt();
      const queued = queuedLines.shift();
      if (queued !== undefined) return { type: 'line', text: queued };
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
      if (bracketedPaste) screen.write(BRACKETED_PASTE_OFF);
      editor.close();
      gate.detach();
    },
  };
}
