/** @import { FileDiff } from '../../../ports/tool.ts' */

import { element } from '../dom.js';

/** Number of lines of a diff that are shown at once. */
const MAX_LINES = 400;

/** Classes of the lines of a diff, by their first character. */
const CLASSES = new Map([
  ['+', 'added'],
  ['-', 'removed'],
  ['@', 'place'],
]);

/**
 * Creates the view of a change. The signs before the lines stay, so that nobody needs its colours to read it.
 *
 * @param {FileDiff} diff
 */
export function diffBlock({ path, unified, added, removed }) {
  const rows = unified.replace(/\n$/, '').split('\n');
  // The path is in the caption.
  const all = rows[0]?.startsWith('--- ') && rows[1]?.startsWith('+++ ') ? rows.slice(2) : rows;
  const lines = all.slice(0, MAX_LINES).map((line) => {
    return element('span', { class: CLASSES.get(line.charAt(0)) }, `${line}\n`);
  });
  const rest = all.length > MAX_LINES ? [`… ${all.length - MAX_LINES} more lines`] : [];
  return element(
    'figure',
    { class: 'diff' },
    element('figcaption', {}, `${path} (+${added} −${removed})`),
    element('pre', { tabindex: '0' }, ...lines, ...rest),
  );
}
