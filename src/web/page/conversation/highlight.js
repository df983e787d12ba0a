/** @import { ShownPart } from '../../highlight-code.ts' */

import { element } from '../dom.js';
import { request } from '../session/connection.js';

/**
 * Highlights a block of code whose language is known. If the request fails, the code stays plain.
 *
 * @param {HTMLElement} code
 */
export async function highlight(code) {
  const { language } = code.dataset;
  const text = code.textContent;
  if (language === undefined || text === '') return;
  // A block is highlighted once.
  delete code.dataset['language'];
  try {
    const answer = await request('highlight', { body: { code: text, language } });
    /** @type {{ readonly parts: readonly ShownPart[] }} */
    const { parts } = await answer.json();
    if (parts.length === 0 || code.textContent !== text) return;
    code.replaceChildren(
      ...parts.map(([part, kind]) => (kind === undefined ? part : element('span', { class: `k-${kind}` }, part))),
    );
  } catch {
    // The code is readable without colours.
  }
}
