import { button, element } from '../dom.js';

/**
 * Creates the form for a new token, which the user may paste with its address.
 *
 * @param {string} message Why it is needed.
 * @param {(text: string) => void} connect
 */
export function tokenForm(message, connect) {
  const field = element('input', { type: 'text', 'aria-label': 'Address or token', autocomplete: 'off' });
  const submit = () => connect(field.value);
  const form = element('form', { class: 'question' }, element('p', {}, message), field, button('Connect', submit));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}
