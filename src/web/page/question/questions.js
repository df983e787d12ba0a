/**
 * @import { WebAnswer } from '../../session/answer.ts'
 * @import { Scroller } from '../conversation/scroller.js'
 * @import { KeyState } from './question-keys.js'
 * @import { Question, QuestionView } from './question-view.js'
 */

import { spanOf } from '../conversation/scroller.js';
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

  /**
   * @param {HTMLElement} place
   * @param {Scroller} scroller The place is in it.
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
    });
  }

  /** @param {ReadonlyMap<string, Question>} questions */
  show(questions) {
    for (const [id, { node }] of this.#views) {
      if (questions.has(id)) continue;
      node.remove();
      this.#views.delete(id);
    }
    for (const [id, question] of questions) {
      if (this.#views.has(id)) continue;
      const view = questionView(question, (answer) => this.#send(question, view, answer));
      this.#views.set(id, view);
      this.#place.append(view.node);
      this.#ports.announce(`Question: ${question.request.toolName}: ${question.request.effect.summary}`);
    }
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
    if (isField(target)) {
      this.#lastTyped = performance.now();
      // Tab chooses a place, or completes a message that goes on.
      if (key === 'Tab') this.#isFocusDue = false;
      if (this.#isFocusDue) this.#enter({ type: 'quiet' });
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (this.#first === undefined || document.querySelector('dialog') !== null) return;
    if (this.#step(key)) event.preventDefault();
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
        this.#ports.type(step.text);
        this.#isFocusDue = true;
        this.#enter({ type: 'quiet' });
        return true;
      case 'answer':
        this.#enter({ type: 'open' });
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
    // A click may have been meant for what was here before.
    if (view === this.#first && this.#state.type === 'quiet') return;
    try {
      await request('approval', { body: { id, digest, answer } });
    } catch (error) {
      view.showProblem(error instanceof Error ? error.message : String(error));
    }
  }
}

/** @param {EventTarget | null} target */
function isField(target) {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
