/** @import { Model } from './model.js' */

import { button, byId, element } from './dom.js';

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

/**
 * Opens a dialog with this heading, which `fill` fills.
 *
 * @param {string} heading
 * @param {(place: HTMLElement, close: () => void) => Promise<void>} fill
 */
export async function openDialog(heading, fill) {
  const place = element('div', { class: 'content' }, 'Loading …');
  const close = () => dialog.close();
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'dialog-heading' },
    element('h2', { id: 'dialog-heading' }, heading),
    button('Close', close, { class: 'close' }),
    place,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  try {
    await fill(place, close);
  } catch (error) {
    place.replaceChildren(error instanceof Error ? error.message : String(error));
  }
}
