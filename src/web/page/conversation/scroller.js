/** @import { Span } from '../question/in-view.js' */

/** Distance from the end in pixels within which the page follows it. */
const END = 40;

/** The place of the page that scrolls. It follows its end, unless the user has scrolled away or a question is open. */
export class Scroller {
  /** @type {HTMLElement} */
  #place;
  #isAtEnd = true;
  #isHeld = false;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
    place.addEventListener('scroll', () => {
      this.#isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - END;
    });
    // A longer message takes space.
    new ResizeObserver(() => this.keepEnd()).observe(place);
  }

  /** The user has not scrolled away from the end. */
  get isAtEnd() {
    return this.#isAtEnd;
  }

  /** The edges of what can be seen. */
  get view() {
    const { top } = this.#place.getBoundingClientRect();
    return { top, bottom: top + this.#place.clientHeight };
  }

  /** Shows the end, unless the user has scrolled away from it or a question is open. */
  keepEnd() {
    if (this.#isAtEnd && !this.#isHeld) this.#place.scrollTop = this.#place.scrollHeight;
  }

  /** Shows the end from now on, unless a question is open. */
  followEnd() {
    this.#isAtEnd = true;
    this.keepEnd();
  }

  /**
   * Shows the start of a question, and stays there until `release`.
   *
   * @param {HTMLElement} question
   */
  hold(question) {
    this.#isHeld = true;
    question.scrollIntoView({ block: 'start' });
  }

  /** Follows the end again, because no question is open any more. */
  release() {
    this.#isHeld = false;
    this.followEnd();
  }

  /**
   * Scrolls on by so many pixels.
   *
   * @param {number} pixels
   */
  scrollBy(pixels) {
    this.#place.scrollTop += pixels;
  }

  /** The height of all that can be scrolled. */
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
