import { button, element } from '../dom.js';
import { messageOf } from '../session/connection.js';

/**
 * Opens a dialog with a heading, and lets `fill` create its content.
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
    place.replaceChildren(messageOf(error));
  }
}
