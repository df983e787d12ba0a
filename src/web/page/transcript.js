/**
 * @import { Item, ToolItem } from './model.js'
 * @import { Token } from 'marked'
 */

import { diffBlock } from './diff.js';
import { button, element } from './dom.js';
import { MarkdownView } from './markdown.js';

/** Number of entries that the page shows; older ones appear on demand. */
const MAX_SHOWN = 200;

/** Distance from the end in pixels within which the page follows it. */
const END = 40;

/** Number of characters of a result that the page shows at once. */
const MAX_TEXT = 20_000;

/** @typedef {{ readonly node: HTMLElement, update(): void }} ItemView */

/** The entries of the conversation as elements. */
export class Transcript {
  /** @type {HTMLElement} */
  #place;
  /** @type {(code: HTMLElement) => void} */
  #highlight;
  /** @type {Item[]} */
  #items = [];
  #isAtEnd = true;
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
   * @param {(code: HTMLElement) => void} highlight Gets each code block that is complete.
   */
  constructor(place, highlight) {
    this.#place = place;
    this.#highlight = highlight;
    place.addEventListener('scroll', () => {
      this.#isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - END;
    });
    // A question above the message takes space.
    new ResizeObserver(() => this.#keepEnd()).observe(place);
    this.#earlier = button('Show earlier messages', () => this.#showEarlier(), { class: 'earlier' });
  }

  /**
   * Shows entries of which these have changed.
   *
   * @param {Item[]} items
   * @param {ReadonlySet<Item>} changed
   */
  show(items, changed) {
    if (items !== this.#items) this.#restart(items);
    const isAtEnd = this.#isAtEnd;
    const known = this.#first + this.#views.size;
    for (const item of changed) this.#views.get(item)?.update();
    // Entries that would be removed at once are never created.
    const first = isAtEnd ? Math.max(this.#first, items.length - MAX_SHOWN) : this.#first;
    this.#removeBefore(first);
    const added = items.slice(Math.max(known, first)).map((item) => this.#create(item));
    this.#place.append(...added);
    this.#showButton();
    this.#keepEnd();
  }

  /** Shows the end, unless the user has scrolled away from it. */
  #keepEnd() {
    if (this.#isAtEnd) this.#place.scrollTop = this.#place.scrollHeight;
  }

  /** @param {Item[]} items */
  #restart(items) {
    this.#items = items;
    this.#views.clear();
    this.#first = 0;
    this.#isAtEnd = true;
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
    const height = this.#place.scrollHeight;
    const earlier = this.#items.slice(first, this.#first).map((item) => this.#create(item));
    this.#first = first;
    this.#earlier.after(...earlier);
    this.#showButton();
    this.#place.scrollTop += this.#place.scrollHeight - height;
    earlier.at(-1)?.querySelector('summary')?.focus({ preventScroll: true });
  }

  #showButton() {
    if (this.#first === 0) this.#earlier.remove();
    else if (!this.#earlier.isConnected) this.#place.prepend(this.#earlier);
  }

  /** @param {Item} item */
  #create(item) {
    const view = this.#viewOf(item);
    this.#views.set(item, view);
    view.update();
    return view.node;
  }

  /**
   * @param {Item} item
   * @returns {ItemView}
   */
  #viewOf(item) {
    switch (item.kind) {
      case 'agent': {
        const place = element('div', { class: 'markdown' });
        const thoughts = element('details', { class: 'thoughts' }, element('summary', {}, 'Thoughts'));
        const thought = element('p', { class: 'raw' });
        thoughts.append(thought);
        const node = element(
          'article',
          { class: 'message agent', 'aria-label': 'ybs' },
          heading('ybs'),
          thoughts,
          place,
        );
        this.#loadLexer();
        /** @type {MarkdownView | undefined} */
        let view;
        /** @type {unknown} */
        let lexer;
        const update = () => {
          if (view === undefined || lexer !== this.#lexer) {
            lexer = this.#lexer;
            place.replaceChildren();
            view = new MarkdownView(place, this.#lexer);
          }
          thoughts.hidden = item.reasoning === '';
          thought.textContent = item.reasoning;
          // An answer that only calls tools has no text.
          node.hidden = item.text === '' && item.reasoning === '';
          view.show(item.text, !item.open);
          if (item.open) return;
          for (const code of place.querySelectorAll('code'))
            if (code.dataset['language'] !== undefined) this.#highlight(code);
        };
        return { node, update };
      }
      case 'tool':
        return toolView(item);
      case 'output': {
        const node = element('pre', { class: 'message output', tabindex: '0' });
        return { node, update: () => node.replaceChildren(item.text) };
      }
      case 'user':
      case 'note':
      case 'problem': {
        const label = { user: 'You', note: 'Note', problem: 'Problem' }[item.kind];
        const node = element('article', { class: `message ${item.kind}`, 'aria-label': label });
        const head = item.kind === 'user' ? [heading(label)] : [];
        return { node, update: () => node.replaceChildren(...head, item.text) };
      }
    }
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

/**
 * A heading that screen readers find, and nobody sees.
 *
 * @param {string} text
 */
function heading(text) {
  return element('h2', { class: 'unseen' }, text);
}

/**
 * @param {ToolItem} item
 * @returns {ItemView}
 */
function toolView(item) {
  const name = element('span', { class: 'name' }, item.name);
  const detail = element('span', { class: 'detail' });
  const outcome = element('span', { class: 'outcome' });
  const details = element('details', {}, element('summary', {}, name, ' ', detail, ' ', outcome));
  const node = element('article', { class: 'message tool', 'aria-label': 'Tool call' }, details);
  const body = element('div', { class: 'body' });
  let isDiffShown = false;
  const fill = () => {
    // A folded call has no content, so that a long session stays light.
    if (!details.open) return;
    if (!body.isConnected) details.append(body);
    body.replaceChildren(...toolNodes(item));
  };
  details.addEventListener('toggle', fill);
  return {
    node,
    update() {
      const { effect, result } = item;
      detail.textContent = effect?.summary ?? shorten(item.args);
      outcome.textContent = outcomeOf(item, detail.textContent);
      node.classList.toggle('bad', result !== undefined && result.outcome !== 'ok');
      // A change is what the user wants to see.
      if (effect?.preview !== undefined && !isDiffShown) {
        isDiffShown = true;
        details.open = true;
      }
      fill();
    },
  };
}

/**
 * @param {ToolItem} item
 * @param {string | null} detail
 */
function outcomeOf({ result, output }, detail) {
  if (result === undefined) return output === '' ? '…' : lastLine(output);
  // An edit does what its plan says.
  return result.summary === detail ? '' : result.summary;
}

/** @param {ToolItem} item */
function toolNodes({ effect, args, output, result }) {
  /** @type {Node[]} */
  const nodes = [];
  if (effect?.command !== undefined) nodes.push(preformatted(`$ ${effect.command}`, 'command'));
  if (effect?.preview !== undefined) nodes.push(diffBlock(effect.preview));
  if (effect?.command === undefined && effect?.preview === undefined)
    nodes.push(preformatted(pretty(args), 'arguments'));
  const hasDiff = effect?.preview !== undefined && result?.outcome === 'ok';
  const text = result === undefined ? output : hasDiff ? '' : result.content;
  if (text !== '') nodes.push(preformatted(text, 'result'));
  return nodes;
}

/**
 * @param {string} text
 * @param {string} kind
 */
function preformatted(text, kind) {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters` : text;
  return element('pre', { class: kind, tabindex: '0' }, cut);
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {string} text */
function shorten(text) {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** @param {string} text */
function lastLine(text) {
  return shorten(text.trimEnd().split('\n').at(-1) ?? '');
}
