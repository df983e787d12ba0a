/**
 * @import { AgentItem, Item, ToolItem } from '../session/model.js'
 * @import { Token } from 'marked'
 */

import { element, fill, visible } from '../dom.js';
import { sizeText } from '../session/model.js';
import { diffBlock, diffLines, rowsOf } from './diff.js';
import { MarkdownView } from './markdown.js';

/** Number of characters of a result that the page shows at once. */
const MAX_TEXT = 20_000;

/**
 * An entry of the conversation as an element. `update` is called when the entry has changed.
 *
 * @typedef {{ readonly node: HTMLElement, update(): void }} ItemView
 */

/**
 * The ports for entries with Markdown.
 *
 * @typedef {object} MarkdownPorts
 * @property {() => ((text: string) => readonly Token[]) | undefined} lexer Absent until it is loaded.
 * @property {(code: HTMLElement) => void} highlight Called with each complete code block.
 */

/**
 * Creates the view of an entry.
 *
 * @param {Item} item
 * @param {MarkdownPorts} ports
 * @returns {ItemView}
 */
export function itemView(item, ports) {
  const { node, update } = viewOf(item, ports);
  return {
    node,
    update() {
      update();
      if (item.isDropped !== true || node.classList.contains('dropped')) return;
      node.classList.add('dropped');
      const label = node.getAttribute('aria-label');
      if (label !== null) node.setAttribute('aria-label', `Dropped: ${label}`);
    },
  };
}

/**
 * @param {Item} item
 * @param {MarkdownPorts} ports
 * @returns {ItemView}
 */
function viewOf(item, ports) {
  switch (item.kind) {
    case 'agent':
      return agentView(item, ports);
    case 'tool':
      return toolView(item);
    case 'output': {
      const node = element('pre', { class: 'message output', tabindex: '0' });
      const update = () => fill(node, ...(item.isDiff === true ? diffLines(rowsOf(item.text)) : [item.text]));
      return { node, update };
    }
    case 'user':
    case 'note':
    case 'problem': {
      const label = { user: 'You', note: 'Note', problem: 'Problem' }[item.kind];
      const node = element('article', { class: `message ${item.kind}`, 'aria-label': label });
      const head = item.kind === 'user' ? [heading(label)] : [];
      return {
        node,
        update: () => fill(node, ...head, ...(item.kind === 'note' ? noteLines(item.text) : [item.text])),
      };
    }
  }
}

/** Maximum width of the first column of a note, in characters, for its lines to continue below the second column. */
const MAX_COLUMN = 40;

/**
 * The lines of a note. A line with two columns wraps below its second column, as in the list of commands.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function noteLines(text) {
  return text.split(/(?<=\n)/).map((line) => {
    const { length = 0 } = /^\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? '';
    if (length === 0 || length > MAX_COLUMN) return line;
    const row = element('span', { class: 'columns' }, line.trimEnd());
    row.style.setProperty('--column', `${length}ch`);
    return row;
  });
}

/**
 * @param {AgentItem} item
 * @param {MarkdownPorts} ports
 * @returns {ItemView}
 */
function agentView(item, { lexer, highlight }) {
  const place = element('div', { class: 'markdown' });
  const thoughts = element('details', { class: 'thoughts' }, element('summary', {}, 'Thoughts'));
  const thought = element('p', { class: 'raw' });
  thoughts.append(thought);
  const node = element('article', { class: 'message agent', 'aria-label': 'ybs' }, heading('ybs'), thoughts, place);
  /** @type {MarkdownView | undefined} */
  let view;
  /** @type {unknown} */
  let used;
  const update = () => {
    const current = lexer();
    if (view === undefined || used !== current) {
      used = current;
      place.replaceChildren();
      view = new MarkdownView(place, current);
    }
    thoughts.hidden = item.reasoning === '';
    fill(thought, item.reasoning);
    // An answer that only calls tools has no text.
    node.hidden = item.text === '' && item.reasoning === '';
    view.show(item.text, !item.open);
    if (item.open) return;
    for (const code of place.querySelectorAll('code')) if (code.dataset['language'] !== undefined) highlight(code);
  };
  return { node, update };
}

/**
 * A heading for screen readers only.
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
  const fillBody = () => {
    // A folded call has no content, so that a long session needs little memory.
    if (!details.open) return;
    if (!body.isConnected) details.append(body);
    body.replaceChildren(...toolNodes(item));
  };
  details.addEventListener('toggle', fillBody);
  return {
    node,
    update() {
      const { effect, result, written } = item;
      detail.textContent = visible(effect?.summary ?? written?.path ?? shorten(item.args));
      outcome.textContent = visible(outcomeOf(item, detail.textContent));
      node.classList.toggle('bad', result !== undefined && result.outcome !== 'ok');
      // The user wants to see a change; before it is made, the question shows it.
      if (effect?.preview !== undefined && result?.outcome === 'ok' && !isDiffShown) {
        isDiffShown = true;
        details.open = true;
      }
      fillBody();
    },
  };
}

/**
 * @param {ToolItem} item
 * @param {string | null} detail
 */
function outcomeOf({ result, output, written, isWritten }, detail) {
  if (result === undefined && written !== undefined)
    return `${isWritten === true ? 'written' : 'writing'}, ${sizeText(written.size)} … ${lastLine(written.tail).slice(-80)}`;
  if (result === undefined) return output === '' ? '…' : lastLine(output);
  // The summary of an edit repeats its plan.
  return result.summary === detail ? '' : result.summary;
}

/** @param {ToolItem} item */
function toolNodes({ effect, args, output, result, written }) {
  /** @type {Node[]} */
  const nodes = [];
  if (written !== undefined) return [preformatted(written.tail, 'arguments')];
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
  const hidden = text.length - MAX_TEXT;
  const shown = hidden > 0 ? `${text.slice(0, MAX_TEXT)}\n… ${hidden} more characters` : text;
  return element('pre', { class: kind, tabindex: '0' }, shown);
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
