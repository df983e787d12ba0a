import { raceAbort } from '../async/abort.ts';
import { Listeners } from '../async/listeners.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../ports/terminal.ts';
import { echo } from './draw.ts';
import { drawLine } from './draw-line.ts';
import { findCompletion } from './find-completion.ts';
import { burstText, isControl, type Key } from './key.ts';
import { type LineEffect, type LineState, newLine, press, withText } from './line-editor.ts';
import { Messages } from './messages.ts';
import type { EditorTerminalPorts } from './terminal-ports.ts';

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
  const interrupts = new Listeners();
  const unfolds = new Listeners();
  const messages = new Messages(history);
  let reading: Reading | undefined;
  let completing: AbortController | undefined;
  let ended = false;
  let closed = false;

  screen.setView((space) => {
    if (reading !== undefined && !reading.open) return undefined;
    if (reading === undefined && messages.isEmpty) return undefined;
    const prompt = reading?.question.prompt ?? QUEUED_PROMPT;
    return drawLine(reading?.line ?? messages.line, prompt, reading === undefined ? messages.waiting : [], space);
  });

  const settle = (input: TerminalInput): void => {
    const { settle: resolve, question } = reading ?? {};
    reading = undefined;
    // Stops the run, after which what waits would be for something else.
    if (input.type === 'interrupt' && question?.keys !== undefined && messages.waiting.length > 0) messages.putBack();
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

  const interruptWork = (): void => {
    // The user wants something else now.
    if (messages.waiting.length > 0) messages.putBack();
    interrupts.call();
  };

  const onEffect = (effect: LineEffect, before: LineState): void => {
    switch (effect.type) {
      case 'submit':
        if (reading === undefined) {
          messages.enqueue(effect.text);
          return;
        }
        leaveOnScreen(effect.text);
        if (!reading.question.fresh) messages.remember(effect.text);
        settle({ type: 'line', text: effect.text });
        return;
      case 'interrupt':
        if (reading === undefined) {
          messages.line = before;
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
        // What a yes agrees to stays on the screen.
        if (reading?.question.fresh !== true) screen.clear();
        return;
      case 'complete':
        completeLine(before);
        return;
      case 'compose':
        composeLine(before.buffer.text).catch(() => undefined);
        return;
      case 'unfold':
        unfolds.call();
        return;
      default:
        effect satisfies never;
    }
  };

  /** Completes the message, unless a key, the deadline or another text comes first. */
  function completeLine(line: LineState): void {
    if (complete === undefined || reading?.line !== undefined) return;
    completing = new AbortController();
    findCompletion(complete, line.buffer, clock, completing.signal)
      .then((completion) => {
        // A message that came back into the line has moved the word.
        if (messages.line.buffer.text !== line.buffer.text) return;
        messages.complete(completion);
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
    const edited = withText(asked.line ?? messages.line, composed);
    if (asked.line === undefined) messages.line = edited;
    else asked.line = edited;
    screen.refresh();
  }

  const onKey = (key: Key): void => {
    completing?.abort();
    if (reading?.line === undefined && messages.keepForHistory(key)) return;
    if (reading?.question.keys !== undefined && !takesQuestionKey(reading, key)) return;
    if (reading === undefined && !typeAhead && !isControl(key)) return;
    const line = reading?.line ?? messages.line;
    const { state, effect } = press(line, key);
    if (reading?.line !== undefined) reading.line = state;
    else messages.line = state;
    if (effect !== undefined) onEffect(effect, line);
    screen.refresh();
  };

  /** True if a key is for the line of the question, such as Ctrl-C; its answers are taken here, and others dropped. */
  const takesQuestionKey = (asked: Reading, key: Key): boolean => {
    if (isControl(key)) return true;
    if (key.type === 'paste') return false;
    const burst = burstText(key);
    if (burst !== undefined) {
      // The program has the rest of a pasted text for the message, and not its first letter for an answer.
      if (typeAhead) messages.line = press(messages.line, { type: 'paste', text: burst }).state;
      ignoreKeys(asked);
      return false;
    }
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

  function end(): void {
    if (ended) return;
    ended = true;
    // The prompt of the user's shell must start on a new line.
    if (reading !== undefined) leaveOnScreen((reading.line ?? messages.line).buffer.text);
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

  return {
    async readLine(question, signal) {
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      if (!question.fresh && question.text !== undefined) messages.putBack(question.text);
      const first = question.fresh ? undefined : messages.dequeue();
      if (first !== undefined) {
        await screen.write(echo(first, question.prompt));
        messages.remember(first);
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
      if (!question.fresh) messages.load(onKey);
      try {
        return await raceAbort(input, signal);
      } finally {
        asked.quiet?.abort();
        // A question that ended without an answer leaves nothing in the next line.
        if (reading === asked) reading = undefined;
        screen.refresh();
      }
    },
    onInterrupt: interrupts.add,
    onUnfold: unfolds.add,
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
