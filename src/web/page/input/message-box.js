/**
 * The part of a text field that a box needs.
 *
 * @typedef {{ value: string, selectionStart: number, selectionEnd: number }} TextField
 */

/** A command, which must be sent alone: within a longer message, it would only be text. */
const COMMAND = /^\s*(?:[/!]|@!)/;

/** The message that is being typed, the texts that come after it, and the way to earlier messages. */
export class MessageBox {
  /**
   * Texts that came back and cannot be one message with the one in the field. Each comes into the field after the one
   * before it.
   *
   * @type {readonly string[]}
   */
  returned = [];
  /** @type {TextField} */
  #field;
  /** The number of the earlier message in the field. @type {number | undefined} */
  #recalled;

  /** @param {TextField} field */
  constructor(field) {
    this.#field = field;
  }

  /**
   * Puts texts back in front of what is being typed: as one text, unless a command is among them.
   *
   * @param {readonly string[]} before
   */
  putBack(...before) {
    const typed = this.#field.value;
    const texts = [...before, typed, ...this.returned].filter((text) => text !== '');
    const [first = '', ...others] = texts.some((text) => COMMAND.test(text)) ? texts : [texts.join('\n')];
    if (first !== typed) this.#show(first);
    this.returned = others;
  }

  /**
   * Adds a text that was typed elsewhere below what is being typed.
   *
   * @param {string} text
   */
  append(text) {
    if (text !== '') this.#show(joined(this.#field.value, text));
  }

  /** Takes the message. The next text that came back takes its place. */
  take() {
    const { value } = this.#field;
    const [next = '', ...others] = this.returned;
    this.#show(next);
    this.returned = others;
    return value;
  }

  /**
   * Removes a text that came back.
   *
   * @param {number} index
   */
  remove(index) {
    this.returned = this.returned.toSpliced(index, 1);
  }

  /**
   * Shows the earlier message before (-1) or after (1) the one in the field, and after the last one nothing. False if
   * the key is for the text in the field: it was typed, or the cursor can move to another line of it.
   *
   * @param {number} step
   * @param {readonly string[]} typed The messages that were sent.
   */
  recall(step, typed) {
    const earlier = typed.filter((text, index) => text !== typed[index - 1]);
    const { value, selectionStart, selectionEnd } = this.#field;
    if (value === '') this.#recalled = undefined;
    const at = this.#recalled ?? earlier.length;
    if (value !== (earlier[at] ?? '')) return false;
    const crossed = step < 0 ? value.slice(0, selectionStart) : value.slice(selectionEnd);
    if (crossed.includes('\n') || (step > 0 && at === earlier.length) || earlier.length === 0) return false;
    const next = Math.max(0, at + step);
    this.#show(earlier[next] ?? '');
    this.#recalled = next;
    return true;
  }

  /**
   * All texts, for `restore`, with those that are being typed elsewhere.
   *
   * @param {readonly string[]} elsewhere
   */
  keep(...elsewhere) {
    return JSON.stringify([joined(this.#field.value, ...elsewhere), ...this.returned]);
  }

  /**
   * Puts back what `keep` has returned. Another text, such as one of an older page, is ignored.
   *
   * @param {string} kept
   */
  restore(kept) {
    try {
      /** @type {unknown} */
      const texts = JSON.parse(kept);
      if (Array.isArray(texts)) this.putBack(...texts.filter((text) => typeof text === 'string'));
    } catch {
      // Nothing was kept.
    }
  }

  /** @param {string} text */
  #show(text) {
    this.#field.value = text;
    this.#recalled = undefined;
  }
}

/** @param {readonly string[]} texts */
function joined(...texts) {
  return texts.filter((text) => text !== '').join('\n');
}
