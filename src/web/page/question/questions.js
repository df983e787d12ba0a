/**
 * @import { WebAnswer } from '../../session/page-data.ts'
 * @import { Scroller } from '../conversation/scroller.js'
 * @import { KeyState } from './question-keys.js'
 * @import { Form } from './form-view.js'
 * @import { Question, QuestionView } from './question-view.js'
 */

import { spanOf } from '../conversation/scroller.js';
import { isField } from '../dom.js';
import { LostError, messageOf, request } from '../session/connection.js';
import { formView } from './form-view.js';
import { areInView, stepOn } from './in-view.js';
import { durationOf, QUIET_MS, startOf, stepKeys } from './question-keys.js';
import { questionView } from './question-view.js';

/**
 * Functions that the questions call.
 *
 * @typedef {object} QuestionPorts
 * @property {(text: string) => void} announce
 * @property {(text: string) => void} type Adds typed text to the message, which receives the focus.
 * @property {(text: string) => void} keepText Adds a text that was typed at a question to the message.
 * @property {() => void} onAnswered Called when the last question is closed.
 */

/** The open questions about tool calls. The first one is in view, and receives the keys. */
export class QuestionsView {
  /** @type {HTMLElement} */
  #place;
  /** @type {Scroller} */
  #scroller;
  /** @type {QuestionPorts} */
  #ports;
  /** @type {Map<string, QuestionView>} */
  #views = new Map();
  /** The question that receives the keys. @type {QuestionView | undefined} */
  #first;
  /** @type {KeyState} */
  #state = { type: 'open', typed: false };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The question receives the focus when nothing has been typed for a moment, unless a click chooses the message. */
  #isFocusDue = false;
  /** The time of the last key in a field, unless it sent the message. */
  #lastTyped;
  /** The time of the last key that answered. */
  #lastAnswered = Number.NEGATIVE_INFINITY;
  /**
   * The time at which a question appeared, or of the last click that may have been meant for what was there before it.
   *
   * @type {WeakMap<QuestionView, number>}
   */
  #lastMissed = new WeakMap();
  /** The key that was pressed at a question and may still be held down. @type {string | undefined} */
  #pressed;

