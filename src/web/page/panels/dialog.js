import { button, element } from '../dom.js';

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
