/** @import { Model } from '../session/model.js' */

import { button, byId, element } from '../dom.js';

/** Signs of the states of a task. */
const SIGNS = { pending: '☐', in_progress: '▸', completed: '☑' };

/**
 * Shows the task list of the model.
 *
 * @param {Model} model
 */
export function showTasks({ tasks }) {
  const place = byId('tasks', HTMLDetailsElement);
  place.hidden = tasks.length === 0;
  const done = tasks.filter(({ status }) => status === 'completed').length;
  const rows = tasks.map(({ status, content, activeForm }) => {
    const text = status === 'in_progress' ? (activeForm ?? content) : content;
    return element('li', { class: status }, `${SIGNS[status]} ${text}`);
  });
  place.replaceChildren(element('summary', {}, `Tasks: ${done} of ${tasks.length} done`), element('ul', {}, ...rows));
}

/**
 * A message that has not been sent. `what`: the label in the list.
 *
 * @typedef {{ readonly what: string, readonly id: string, readonly text: string, remove(): void }} LaterMessage
 */

/** The messages in the list, as JSON. */
let shownQueue = '';

/**
 * Shows the queued messages.
 *
 * @param {readonly LaterMessage[]} messages
 */
export function showQueue(messages) {
  const place = byId('queue', HTMLUListElement);
  const shown = JSON.stringify(messages);
  // Without a change, nothing is replaced, so that a focused button stays.
  if (shown === shownQueue) return;
  shownQueue = shown;
  place.hidden = messages.length === 0;
  place.replaceChildren(
    ...messages.map(({ what, text, remove }) =>
      element('li', {}, `${what}: ${text} `, button('Remove', remove, { 'aria-label': `Remove: ${text}` })),
    ),
  );
}
