/** @import { Model } from '../session/model.js' */

import { button, byId, element } from '../dom.js';

/** Signs of the states of a task. */
const SIGNS = { pending: '☐', in_progress: '▸', completed: '☑' };

/**
 * Shows the list of tasks that the model keeps.
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
 * Shows the messages that wait.
 *
 * @param {Model} model
 * @param {(id: string) => void} remove
 */
export function showQueue({ state }, remove) {
  const place = byId('queue', HTMLUListElement);
  place.hidden = state.queue.length === 0;
  place.replaceChildren(
    ...state.queue.map(({ id, text }) =>
      element(
        'li',
        {},
        `Waits: ${text} `,
        button('Remove', () => remove(id), { 'aria-label': `Remove: ${text}` }),
      ),
    ),
  );
}
