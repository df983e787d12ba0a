/**
 * The upper and the lower edge of something on the page, in pixels.
 *
 * @typedef {{ readonly top: number, readonly bottom: number }} Span
 */

/** Tolerance in pixels, because edges are fractions and browsers round some of them. */
const ROUNDING = 1;

/** Pixels of a page that stay in view when a key scrolls to the next page, so that no line is missed. */
const OVERLAP = 48;

/**
 * True if the answers to a question are in view, and with them the end of what they approve. If the answers are higher
 * than the view, their end must be in view.
 *
 * @param {Span} answers
 * @param {Span} view
 */
export function areInView(answers, view) {
  const fit = heightOf(answers) <= heightOf(view) + ROUNDING;
  const start = fit ? answers.top >= view.top - ROUNDING : answers.bottom > view.top;
  return start && answers.bottom <= view.bottom + ROUNDING;
}

/**
 * The distance in pixels to scroll to the next page of the question, but not beyond its answers. Negative if the answers
 * are above the view.
 *
 * @param {Span} answers
 * @param {Span} view
 */
export function stepOn(answers, view) {
  const height = heightOf(view);
  return Math.min(Math.max(height - OVERLAP, height / 2), answers.bottom - view.bottom);
}

/** @param {Span} span */
function heightOf({ top, bottom }) {
  return bottom - top;
}
