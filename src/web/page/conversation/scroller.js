/** @import { Span } from '../question/in-view.js' */

/** Distance from the end, in pixels, within which the page follows it. */
const END = 40;

/** The scrollable area of the page. It follows its end, unless the user has scrolled away or a question is open. */
export class Scroller {
  /** @type {HTMLElement} */
  #place;
  #isAtEnd = true;
  /** The question that is open. @type {HTMLElement | undefined} */
  #held;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
    place.addEventListener('scroll', () => {
      this.#isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - END;
    });
    // A longer message takes space, and a narrower window makes the text above a question higher.
    new ResizeObserver(() => {
      this.keepEnd();
      const { top, bottom } = this.view;
      const question = this.#held && spanOf(this.#held);
      if (question !== undefined && (question.top > (top + bottom) / 2 || question.bottom < top)) this.#showHeld();
    }).observe(place);
  }

  /** True unless the user has scrolled away from the end. */
  get isAtEnd() {
    return this.#isAtEnd;
  }

  /** The edges of the visible part. */
  get view() {
    const { top } = this.#place.getBoundingClientRect();
    return { top, bottom: top + this.#place.clientHeight };
  }

  /** Shows the end, unless the user has scrolled away from it or a question is open. */
  keepEnd() {
    if (this.#isAtEnd && this.#held === undefined) this.#place.scrollTop = this.#place.scrollHeight;
  }

  /** Shows the end from now on, unless a question is open. */
  followEnd() {
    this.#isAtEnd = true;
    this.keepEnd();
  }

  /**
   * Shows the start of a question, and keeps it in view until `release`.
   *
   * @param {HTMLElement} question
   */
  hold(question) {
    this.#held = question;
    this.#showHeld();
  }

  #showHeld() {
    this.#held?.scrollIntoView({ block: 'start' });
  }

  /** Follows the end again, because no question is open any more. */
  release() {
    this.#held = undefined;
    this.followEnd();
  }

  /**
   * Scrolls by a number of pixels.
   *
   * @param {number} pixels
   */
  scrollBy(pixels) {
    this.#place.scrollTop += pixels;
  }

  /** The height of the whole content. */
  get height() {
    return this.#place.scrollHeight;
  }
}

/**
 * The edges of an element.
 *
 * @param {HTMLElement} node
 * @returns {Span}
 */
export function spanOf(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return { top, bottom };
}
