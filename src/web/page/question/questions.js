/**
 * @import { WebAnswer } from '../../session/answer.ts'
 * @import { Scroller } from '../conversation/scroller.js'
 * @import { KeyState } from './question-keys.js'
 * @import { Question, QuestionView } from './question-view.js'
 */

import { spanOf } from '../conversation/scroller.js';
import { isField } from '../dom.js';
import { request } from '../session/connection.js';
import { areInView, stepOn } from './in-view.js';
import { durationOf, QUIET_MS, stepKeys } from './question-keys.js';
import { questionView } from './question-view.js';

/**
 * Functions that the questions call.
 *
 * @typedef {object} QuestionPorts
 * @property {(text: string) => void} announce
 * @property {(text: string) => void} type Adds keys to the message, which gets the focus.
 * @property {(text: string) => void} keepText Adds a text that was typed at a question to the message.
 * @property {() => void} onAnswered Called when the last question is closed.
 */

/** The questions about calls. The first one is in view, and gets the keys. */
export class QuestionsView {
  /** @type {HTMLElement} */
  #place;
  /** @type {Scroller} */
  #scroller;
  /** @type {QuestionPorts} */
  #ports;
  /** @type {Map<string, QuestionView>} */
  #views = new Map();
  /** The question that gets the keys. @type {QuestionView | undefined} */
  #first;
  /** @type {KeyState} */
  #state = { type: 'open' };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The question gets the focus when nothing has been typed for a moment, because no click has chosen the message. */
  #isFocusDue = false;
  /** The time of the last key in a field. */
  #lastTyped = Number.NEGATIVE_INFINITY;
  /** The time of the last key that answered. */
  #lastAnswered = Number.NEGATIVE_INFINITY;
  /** The key that was pressed at a question, and may still be held down. @type {string | undefined} */
  #pressed;

  /**
   * @param {HTMLElement} place
   * @param {Scroller} scroller Scrolls the place.
   * @param {QuestionPorts} ports
   */
  constructor(place, scroller, ports) {
    this.#place = place;
    this.#scroller = scroller;
    this.#ports = ports;
    // Wherever the focus is, so that a click into the conversation does not take the keys away.
    document.addEventListener('keydown', (event) => this.#press(event), { capture: true });
    document.addEventListener('pointerdown', ({ target }) => {
      if (isField(target)) this.#isFocusDue = false;
      // The next click of several at the same place may not be meant for a question that has just appeared there.
      if (this.#first !== undefined && this.#state.type === 'quiet') this.#enter(this.#state);
    });
  }

  /** @param {ReadonlyMap<string, Question>} questions */
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
      const view = questionView(question, (answer) => this.#send(question, view, answer));
      this.#views.set(id, view);
      this.#place.append(view.node);
      this.#ports.announce(`Question: ${question.request.toolName}: ${question.request.effect.summary}`);
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
      this.#enter({ type: 'open' });
      this.#scroller.release();
      this.#ports.onAnswered();
    } else this.#present(first);
  }

  /** Gives the focus to the question that gets the keys, if there is one. */
  focus() {
    this.#first?.node.focus({ preventScroll: true });
  }

  /** @param {QuestionView} view */
  #present({ node }) {
    this.#scroller.hold(node);
    this.#isFocusDue = isField(document.activeElement) && performance.now() - this.#lastTyped < QUIET_MS;
    if (!this.#isFocusDue) this.focus();
    this.#enter({ type: 'quiet' });
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
    // A key that is held down is no text of the message, which gets the focus after the answer.
    else if (key === this.#pressed) event.preventDefault();
    if (isField(target)) {
      // It was meant for the letter that has opened the field.
      if (key === 'Enter' && performance.now() - this.#lastAnswered < QUIET_MS) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      this.#lastTyped = performance.now();
      // Tab chooses a place, or completes a message that goes on.
      if (key === 'Tab') this.#isFocusDue = false;
      if (this.#isFocusDue) this.#enter({ type: 'quiet' });
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (this.#first === undefined || document.querySelector('dialog') !== null) return;
    if (!this.#step(key)) return;
    this.#pressed = key;
    event.preventDefault();
  }

  /**
   * Takes a key, or the end of the time of the state. True if the key has an effect here.
   *
   * @param {string | undefined} key
   */
  #step(key) {
    const step = stepKeys(this.#state, key, new Set(this.#first?.keys.keys()));
    switch (step.type) {
      case 'wait':
        this.#enter(step.state);
        if (step.state.type === 'open' && this.#isFocusDue) {
          this.#isFocusDue = false;
          this.focus();
        }
        return true;
      case 'ignored':
        if (step.state !== this.#state || step.state.type === 'quiet') this.#enter(step.state);
        return false;
      case 'text':
        // The message keeps the focus, so that Enter sends it.
        this.#isFocusDue = false;
        this.#ports.type(step.text);
        this.#enter({ type: 'quiet' });
        return true;
      case 'answer':
        this.#enter({ type: 'open' });
        this.#lastAnswered = performance.now();
        this.#answer(step.key);
        return true;
    }
  }

  /** @param {string} key */
  #answer(key) {
    const pressed = this.#first?.keys.get(key);
    if (this.#first === undefined || pressed === undefined) return;
    const answers = spanOf(this.#first.answers);
    if (!pressed.agrees || areInView(answers, this.#scroller.view)) {
      pressed.press();
      return;
    }
    this.#scroller.scrollBy(stepOn(answers, this.#scroller.view));
    this.#ports.announce(`There is more to read. ${key} counts when the answers are in view.`);
  }

  /**
   * @param {Question} question
   * @param {QuestionView} view
   * @param {WebAnswer['answer']} answer
   */
  async #send({ id, digest }, view, answer) {
    // A click may have been meant for something that was here before the question.
    if (view === this.#first && this.#state.type === 'quiet') return;
    view.markSent(answer);
    try {
      await request('approval', { body: { id, digest, answer } });
    } catch (error) {
      view.markSent(undefined);
      view.showProblem(error instanceof Error ? error.message : String(error));
      if (this.#views.get(id) !== view) this.#keepTexts(view);
    }
  }
}
