/** @import { Token, Tokens } from 'marked' */

import { element, tableOf } from '../dom.js';

/** Addresses that a link may lead to. */
const LINK = /^(?:https?:\/\/|mailto:)[^\s]+$/i;

/**
 * The level of the last heading of the page. Headings of an answer come below that of its message, and none skips a
 * level, whatever the model writes.
 *
 * @typedef {{ last: number }} HeadingLevel
 */

/** The level of the heading of a message. */
const MESSAGE_LEVEL = 2;

/**
 * Creates the nodes of Markdown. Every text becomes a text node; HTML is shown as source text, and pictures are not
 * loaded, because their address could carry what the model has read.
 *
 * @param {readonly Token[]} tokens
 * @param {HeadingLevel} level
 * @returns {Node[]}
 */
function blockNodes(tokens, level) {
  return tokens.flatMap((token) => {
    const node = blockNode(token, level);
    return node === undefined ? [] : [node];
  });
}

/**
 * @param {Token} token
 * @param {HeadingLevel} level
 * @returns {Node | undefined}
 */
function blockNode(token, level) {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined;
    case 'heading': {
      level.last = Math.min(MESSAGE_LEVEL + token['depth'], level.last + 1, 6);
      const name = /** @type {const} */ (['h3', 'h4', 'h5', 'h6'])[level.last - 3] ?? 'h6';
      return element(name, {}, ...inlineNodes(token.tokens ?? []));
    }
    case 'paragraph':
      return element('p', {}, ...inlineNodes(token.tokens ?? []));
    case 'blockquote':
      return element('blockquote', {}, ...blockNodes(token.tokens ?? [], level));
    case 'hr':
      return element('hr');
    case 'code': {
      const language = String(token['lang'] ?? '').split(/\s/)[0] ?? '';
      return codeBlock(String(token['text']), language);
    }
    case 'list':
      return listNode(/** @type {Tokens.List} */ (token), level);
    case 'table':
      return tableNode(/** @type {Tokens.Table} */ (token));
    case 'text':
      return element('span', {}, ...(token.tokens === undefined ? [token.raw] : inlineNodes(token.tokens)));
    default:
      return element('p', { class: 'raw' }, token.raw);
  }
}

/**
 * @param {string} text
 * @param {string} language
 */
function codeBlock(text, language) {
  const code = element('code', { 'data-language': language === '' ? undefined : language }, text);
  return element('pre', { tabindex: '0' }, code);
}

/**
 * @param {Tokens.List} list
 * @param {HeadingLevel} level
 */
function listNode({ ordered, start, items }, level) {
  const children = items.map(({ task, checked, tokens }) => {
    const content = blockNodes(
      tokens.filter(({ type }) => type !== 'checkbox'),
      level,
    );
    return element('li', {}, ...(task ? [checked === true ? '☑ ' : '☐ '] : []), ...content);
  });
  if (!ordered) return element('ul', {}, ...children);
  return element('ol', { start: typeof start === 'number' && start !== 1 ? String(start) : undefined }, ...children);
}

/** @param {Tokens.Table} table */
function tableNode({ header, rows }) {
  /** @param {'th' | 'td'} name */
  const cell =
    (name) =>
    (/** @type {Tokens.TableCell} */ { tokens, align }) =>
      element(name, { class: align ?? undefined }, ...inlineNodes(tokens));
  return tableOf(
    header.map(cell('th')),
    rows.map((row) => row.map(cell('td'))),
  );
}

/**
 * @param {readonly Token[]} tokens
 * @returns {(Node | string)[]}
 */
function inlineNodes(tokens) {
  return tokens.flatMap(inlineNode);
}

/**
 * @param {Token} token
 * @returns {(Node | string)[]}
 */
function inlineNode(token) {
  const inner = 'tokens' in token ? token.tokens : undefined;
  const children = () => inlineNodes(inner ?? []);
  switch (token.type) {
    case 'text':
    case 'escape':
      return inner === undefined ? [String(token.text)] : children();
    case 'strong':
      return [element('strong', {}, ...children())];
    case 'em':
      return [element('em', {}, ...children())];
    case 'del':
      return [element('del', {}, ...children())];
    case 'codespan':
      return [element('code', {}, String(token['text']))];
    case 'br':
      return [element('br')];
    case 'link':
      return linkNodes(String(token['href']), children(), String(token['text']));
    case 'image':
      return [
        `[picture: ${token['text']}] `,
        ...linkNodes(String(token['href']), [String(token['href'])], String(token['href'])),
      ];
    default:
      return [token.raw];
  }
}

/**
 * A link, with its address unless the text is the address.
 *
 * @param {string} href
 * @param {(Node | string)[]} children
 * @param {string} text
 */
function linkNodes(href, children, text) {
  const shown = text === href || `mailto:${text}` === href ? [] : [` (${href})`];
  if (!LINK.test(href)) return [...children, ...shown];
  return [element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...children), ...shown];
}

/** Renders Markdown that arrives in pieces. Finished blocks stay as they are; the last one is rendered again. */
export class MarkdownView {
  /** @type {HTMLElement} */
  #place;
  /** @type {((text: string) => readonly Token[]) | undefined} */
  #lexer;
  /** The start of the text, whose nodes stay. */
  #done = '';
  /** The nodes of the rest. @type {Node[]} */
  #rest = [];
  #level = { last: MESSAGE_LEVEL };

  /**
   * @param {HTMLElement} place
   * @param {((text: string) => readonly Token[]) | undefined} lexer Absent until it is loaded: the text is shown as it
   *   is.
   */
  constructor(place, lexer) {
    this.#place = place;
    this.#lexer = lexer;
  }

  /**
   * Shows a text that begins with the one before, or another one. `isWhole`: nothing follows.
   *
   * @param {string} text
   * @param {boolean} isWhole
   */
  show(text, isWhole) {
    // The definition of a link may follow the link.
    if (isWhole || !text.startsWith(this.#done)) this.#restart();
    const tokens = this.#read(text.slice(this.#done.length));
    for (const node of this.#rest) node.parentNode?.removeChild(node);
    if (tokens === undefined) {
      this.#rest = [element('p', { class: 'raw' }, text.slice(this.#done.length))];
    } else {
      const finished = isWhole ? tokens : tokens.slice(0, -1);
      this.#place.append(...blockNodes(finished, this.#level));
      this.#done += finished.map(({ raw }) => raw).join('');
      this.#rest = isWhole ? [] : blockNodes(tokens.slice(-1), { ...this.#level });
    }
    this.#place.append(...this.#rest);
  }

  #restart() {
    this.#place.replaceChildren();
    this.#done = '';
    this.#rest = [];
    this.#level = { last: MESSAGE_LEVEL };
  }

  /** @param {string} text */
  #read(text) {
    try {
      return this.#lexer?.(text);
    } catch {
      // The Markdown is nested too deeply for the library.
      return undefined;
    }
  }
}
