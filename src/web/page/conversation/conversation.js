/**
 * @import { LaterMessage } from './lists.js'
 * @import { QuestionsView } from '../question/questions.js'
 * @import { Model } from '../session/model.js'
 */

import { byId, isField } from '../dom.js';
import { showQueue, showTasks } from './lists.js';
import { Scroller } from './scroller.js';
import { Transcript } from './transcript.js';

/**
 * Functions that the conversation calls.
 *
 * @typedef {object} ConversationPorts
 * @property {(text: string) => void} announce
 * @property {(text: string) => void} type Adds typed text to the message, which receives the focus.
 * @property {(text: string) => void} keepText Adds a text that was typed at a question to the message.
 * @property {() => void} onAnswered Called when the last question is closed.
 * @property {() => readonly LaterMessage[]} later The messages that have not been sent.
 */

/**
 * Creates the part of the page that shows the entries, questions and lists of a model. The page loads it after it has
 * shown the state of the session. `focusQuestion` gives the focus and the next keys to the open question; false if none
 * is open. `texts` returns the texts in the fields of open questions.
 *
 * @param {ConversationPorts} ports
 * @returns {{ show(model: Model): void, focusQuestion(): boolean, texts(): readonly string[] }}
 */
export function createConversation({ announce, type, keepText, onAnswered, later }) {
  const scroller = new Scroller(byId('conversation', HTMLElement));
  const transcript = new Transcript(byId('messages', HTMLElement), scroller, (code) => {
    // Loaded with the first block of code.
    void import('./highlight.js').then(({ highlight }) => highlight(code));
  });
  /** @type {QuestionsView | undefined} */
  let questions;
  /** @type {Model | undefined} */
  let shown;
  let isLoading = false;
  /** The time of the last key in a field before `questions` was loaded. */
  let typedAt = Number.NEGATIVE_INFINITY;
  /** Loads the questions before the first one is asked: with the first key, because it must know each key, or with a run. */
  async function loadQuestions() {
    if (isLoading) return;
    isLoading = true;
    try {
      const { QuestionsView } = await import('../question/questions.js');
      const ports = { announce, type, keepText, onAnswered };
      questions = new QuestionsView(byId('questions', HTMLElement), scroller, ports, typedAt);
    } catch {
      // The server cannot be reached. The next key or run tries again.
      isLoading = false;
    }
    if (shown !== undefined) questions?.show(shown.questions);
  }
  document.addEventListener('keydown', ({ target }) => {
    if (questions !== undefined) return;
    if (isField(target)) typedAt = performance.now();
    void loadQuestions();
  });
  return {
    show(model) {
      transcript.show(model.items, model.takeChanged());
      shown = model;
      if (model.state.running !== undefined || model.questions.size > 0) void loadQuestions();
      questions?.show(model.questions);
      showTasks(model);
      showQueue(later());
      scroller.keepEnd();
    },
    focusQuestion: () => questions?.focus() === true,
    texts: () => questions?.texts ?? [],
  };
}
