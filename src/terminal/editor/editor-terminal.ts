import { raceAbort } from '../../agent/async/abort.ts';
import type { LineQuestion, Terminal, TerminalInput } from '../../app/terminal.ts';
import { escapeLine, LINE_MARK } from '../../text/escape.ts';
import { isCompose, isControl, type Key } from '../keys/key.ts';
import { Listeners } from '../listeners.ts';
import { sleepAndRead } from '../sleep-and-read.ts';
import { drawLine, echo, KEY_HINTS, QUEUED_PROMPT } from './draw.ts';
import { Completions } from './find-completion.ts';
import { type LineEffect, press, withText } from './line-editor.ts';
import { type LineState, newLine, shownText, wholeText } from './line-state.ts';
import { Messages } from './messages.ts';
import { durationOf, QUIET_QUESTION, type QuestionEvent, startOf, stepQuestion, TYPING_KEYS } from './question-keys.ts';
import type { EditorTerminalPorts, Reading } from './terminal-ports.ts';

/**
 * Creates a terminal with a line editor. A half-typed message stays while a question is asked, and what is typed while
 * nothing is read becomes the next message.
 */
export function createEditorTerminal(ports: EditorTerminalPorts): Terminal {
  const { keys, screen, clock, jobControl, history, compose, typeAhead = false } = ports;
  const [interrupts, unfolds, modes] = [new Listeners(), new Listeners(), new Listeners()];
  const messages = new Messages(history);
  let reading: Reading | undefined;
  let [ended, closed] = [false, false];
  /** Another program has the terminal and the keys. */
  let composing = false;
  /** The terminal has already resumed after the stop that the next report of a continued process is about. */
  let hasResumed = false;

  screen.setView((space) => {
    const asked = reading?.state.type === 'quiet' ? undefined : reading;
    if (asked === undefined && messages.isEmpty) return undefined;
    const { waiting, steering } = messages.around(reading?.line === undefined);
    const aside = asked?.line === undefined ? '' : shownText(messages.line);
    const prompt = asked?.question.prompt ?? QUEUED_PROMPT;
    const hint = asked === undefined ? messages.hint : aside.includes('\n') ? KEY_HINTS.letter : '';
    return drawLine(asked?.line ?? messages.line, prompt, { waiting, steering, aside, hint }, space);
  });

  const settle = (input: TerminalInput): void => {
    const { settle: resolve, question } = reading ?? {};
    reading = undefined;
    messages.endTyping();
    // Stops the run, after which what waits would be for something else.
    if (input.type === 'interrupt' && question?.keys !== undefined) messages.putBack();
    resolve?.(input);
  };

  /** Leaves the line on the screen, above the following output. */
  const leaveOnScreen = (text: string, end = ''): void => {
    if (reading === undefined || reading.state.type === 'quiet') return;
    reading.state = QUIET_QUESTION;
    screen.write(`${echo(text, reading.question.prompt).slice(0, -1)}${end}\n`).catch(() => false);
  };

  /** Adds a sentence that was not sent as an answer to the message. */
  const keepSentence = ({ fresh, text }: LineQuestion, line: LineState | undefined): void => {
    if (typeAhead && fresh && text === undefined && line !== undefined) messages.append(wholeText(line));
  };

  const showHint = (text: string): void => {
    if (reading?.question.fresh !== true) screen.write(`${LINE_MARK} ${text}\n`).catch(() => false);
  };

  const interruptWork = (): void => {
    messages.putBack();
    interrupts.call();
  };

  const onEffect = (effect: LineEffect, before: LineState): void => {
    switch (effect.type) {
      case 'submit':
        if (reading === undefined) {
          messages.send(effect.text, effect.isOther).then(screen.refresh, () => undefined);
          messages.bringBack();
          return;
        }
        leaveOnScreen(effect.shown);
        if (!reading.question.fresh) {
          messages.remember(effect.text);
          messages.bringBack();
        }
        settle({ type: 'line', text: effect.text });
        return;
      case 'interrupt':
        if (reading === undefined) {
          messages.line = before;
          interruptWork();
          return;
        }
        leaveOnScreen(shownText(before), '^C');
        keepSentence(reading.question, before);
        if (!reading.question.fresh) messages.bringBack();
        settle({ type: 'interrupt', cleared: effect.cleared });
        return;
      case 'escape':
        if (reading === undefined) interruptWork();
        else if (reading.question.fresh) {
          leaveOnScreen(shownText(before));
          keepSentence(reading.question, before);
          settle({ type: 'interrupt', cleared: false });
        } else if (effect.isAgain === true) showHint(KEY_HINTS.rewind);
        return;
      case 'end':
        if (reading !== undefined) end();
        return;
      case 'suspend':
        suspend();
        return;
      case 'clear_screen':
        // The approved action stays on the screen.
        if (reading?.question.fresh !== true) screen.clear();
        return;
      case 'complete':
        if (reading?.line === undefined) completion.start(before.buffer);
        return;
      case 'picture':
        showHint(KEY_HINTS.picture);
        return;
      case 'compose':
        composeLine().catch(() => undefined);
        return;
      case 'unfold':
      case 'mode':
        (effect.type === 'unfold' ? unfolds : modes).call();
        return;
      default:
        effect satisfies never;
    }
  };

  /** Lets another program edit the message or the line of a question. A run continues meanwhile; its output is held. */
  async function composeLine(): Promise<void> {
    const asked = reading?.question.keys === undefined ? reading?.line && reading : undefined;
    const target: { line: LineState | undefined } = asked ?? messages;
    if (compose === undefined || (asked === undefined && !typeAhead)) return;
    const [before, shown] = [wholeText(target.line ?? newLine()), reading];
    composing = true;
    screen.hide();
    keys.setModes(false);
    const composed = await compose(before);
    composing = false;
    if ('text' in composed) target.line = withText(target.line ?? newLine(), composed.text, before);
    resumeQuestion(TYPING_KEYS, reading === shown);
    if ('failure' in composed) await screen.write(`${LINE_MARK} ${escapeLine(composed.failure)}\n`);
  }

  const onKey = (key: Key): void => {
    if (composing || (messages.takesEnter(key, clock.now()) && reading?.question.fresh === true)) return;
    if (typeAhead) messages.noteKey(clock.now());
    if (completion.take(key, () => reading === undefined)) return;
    if (reading?.line === undefined && messages.keepForHistory(key)) return;
    if (reading?.question.keys !== undefined && !isControl(key) && !isCompose(key)) {
      step(reading, key);
      return;
    }
    if (reading === undefined && !typeAhead && !isControl(key)) return;
    const line = reading?.line ?? messages.line;
    const { state, effect } = press(line, key);
    if (reading?.line !== undefined) reading.line = state;
    else messages.line = state;
    if (reading?.line === undefined && state.buffer.text !== line.buffer.text) completion.offer(state.buffer);
    if (effect !== undefined) onEffect(effect, line);
    screen.refresh();
  };

  const completion = new Completions(ports, onKey, (found, before, isOffer) => {
    messages.complete(found, before, isOffer);
    screen.refresh();
  });

  /** Takes a key at a question, or the end of its state. Other keys go to the message; without one, Enter stays a no. */
  function step(asked: Reading, event: QuestionEvent): void {
    const next = stepQuestion(asked.state, event, asked.question.keys ?? []);
    switch (next.type) {
      case 'answer':
        if (event.type === 'time') messages.noteAnswer(clock.now());
        leaveOnScreen(next.key);
        settle({ type: 'line', text: next.key });
        break;
      case 'end':
        end();
        break;
      case 'wait':
        if (typeAhead) messages.type(next.message);
        wait(asked, typeAhead ? next.state : { ...next.state, typed: 0 });
        break;
      default:
        next satisfies never;
    }
    screen.refresh();
  }

  /** Enters a state of a question, and leaves it when its time has passed. */
  function wait(asked: Reading, state: Reading['state']): void {
    asked.state = state;
    asked.waiting?.abort();
    const duration = durationOf(state);
    if (duration === undefined) return;
    asked.waiting = new AbortController();
    const pass = (): void => {
      if (reading === asked) step(asked, { type: 'time' });
    };
    sleepAndRead(clock, duration, asked.waiting.signal).then(pass, () => undefined);
  }

  function end(): void {
    if (ended) return;
    completion.cancel();
    ended = true;
    messages.keepUnsent();
    // The prompt of the user's shell must start on a new line.
    if (reading !== undefined) leaveOnScreen(shownText(reading.line ?? messages.line));
    settle({ type: 'end' });
  }

  function suspend(): void {
    if (jobControl === undefined) return;
    screen.hide();
    keys.setModes(false);
    jobControl.stop();
    hasResumed = false;
    continueJob();
    hasResumed = true;
  }

  /** Resumes once after each stop. */
  function continueJob(): void {
    if (composing) return;
    if (hasResumed) resume();
    else resumeQuestion(reading?.state.typed ?? 0);
    hasResumed = false;
  }

  /** Resumes, draws a question again that `wasShown`, and ignores its keys for a moment. `typed`: see `QuestionState`. */
  function resumeQuestion(typed: number, wasShown = true): void {
    if (reading?.question.keys !== undefined) wait(reading, { ...QUIET_QUESTION, typed });
    resume();
    if (wasShown) screen.write(reading?.question.above ?? '').catch(() => false);
  }

  /** Sets the modes of the terminal again, which the shell has changed, and draws the line again. */
  function resume(): void {
    if (ended || closed) return;
    keys.setModes(true);
    screen.show();
  }

  const unsubscribe = jobControl?.onContinue(continueJob);
  keys.start({ onKey, onEnd: end });

  return {
    async readLine(question, signal) {
      signal?.throwIfAborted();
      if (ended) return { type: 'end' };
      if (question.fresh) completion.cancel();
      if (!question.fresh && question.text !== undefined) messages.putBack(question.text);
      const first = question.fresh ? undefined : messages.dequeue();
      if (first !== undefined) {
        await screen.write(echo(first, question.prompt));
        messages.remember(first);
        return { type: 'line', text: first };
      }
      const line = question.fresh ? newLine([], question.text, question.choices) : undefined;
      const state = startOf(question.keys, clock.now() - messages.typedAt);
      const asked: Reading = { question, line, state, waiting: undefined, settle: () => {} };
      const input = new Promise<TerminalInput>((resolve) => (asked.settle = resolve));
      reading = asked;
      if (question.fresh) keys.dropPaste();
      wait(asked, state);
      screen.refresh();
      // After the first prompt, which does not wait for it.
      if (!question.fresh) messages.load(onKey).catch(() => undefined);
      try {
        return await raceAbort(input, signal);
      } finally {
        asked.waiting?.abort();
        if (reading === asked) {
          reading = undefined;
          keepSentence(question, asked.line);
        }
        screen.refresh();
      }
    },
    steerWith: (run) => messages.setRun(run),
    ...{ drawsChoices: true, size: screen.size },
    onInterrupt: interrupts.add,
    onUnfold: unfolds.add,
    onMode: modes.add,
    close() {
      if (closed) return;
      closed = true;
      end();
      screen.setView(undefined);
      screen.show();
      unsubscribe?.();
      keys.stop();
    },
  };
}
