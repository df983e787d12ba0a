import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { LineQuestion, Terminal, TerminalInput } from '../../ports/terminal.ts';
import { type Keyboard, PASTE_MARKS_OFF, PASTE_MARKS_ON, PasteCollector, TerminalInputGate } from './keyboard-input.ts';

const HISTORY_SIZE = 1_000;

/**
 * A person at a keyboard: line editing, history, pastes as one message, Ctrl-C. `marksPastes` is false for a terminal
 * that would print the request for it.
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
    // The same array is the editor's own: what a question answered must not come back as a message.
    if (keepsHistory) history = [...lines];
    else lines.splice(0, lines.length, ...history);
  });
  const paste = new PasteCollector();
  // Lines that came in one burst behind the one that was asked for, where the terminal does not mark pastes.
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
  const forgetLine = () => {
    paste.clear();
    // From the end of the line to its start: the editor has no call that clears it.
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
  };
  editor.on('SIGINT', () => {
    const cleared = editor.line !== '' || !paste.empty;
    forgetLine();
    screen.write('^C\n');
    answer({ type: 'interrupt', cleared });
  });
  editor.on('close', () => {
    ended = true;
    // What the shell says next must not stand behind our prompt.
    if (settle !== undefined) screen.write('\n');
    answer({ type: 'end' });
  });
  if (marksPastes) screen.write(PASTE_MARKS_ON);

  async function dropEarlyKeys(): Promise<void> {
    waiting.length = 0;
    // The event loop reads the keyboard before its immediates run; only the second one has a whole turn before it.
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
      // Half a line waits in the editor, where Enter would send it.
      if (question.fresh) forgetLine();
      keepsHistory = !question.fresh;
      editor.setPrompt(question.prompt);
      editor.prompt();
      const early = waiting.shift();
      if (early !== undefined) return { type: 'line', text: early };
      const { promise, resolve, reject } = deferred<TerminalInput>();
      const onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      settle = resolve;
      gate.open = true;
      try {
        return await promise;
      } finally {
        gate.open = false;
        settle = undefined;
        signal?.removeEventListener('abort', onAbort);
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

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
