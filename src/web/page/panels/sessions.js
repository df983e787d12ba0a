/** @import { SessionListView } from '../../session/page-data.ts' */

import { button, element } from '../dom.js';
import { request } from '../session/connection.js';
import { openDialog } from './dialog.js';

/**
 * Opens the dialog with the stored sessions.
 *
 * @param {(name: string) => void} load
 */
export function openSessions(load) {
  void openDialog('Sessions', (place, close) =>
    fillSessions(place, (name) => {
      close();
      load(name);
    }),
  );
}

/**
 * Fills the dialog with the stored sessions: those of this directory, then the others, the one used last first.
 *
 * @param {HTMLElement} place
 * @param {(name: string) => void} load
 */
async function fillSessions(place, load) {
  const answer = await request('sessions');
  /** @type {SessionListView} */
  const { current, workspace: here, sessions } = await answer.json();
  const rows = sessions.map(({ name, workspace = here, modifiedMs, prompts, firstPrompt = '' }) => {
    const isCurrent = name === current;
    const label = firstPrompt.trim().split('\n', 1)[0] || name;
    const place = workspace === here ? '' : ` · in ${workspace}`;
    const count = `${prompts} ${prompts === 1 ? 'prompt' : 'prompts'}`;
    const facts = `${name} · ${new Date(modifiedMs).toLocaleString()} · ${count}${place}`;
    return element(
      'li',
      {},
      button(label, () => load(name), { disabled: isCurrent, title: name }),
      element('span', { class: 'soft' }, isCurrent ? `${facts} · open here` : facts),
    );
  });
  place.replaceChildren(
    rows.length === 0 ? 'There are no stored sessions.' : element('ul', { class: 'sessions' }, ...rows),
  );
}
