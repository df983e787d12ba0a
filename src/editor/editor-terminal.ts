import { raceAbort } from '../async/abort.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../ports/terminal.ts';
import { echo } from './draw.ts';
import { drawLine } from './draw-line.ts';
import { findCompletion } from './find-completion.ts';
import { isControl, isRecall, type Key } from './key.ts';
import { type LineEffect, type LineState, newLine, press, withCompletion, withText } from './line-editor.ts';
import type { EditorTerminalPorts, PromptHistory } from './terminal-ports.ts';

/** Keys count only this long after a question, or a key that is no answer: what is typed for something else is none. */
export const GUARD_MS = 300;

const QUEUED_PROMPT = 'next> ';

/** A line that is being read. */
interface Reading {
  readonly question: LineQuestion;
  readonly settle: (input: TerminalInput) => void;
  /** The line of a question; that of a message stays when the reading ends. */
  line: LineState | undefined;
  /** Keys count. */
  open: boolean;
  /** Ends the time in which they do not. */
  quiet: AbortController | undefined;
}

/**
 * Creates a terminal with a line editor. A half-typed message stays while a question is asked, and what is typed while
 * nothing is read becomes the next message.
 */
export function createEditorTerminal(ports: EditorTerminalPorts): Terminal {
  const { keys, screen, clock, jobControl, history, complete, compose, typeAhead = false } = ports;
  const listeners = new Set<() => void>();
  const unfoldListeners = new Set<() => void>();
  let message = newLine();
  let queued: readonly string[] = [];
  let reading: Reading | undefined;
  let completing: AbortController | undefined;
  let loading: 'not yet' | 'running' | 'done' = 'not yet';
  /** Keys from the first one on that needs the history, while it is being read. */
  const early: Key[] = [];
  let ended = false;
  let closed = false;

  screen.setView((space) => {
    if (reading !== undefined && !reading.open) return undefined;
    if (reading === undefined && message.buffer.text === '' && queued.length === 0) return undefined;
    const prompt = reading?.question.prompt ?? QUEUED_PROMPT;
    return drawLine(reading?.line ?? message, prompt, reading === undefined ? queued : [], space);
  });

  const settle = (input: TerminalInput): void => {
    const { settle: resolve, question } = reading ?? {};
    reading = undefined;
    // Stops the run, after which what waits would be for something else.
    if (input.type === 'interrupt' && question?.keys !== undefined && queued.length > 0) putBack();
    resolve?.(input);
  };

  /** Leaves the line on the screen, above what comes next. */
  const leaveOnScreen = (text: string, end = ''): void => {
    const prompt = reading?.question.prompt ?? '';
    const shown = `${echo(text, prompt).slice(0, -1)}${end}\n`;
    const wasOpen = reading?.open;
    if (reading !== undefined) reading.open = false;
    if (wasOpen === true) screen.write(shown).catch(() => false);
  };

  /** Puts texts and what waits back in front of what is being typed, so that they need another Enter. */
  const putBack = (...before: readonly string[]): void => {
    const texts = [...before, ...queued, message.buffer.text].filter((text) => text !== '');
    if (texts.length > 1 || message.buffer.text === '') message = newLine(message.history, texts.join('\n'));
    queued = [];
  };

  const interruptWork = (): void => {
    // The user wants something else now.
    if (queued.length > 0) putBack();
    for (const listener of listeners) listener();
  };

  const onEffect = (effect: LineEffect, before: LineState): void => {
    switch (effect.type) {
      case 'submit':
        if (reading === undefined) {
          if (effect.text.trim() !== '') queued = [...queued, effect.text];
          return;
        }
        leaveOnScreen(effect.text);
        if (!reading.question.fresh) remember(effect.text);
        settle({ type: 'line', text: effect.text });
        return;
      case 'interrupt':
        if (reading === undefined) {
          message = before;
          interruptWork();
          return;
        }
        leaveOnScreen(before.buffer.text, '^C');
        settle({ type: 'interrupt', cleared: effect.cleared });
        return;
      case 'escape':
        if (reading === undefined) interruptWork();
        else if (reading.question.fresh) {
          leaveOnScreen(before.buffer.text);
          settle({ type: 'interrupt', cleared: false });
        }
        return;
      case 'end':
        if (reading !== undefined) end();
        return;
      case 'suspend':
        suspend();
        return;
      case 'clear_screen':
        screen.clear();
        return;
      case 'complete':
        completeLine(before);
        return;
      case 'compose':
        composeLine(before.buffer.text).catch(() => undefined);
        return;
      case 'unfold':
        for (const listener of unfoldListeners) listener();
        return;
      default:
        effect satisfies never;
    }
  };

  /** Completes the message, unless a key or the deadline comes first. */
  function completeLine(line: LineState): void {
    if (complete === undefined || reading?.line !== undefined) return;
    completing = new AbortController();
    findCompletion(complete, line.buffer, clock, completing.signal)
      .then((completion) => {
        message = withCompletion(message, completion);
        screen.refresh();
      })
      .catch(() => undefined);
  }

  /** Lets another program edit the line, only while the program waits for it. */
  async function composeLine(text: string): Promise<void> {
    const asked = reading;
    if (compose === undefined || asked === undefined) return;
    screen.hide();
    keys.setModes(false);
    let composed: string | undefined;
    try {
      composed = await compose(text);
    } finally {
      resume();
    }
    if (composed === undefined || reading !== asked) return;
    const edited = withText(asked.line ?? message, composed);
    if (asked.line === undefined) message = edited;
    else asked.line = edited;
    screen.refresh();
  }

  const onKey = (key: Key): void => {
    completing?.abort();
    const waits = loading === 'running' && reading?.line === undefined && !isControl(key);
    if (waits && (early.length > 0 || isRecall(key))) {
      early.push(key);
      return;
    }
    if (reading?.question.keys !== undefined && !takesQuestionKey(reading, key)) return;
    if (reading === undefined && !typeAhead && !isControl(key)) return;
    const line = reading?.line ?? message;
    const { state, effect } = press(line, key);
    if (reading?.line !== undefined) reading.line = state;
    else message = state;
    if (effect !== undefined) onEffect(effect, line);
    screen.refresh();
  };

  /** True if a key is for the line of the question, such as Ctrl-C; its answers are taken here, and others dropped. */
  const takesQuestionKey = (asked: Reading, key: Key): boolean => {
    if (isControl(key)) return true;
    if (key.type === 'paste') return false;
    const pressed = key.type === 'text' ? key.text.toLowerCase() : key.name;
    if (asked.open && (pressed === 'Enter' || pressed === 'C-d')) return true;
    if (asked.open && asked.question.keys?.includes(pressed) === true) {
      leaveOnScreen(pressed);
      settle({ type: 'line', text: pressed });
    } else ignoreKeys(asked);
    return false;
  };

  /** Ignores the answers to a question, which has no prompt meanwhile, until no key has come for a moment. */
  function ignoreKeys(asked: Reading): void {
    asked.quiet?.abort();
    asked.quiet = new AbortController();
    asked.open = false;
    const open = (): void => {
      asked.open = true;
      screen.refresh();
    };
    clock.sleep(GUARD_MS, asked.quiet.signal).then(open, () => undefined);
    screen.refresh();
  }

  function remember(text: string): void {
    if (text.trim() === '' || message.history.at(-1) === text) return;
    message = { ...message, history: [...message.history, text], recalled: undefined };
    history?.add(text).catch(() => undefined);
  }

  function end(): void {
    if (ended) return;
    ended = true;
    // The prompt of the user's shell must start on a new line.
    if (reading !== undefined) leaveOnScreen((reading.line ?? message).buffer.text);
    settle({ type: 'end' });
  }

  function suspend(): void {
    if (jobControl === undefined) return;
    screen.hide();
    keys.setModes(false);
    jobControl.stop();
    resume();
  }

  /** Sets the modes of the terminal again, which the shell has changed, and draws the line again. */
  function resume(): void {
    if (ended || closed) return;
    keys.setModes(true);
    screen.show();
  }

  const unsubscribe = jobControl?.onContinue(resume);
  keys.start({ onKey, onEnd: end });

  const loadHistory = async (loaded: PromptHistory): Promise<void> => {
    const earlier = await loaded.load().catch(() => []);
    const { recalled } = message;
    const moved = recalled === undefined ? undefined : recalled + earlier.length;
    message = { ...message, history: [...earlier, ...message.history], recalled: moved };
    loading = 'done';
    for (const key of early.splice(0)) onKey(key);
  };

  return {
    async readLine(question, signal) {
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      if (!question.fresh && question.text !== undefined) putBack(question.text);
      const [first, ...others] = queued;
      if (first !== undefined && !question.fresh) {
        queued = others;
        await screen.write(echo(first, question.prompt));
        remember(first);
        return { type: 'line', text: first };
      }
      let settleInput: (input: TerminalInput) => void = () => {};
      const input = new Promise<TerminalInput>((resolve) => {
        settleInput = resolve;
      });
      const line = question.fresh ? newLine([], question.text) : undefined;
      const asked: Reading = { question, line, open: true, quiet: undefined, settle: settleInput };
      reading = asked;
      if (question.fresh) keys.dropPaste();
      if (question.keys === undefined) screen.refresh();
      else ignoreKeys(asked);
      // After the first prompt, which does not wait for it.
      if (!question.fresh && history !== undefined && loading === 'not yet') {
        loading = 'running';
        loadHistory(history).catch(() => undefined);
      }
      try {
        return await (signal === undefined ? input : raceAbort(input, signal));
      } finally {
        asked.quiet?.abort();
        // A question that ended without an answer leaves nothing in the next line.
        if (reading === asked) reading = undefined;
        screen.refresh();
      }
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onUnfold(listener) {
      unfoldListeners.add(listener);
      return () => unfoldListeners.delete(listener);
    },
    close() {
      if (closed) return;
      closed = true;
      end();
      screen.setView(undefined);
      unsubscribe?.();
      keys.stop();
    },
  };
}
