/** @import { ChangedPart } from '../../../text/diff/word-diff.ts' */

import { element } from '../dom.js';
import { request } from '../session/connection.js';

/**
 * Marks the words that differ in the lines of a diff. If the request fails, the lines stay as they are.
 *
 * @param {readonly string[]} rows
 * @param {readonly HTMLElement[]} lines
 */
export async function markWords(rows, lines) {
  try {
    const answer = await request('diff-words', { body: { rows } });
    /** @type {{ readonly rows: readonly (readonly ChangedPart[])[] }} */
    const marked = await answer.json();
    for (const [index, parts] of marked.rows.entries()) {
      if (!parts.some(({ changed }) => changed)) continue;
      const nodes = parts.map(({ text, changed }) => (changed ? element('mark', {}, text) : text));
      lines[index]?.replaceChildren(...nodes, '\n');
    }
  } catch {
    // The diff is readable without marks.
  }
}