  /**
   * @param {HTMLElement} place
   * @param {Scroller} scroller Scrolls the place.
   * @param {QuestionPorts} ports
   * @param {number} lastTyped The time of the last key in a field.
   */
  constructor(place, scroller, ports, lastTyped) {
    this.#place = place;
    this.#scroller = scroller;
    this.#ports = ports;
    this.#lastTyped = lastTyped;
    // On the document, so that the keys reach the question also after a click into the conversation.
    document.addEventListener('keydown', (event) => this.#press(event), { capture: true });
    document.addEventListener('pointerdown', ({ target }) => {
      this.#isFocusDue = false;
      // A user who clicks is no longer typing.
      if (this.#state.typed && !isField(target)) this.#enter({ type: 'quiet', typed: false });
      // The next click of several at the same place may not be meant for a question that has just appeared there.
      for (const view of this.#views.values()) if (this.#isNew(view)) this.#miss(view);
    });
    for (const type of ['focusin', 'focusout']) document.addEventListener(type, () => this.#showPlace());
  }

  /** @param {ReadonlyMap<string, Question | Form>} questions */
  show(questions) {
    /** @type {QuestionView[]} */
    const closed = [];
    for (const [id, view] of this.#views) {
      if (questions.has(id)) continue;
      view.node.remove();
      this.#views.delete(id);
      closed.push(view);
    }
    for (const [id, question] of questions) {
      if (this.#views.has(id)) continue;
      /** @type {(answer: WebAnswer['answer']) => unknown} */
      const send = (answer) => this.#send(question, view, answer);
      /** @type {QuestionView} */
      const view = question.type === 'form' ? formView(question, send) : questionView(question, send);
      this.#views.set(id, view);
      this.#miss(view);
      this.#place.append(view.node);
      this.#ports.announce(`Question: ${aboutOf(question)}`);
    }
    this.#showFirst();
    // After the focus has moved.
    for (const view of closed) this.#keepTexts(view);
  }

  /** The texts in the fields of the open questions. */
  get texts() {
    return [...this.#views.values()].flatMap((view) => view.texts());
  }

  /**
   * Keeps the texts that a question did not send, as a part of the message.
   *
   * @param {QuestionView} view
   */
  #keepTexts(view) {
    for (const text of view.texts()) this.#ports.keepText(text);
  }

  #showFirst() {
    const [first] = this.#views.values();
    if (first === this.#first) return;
    this.#first = first;
    if (first === undefined) {
      this.#isFocusDue = false;
      this.#enter({ type: 'open', typed: false });
      this.#scroller.release();
      this.#ports.onAnswered();
    } else this.#present(first);
  }

  /** Gives the focus and the next keys to the first question. False if there is none. */
  focus() {
    if (this.#first === undefined) return false;
    this.#isFocusDue = false;
    this.#enter({ type: 'quiet', typed: false });
    this.#takeFocus();
    return true;
  }

  #takeFocus() {
    this.#first?.node.focus({ preventScroll: true });
  }

  /** @param {QuestionView} view */
  #present(view) {
    this.#scroller.hold(view.node);
    this.#miss(view);
    const state = startOf(
      isField(document.activeElement) ? performance.now() - this.#lastTyped : Number.POSITIVE_INFINITY,
    );
    this.#isFocusDue = state.typed;
    if (!state.typed) this.#takeFocus();
    this.#enter(state);
    this.#showPlace();
  }

  /** Shows in the first question that the keys go to the message, if they do. */
  #showPlace() {
    const { activeElement } = document;
    this.#first?.showTyping(isField(activeElement) && !this.#place.contains(activeElement));
  }

  /**
   * True if the question appeared only a moment ago, so that a click may be meant for something else.
   *
   * @param {QuestionView} view
   */
  #isNew(view) {
    return performance.now() - (this.#lastMissed.get(view) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
  }

  /** @param {QuestionView} view */
  #miss(view) {
    this.#lastMissed.set(view, performance.now());
  }

  /** @param {KeyState} state */
  #enter(state) {
    clearTimeout(this.#timer);
    this.#state = state;
    const duration = durationOf(state);
    if (duration !== undefined) this.#timer = setTimeout(() => this.#step(undefined), duration);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { target, key } = event;
    if (!event.repeat) this.#pressed = undefined;
    // A key that is held down must not become text of the message, which has the focus after the answer.
    else if (key === this.#pressed) event.preventDefault();
    if (isField(target)) {
      // This Enter was meant for the letter that opened the field.
      if (key === 'Enter' && performance.now() - this.#lastAnswered < QUIET_MS) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      this.#lastTyped = key === 'Enter' && !event.shiftKey ? Number.NEGATIVE_INFINITY : performance.now();
      // Tab moves the focus, or completes a message that is still being typed.
      if (key === 'Tab') this.#isFocusDue = false;
      if (this.#isFocusDue || this.#state.typed) this.#enter({ type: 'quiet', typed: key !== 'Tab' });
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (this.#first === undefined || document.querySelector('dialog') !== null) return;
    if (!this.#step(key)) return;
    this.#pressed = key;
    event.preventDefault();
  }

  /**
   * Handles a key, or the end of the time of the state. True if the key has an effect on the question.
   *
   * @param {string | undefined} key
   */
  #step(key) {
    const keys = this.#first?.keys ?? new Map();
    const paging = this.#isRead() ? [] : [...keys].filter(([, { agrees }]) => agrees).map(([letter]) => letter);
    const step = stepKeys(this.#state, key, new Set(keys.keys()), new Set(paging));
    switch (step.type) {
      case 'wait':
        this.#enter(step.state);
        if (step.state.type === 'open' && this.#isFocusDue) {
          this.#isFocusDue = false;
          this.#takeFocus();
        }
        return true;
      case 'ignored':
        if (step.state !== this.#state || step.state.type === 'quiet') this.#enter(step.state);
        return false;
      case 'text':
        // The message has the focus while it is being typed, so that Enter sends it.
        this.#ports.type(step.text);
        this.#isFocusDue = true;
        this.#enter({ type: 'quiet', typed: true });
        return true;
      case 'answer':
        this.#enter({ type: 'open', typed: this.#state.typed });
        this.#lastAnswered = performance.now();
        this.#answer(step.key);
        return true;
    }
  }

  /** True if the answers of the first question are in view. */
  #isRead() {
    return this.#first === undefined || areInView(spanOf(this.#first.answers), this.#scroller.view);
  }

  /** @param {string} key */
  #answer(key) {
    const pressed = this.#first?.keys.get(key);
    if (this.#first === undefined || pressed === undefined) return;
    if (!pressed.agrees || this.#isRead()) {
      pressed.press();
      return;
    }
    this.#enter({ type: 'paged', typed: this.#state.typed, key });
    this.#scroller.scrollBy(stepOn(spanOf(this.#first.answers), this.#scroller.view));
    this.#ports.announce(`There is more to read. ${key} counts when the answers are in view.`);
  }

  /**
   * @param {Question | Form} question
   * @param {QuestionView} view
   * @param {WebAnswer['answer']} answer
   */
  async #send(question, view, answer) {
    const { id } = question;
    const digest = question.type === 'form' ? '' : question.digest;
    // A click may have been meant for something that was here before the question.
    if (this.#isNew(view)) return;
    view.markSent(answer);
    try {
      await request('approval', { body: { id, digest, answer } });
    } catch (error) {
      view.markSent(undefined);
      if (!(error instanceof LostError)) view.showProblem(messageOf(error));
      if (this.#views.get(id) !== view) this.#keepTexts(view);
    }
  }
}

/** @param {Question | Form} question */
function aboutOf(question) {
  if (question.type === 'form') return `${question.server}: ${question.message}`;
  return `${question.request.toolName}: ${question.request.effect.summary}`;
}
