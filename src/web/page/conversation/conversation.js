/**
 * @import { LaterMessage } from './lists.js'
 * @import { Model } from '../session/model.js'
 */

import { byId } from '../dom.js';
import { QuestionsView } from '../question/questions.js';
import { showQueue, showTasks } from './lists.js';
import { Scroller } from './scroller.js';
import { Transcript } from './transcript.js';

/**
 * Functions that the conversation calls.
 *
 * @typedef {object} ConversationPorts
 * @property {(text: string) => void} announce
 * @property {(text: string) => void} type Adds keys to the message, which gets the focus.
 * @property {(text: string) => void} keepText Adds a text that was typed at a question to the message.
 * @property {() => void} onAnswered Called when the last question is closed.
 * @property {() => readonly LaterMessage[]} later The messages that are not sent yet.
 */

/**
 * Creates the part of the page that shows the entries, questions and lists of a model. The page loads it after it has
 * shown the state of the session. `focusQuestion` gives the focus and the next keys to the open question; false if there
 * is none. `texts` returns the texts in the fields of open questions.
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
  const questions = new QuestionsView(byId('questions', HTMLElement), scroller, {
    ...{ announce, type, keepText, onAnswered },
  });
  return {
    show(model) {
      transcript.show(model.items, model.takeChanged());
      questions.show(model.questions);
      showTasks(model);
      showQueue(later());
      scroller.keepEnd();
    },
    focusQuestion: () => questions.focus(),
    texts: () => questions.texts,
  };
}
