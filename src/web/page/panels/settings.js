/** @import { SettingsView } from '../../session/page-data.ts' */

import { button, element, tableOf } from '../dom.js';
import { messageOf, request } from '../session/connection.js';
import { openDialog } from './dialog.js';

/** Opens the dialog with the settings. */
export function openSettings() {
  void openDialog('Settings', (place) => fillSettings(place));
}

/**
 * Fills the dialog with the settings of the session, each with its origin.
 *
 * @param {HTMLElement} place
 * @param {string} [message] About the last change.
 */
async function fillSettings(place, message = '') {
  const answer = await request('settings');
  /** @type {SettingsView} */
  const view = await answer.json();
  const result = element('p', { role: 'status' }, message);
  /**
   * @param {'mode' | 'permissions' | 'approvals'} command
   * @param {string} argument
   */
  const change = async (command, argument) => {
    try {
      const changed = await request('setting', { body: { command, argument } });
      const { text } = await changed.json();
      await fillSettings(place, text);
    } catch (error) {
      // The settings may have been changed in another tab.
      await fillSettings(place, messageOf(error));
    }
  };
  const controls = () => [...place.querySelectorAll('select, button')].filter((node) => node instanceof HTMLElement);
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement ? controls().indexOf(activeElement) : -1;
  const { mode, modes, tools, levels, approvals, values } = view;
  place.replaceChildren(
    result,
    element(
      'p',
      {},
      'Permission mode ',
      choice(modes, mode, (value) => change('mode', value), 'Permission mode'),
    ),
    element('h3', {}, 'Levels of the tools'),
    settingsTable(
      ['Tool', 'Level', 'Set by'],
      tools.map(({ name, level, origin }) => [
        name,
        choice(levels, level, (value) => change('permissions', `${name} ${value}`), `Level of ${name}`),
        origin,
      ]),
    ),
    element('h3', {}, 'Permissions that you have given'),
    approvals.length === 0
      ? element('p', {}, 'None.')
      : element(
          'ul',
          {},
          ...approvals.map((text, index) =>
            element(
              'li',
              {},
              `${text} `,
              button('Clear', () => void change('approvals', `clear ${index + 1}`), {
                'aria-label': `Clear: ${text}`,
              }),
            ),
          ),
        ),
    element('h3', {}, 'Configuration'),
    settingsTable(
      ['Key', 'Value', 'Origin'],
      values.map(({ name, value, origin }) => [name, value === undefined ? 'not set' : JSON.stringify(value), origin]),
    ),
  );
  // The focus stays at the same position. After a permission is removed, the next one is at that position.
  if (focused >= 0) (controls()[focused] ?? controls().at(-1))?.focus();
}

/**
 * A list whose choice takes effect only with Apply or Enter, because the arrow keys step through its values.
 *
 * @param {readonly string[]} values
 * @param {string} chosen
 * @param {(value: string) => unknown} change
 * @param {string} label
 */
function choice(values, chosen, change, label) {
  const options = values.map((value) => element('option', { value, selected: value === chosen }, value));
  const select = element('select', { 'aria-label': label }, ...options);
  const apply = button('Apply', commit, { 'aria-label': `Apply: ${label}`, hidden: true });
  function commit() {
    select.focus();
    if (select.value !== chosen) void change(select.value);
  }
  select.addEventListener('change', () => {
    apply.hidden = select.value === chosen;
  });
  select.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') commit();
  });
  return element('span', {}, select, ' ', apply);
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly (Node | string)[])[]} rows
 */
function settingsTable(head, rows) {
  return tableOf(
    head.map((cell) => element('th', {}, cell)),
    rows.map((row) => row.map((cell) => element('td', {}, cell))),
  );
}
