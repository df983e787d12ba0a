/** @import { FileDiff } from '../../../agent/ports/tool.ts' */

import { button, element } from '../dom.js';

/** Maximum number of lines of a diff that are shown, except in a question, and of lines whose words are marked. */
const MAX_LINES = 400;

/** Classes of the lines of a diff, by their first character. */
const CLASSES = new Map([
  ['+', 'added'],
  ['-', 'removed'],
  ['@', 'place'],
]);

/**
 * Creates the view of a change. `isWhole`: all its lines are shown, in the flow of the page.
 *
 * @param {FileDiff} diff
 * @param {{ readonly isWhole?: boolean }} [options]
 */
export function diffBlock({ path, unified, added, removed }, { isWhole = false } = {}) {
  const rows = rowsOf(unified);
  // The path is in the caption.
  const all = rows[0]?.startsWith('--- ') && rows[1]?.startsWith('+++ ') ? rows.slice(2) : rows;
  return element(
    'figure',
    { class: 'diff' },
    element('figcaption', {}, `${path} (+${added} −${removed})`),
    element('pre', { tabindex: isWhole ? undefined : '0' }, ...diffLines(all, isWhole ? all.length : MAX_LINES)),
  );
}

/** @param {string} unified */
export function rowsOf(unified) {
  return unified.replace(/\n$/, '').split('\n');
}

/**
 * The number of rows to show if `max` are allowed. One row more takes no more space than a button would.
 *
 * @param {number} rows
 * @param {number} max
 */
export function shownRows(rows, max) {
  return rows <= max + 1 ? rows : max;
}

/**
 * Creates the lines of a diff, with a button for those that are not shown. The signs before the lines are kept, so that
 * the diff is readable without colours. The words that differ are marked a moment later.
 *
 * @param {readonly string[]} rows
 * @param {number} [max] Number of lines that are shown.
 * @returns {readonly (Node | string)[]}
 */
export function diffLines(rows, max = MAX_LINES) {
  const shown = rows.slice(0, shownRows(rows.length, max));
  const lines = shown.map((row, index) => {
    // The file names in a header are not lines of the file.
    const isName = [0, 1].some(
      (place) => shown[index - place]?.startsWith('--- ') && shown[index - place + 1]?.startsWith('+++ '),
    );
    return element('span', { class: isName ? 'place' : CLASSES.get(row.charAt(0)) }, `${row}\n`);
  });
  if (shown.some((row, index) => row.startsWith('-') && rows[index + 1]?.startsWith('+'))) {
    void import('./mark-words.js').then(({ markWords }) => markWords(shown.slice(0, MAX_LINES), lines));
  }
  const rest = rows.slice(shown.length);
  if (rest.length === 0) return lines;
  const more = button(`Show ${rest.length} more lines`, () => {
    const place = more.parentElement;
    more.replaceWith(...diffLines(rest, rest.length));
    place?.focus();
  });
  return [...lines, more];
}
