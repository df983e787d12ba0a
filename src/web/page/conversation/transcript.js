/**
 * @import { Item } from '../session/model.js'
 * @import { ItemView, MarkdownPorts } from './item-views.js'
 * @import { Scroller } from './scroller.js'
 * @import { Token } from 'marked'
 */

import { button } from '../dom.js';
import { itemView } from './item-views.js';

/** Number of entries that the page shows; older ones appear on demand. */
const MAX_SHOWN = 200;

/** The entries of the conversation as elements. */
export class Transcript {
  /** @type {HTMLElement} */
  #place;
  /** @type {Scroller} */
  #scroller;
  /** @type {MarkdownPorts} */
  #ports;
  /** @type {Item[]} */
  #items = [];
  /** Number of the first entry that is shown. */
  #first = 0;
  /** @type {Map<Item, ItemView>} */
  #views = new Map();
  /** @type {HTMLButtonElement} */
  #earlier;
  /** @type {((text: string) => readonly Token[]) | undefined} */
  #lexer;
  /** @type {Promise<void> | undefined} */
  #loading;

  /**
   * @param {HTMLElement} place
   * @param {Scroller} scroller Scrolls the place.
   * @param {(code: HTMLElement) => void} highlight Called with each complete code block.
   */
  constructor(place, scroller, highlight) {
    this.#place = place;
    this.#scroller = scroller;
    this.#ports = { lexer: () => this.#lexer, highlight };
    this.#earlier = button('Show earlier messages', () => this.#showEarlier(), { class: 'earlier' });
  }

  /**
   * Shows the entries, of which `changed` have changed.
   *
   * @param {Item[]} items
   * @param {ReadonlySet<Item>} changed
   */
  show(items, changed) {
    if (items !== this.#items) this.#restart(items);
    const { isAtEnd } = this.#scroller;
    const known = this.#first + this.#views.size;
    for (const item of changed) this.#views.get(item)?.update();
    // Entries that would be removed at once are not created.
    const first = isAtEnd ? Math.max(this.#first, items.length - MAX_SHOWN) : this.#first;
    this.#removeBefore(first);
    const added = items.slice(Math.max(known, first)).map((item) => this.#create(item));
    this.#place.append(...added);
    this.#showButton();
  }

  /** @param {Item[]} items */
  #restart(items) {
    this.#items = items;
    this.#views.clear();
    this.#first = 0;
    this.#scroller.followEnd();
    this.#place.replaceChildren();
  }

  /** @param {number} first */
  #removeBefore(first) {
    for (const item of this.#items.slice(this.#first, first)) {
      this.#views.get(item)?.node.remove();
      this.#views.delete(item);
    }
    this.#first = first;
  }

  #showEarlier() {
    const first = Math.max(0, this.#first - MAX_SHOWN);
    const { height } = this.#scroller;
    const earlier = this.#items.slice(first, this.#first).map((item) => this.#create(item));
    this.#first = first;
    this.#earlier.after(...earlier);
    this.#showButton();
    this.#scroller.scrollBy(this.#scroller.height - height);
    earlier.at(-1)?.querySelector('summary')?.focus({ preventScroll: true });
  }

  #showButton() {
    if (this.#first === 0) this.#earlier.remove();
    else if (!this.#earlier.isConnected) this.#place.prepend(this.#earlier);
  }

  /** @param {Item} item */
  #create(item) {
    if (item.kind === 'agent') this.#loadLexer();
    const view = itemView(item, this.#ports);
    this.#views.set(item, view);
    view.update();
    return view.node;
  }

  #loadLexer() {
    this.#loading ??= import('./marked.js').then(
      ({ marked }) => {
        this.#lexer = (text) => marked.lexer(text);
        for (const [item, view] of this.#views) if (item.kind === 'agent') view.update();
      },
      () => {
        // Without the library, answers stay plain text.
      },
    );
  }
}
