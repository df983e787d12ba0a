/** @import { Completion } from '../../../app/commands/completion.ts' */

import { element } from '../dom.js';
import { request } from '../session/connection.js';

/** Texts before the cursor that may have completions: a command, a trigger, or a shell command. */
const MAY_COMPLETE = /^\/\S*$|(?:^|[\s([{])@(?:\S*|file:"[^"\n]*)$|^\s*(?:!|@!)/u;

/** The text of a field for which commands are offered while it is typed. */
const IS_OFFERED = /^\/[^\s/]*$/u;

/** Keys that choose another completion. */
const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/**
 * Completions of the text of a field, requested with Tab. Several completions are shown in a list, and so are the
 * commands while the name of one is typed; none of those is chosen before an arrow key or a click.
 */
export class FieldCompletion {
  /** @type {HTMLTextAreaElement} */
  #field;
  /** @type {(text: string) => void} */
  #announce;
  #list = element('ul', { id: 'completions', role: 'listbox', 'aria-label': 'Completions' });
  /** @type {Completion | undefined} */
  #shown;
  /** The index of the chosen completion; -1: none. */
  #chosen = -1;
  /** @type {AbortController | undefined} */
  #asking;
  /** The text before the cursor that has no completions. After it, Tab moves the focus. */
  #finished = '';

  /**
   * @param {HTMLTextAreaElement} field
   * @param {(text: string) => void} announce
   */
  constructor(field, announce) {
    this.#field = field;
    this.#announce = announce;
    field.setAttribute('aria-autocomplete', 'list');
    // Before the key handlers of the page, where Enter sends the message.
    field.addEventListener('keydown', (event) => this.#press(event), { capture: true });
    field.addEventListener('input', () => {
      this.#close();
      if (IS_OFFERED.test(field.value)) void this.#ask(true);
    });
    field.addEventListener('blur', () => this.#close());
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest('li') : null;
      if (option !== null) this.#accept([...this.#list.children].indexOf(option));
    });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.#shown === undefined) {
      if (event.key !== 'Tab' || event.shiftKey || !this.#mayComplete()) return;
      event.preventDefault();
      void this.#ask();
      return;
    }
    const step = STEPS.get(event.key);
    const { length } = this.#shown.items;
    const isChosen = this.#chosen >= 0;
    if (step !== undefined)
      this.#choose(isChosen ? (this.#chosen + step + length) % length : step > 0 ? 0 : length - 1);
    else if (!isChosen && event.key === 'Tab' && !event.shiftKey) void this.#ask();
    else if (!isChosen) {
      if (event.key === 'Enter' || event.key === 'Escape') this.#close();
      return;
    } else if (event.key === 'Escape') this.#close();
    else if (event.key === 'Enter' || event.key === 'Tab') this.#accept(this.#chosen);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #before() {
    return this.#field.value.slice(0, this.#field.selectionStart);
  }

  #mayComplete() {
    const before = this.#before();
    return before !== this.#finished && MAY_COMPLETE.test(before);
  }

  async #ask(isOffer = false) {
    this.#close();
    const asking = new AbortController();
    this.#asking = asking;
    const before = this.#before();
    const { value: text } = this.#field;
    try {
      const body = { text, cursor: before.length };
      const answer = await request('complete', { body, signal: asking.signal });
      /** @type {Completion} */
      const completion = await answer.json();
      // The user may have continued to type meanwhile.
      if (!asking.signal.aborted && this.#field.value === text && this.#before() === before) {
        if (isOffer) this.#offer(completion);
        else this.#show(completion);
      }
    } catch {
      if (asking.signal.aborted || isOffer) return;
      // Otherwise Tab would keep the focus in the field while the server cannot be reached.
      this.#finished = before;
      this.#announce('ybs does not answer. Tab moves on to the next element.');
    }
  }

  /** @param {Completion} completion */
  #show(completion) {
    const { from, to, items, notes = [] } = completion;
    const [first = ''] = items;
    const common = items.reduce(commonStart, first);
    const typed = this.#field.value.slice(from, to);
    const isLonger = common.length > typed.length && common.startsWith(typed);
    if (items.length < 2 && first === typed) {
      this.#finished = this.#before();
      this.#announce('Nothing to complete. Tab moves on.');
      return;
    }
    if (items.length === 1) {
      const endsText = to === this.#field.value.length && !/[/:!]$/.test(first);
      this.#field.setRangeText(endsText ? `${first} ` : first, from, to, 'end');
      this.#announce(first);
      return;
    }
    if (isLonger) this.#field.setRangeText(common, from, to, 'end');
    this.#open({ from, to: isLonger ? from + common.length : to, items, notes });
    this.#choose(0);
    this.#announce(`${items.length} completions`);
  }

  /**
   * Shows the commands that the text may begin, unless it is the only one.
   *
   * @param {Completion} completion
   */
  #offer(completion) {
    if (completion.items.some((item) => item !== this.#field.value)) this.#open(completion);
  }

  /** @param {Completion} completion */
  #open({ from, to, items, notes = [] }) {
    this.#shown = { from, to, items };
    const options = items.map((item, index) => {
      const note = notes[index] ? element('span', { class: 'about' }, ` ${notes[index]}`) : '';
      return element('li', { role: 'option', id: `completion-${index}` }, item, note);
    });
    this.#list.replaceChildren(...options);
    this.#field.after(this.#list);
    this.#field.setAttribute('aria-controls', this.#list.id);
  }

  /** @param {number} index */
  #choose(index) {
    this.#chosen = index;
    for (const [place, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(place === index));
      if (place === index) option.scrollIntoView({ block: 'nearest' });
    }
    this.#field.setAttribute('aria-activedescendant', `completion-${index}`);
  }

  /** @param {number} index */
  #accept(index) {
    const { from, to, items } = this.#shown ?? { from: 0, to: 0, items: [] };
    const item = items[index];
    this.#close();
    if (item !== undefined) this.#field.setRangeText(item, from, to, 'end');
  }

  #close() {
    this.#asking?.abort();
    if (this.#shown === undefined) return;
    this.#shown = undefined;
    this.#chosen = -1;
    this.#list.remove();
    this.#field.removeAttribute('aria-controls');
    this.#field.removeAttribute('aria-activedescendant');
  }
}

/**
 * @param {string} left
 * @param {string} right
 */
function commonStart(left, right) {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}
