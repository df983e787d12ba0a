/** @import { Model } from '../session/model.js' */

import { byId } from '../dom.js';
import { showQueue, showTasks } from './lists.js';
import { QuestionsView } from './questions.js';
import { Transcript } from './transcript.js';

/**
 * Functions that the conversation calls.
 *
 * @typedef {object} ConversationPorts
 * @property {(text: string) => void} announce
 * @property {() => void} onAnswered Called when the last question is closed.
 * @property {(id: string) => void} unqueue Removes a message that waits.
 */

/**
 * Creates the part of the page that shows the entries, questions and lists of a model. The page loads it after it has
 * shown the state of the session.
 *
 * @param {ConversationPorts} ports
 * @returns {(model: Model) => void}
 */
export function createConversation({ announce, onAnswered, unqueue }) {
  const transcript = new Transcript(byId('messages', HTMLElement), (code) => {
    // Loaded with the first block of code.
    void import('./highlight.js').then(({ highlight }) => highlight(code));
  });
  const questions = new QuestionsView(byId('questions', HTMLElement), announce, onAnswered);
  return (model) => {
    transcript.show(model.items, model.takeChanged());
    questions.show(model.questions);
    showTasks(model);
    showQueue(model, unqueue);
  };
}
