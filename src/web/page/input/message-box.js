/**
 * The part of a text field that a box needs.
 *
 * @typedef {{ value: string, selectionStart: number, selectionEnd: number }} TextField
 */

/** A command, which must be sent alone, because it would be plain text within a longer message. */
const COMMAND = /^\s*(?:[/!]|@!)/;

/** The message that is being typed, the texts that come after it, and access to earlier messages. */
export class MessageBox {
  /**
   * Returned texts that cannot be joined with the message in the field. Each is put into the field after the one before
   * it.
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
   * Puts texts back before the text that is being typed: as one text, unless a command is among them.
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
   * Appends a text that was typed elsewhere to the message.
   *
   * @param {string} text
   */
  append(text) {
    if (text !== '') this.#show(joined(this.#field.value, text));
  }

  /** Takes the message. The next returned text takes its place. */
  take() {
    const { value } = this.#field;
    const [next = '', ...others] = this.returned;
    this.#show(next);
    this.returned = others;
    return value;
  }

  /**
   * Removes a returned text.
   *
   * @param {number} index
   */
  remove(index) {
    this.returned = this.returned.toSpliced(index, 1);
  }

  /**
   * Shows the earlier message before (-1) or after (1) the one in the field; after the last one, the field is empty. False
   * if the key is for the text in the field: it was typed, or the cursor can move to another line of it.
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
   * All texts for `restore`, with those that are being typed elsewhere.
   *
   * @param {readonly string[]} elsewhere
   */
  keep(...elsewhere) {
    return JSON.stringify([joined(this.#field.value, ...elsewhere), ...this.returned]);
  }

  /**
   * Restores the result of `keep`. Any other text, such as one of an older page, is ignored.
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

const FILES_REFUSED = 'Files are not sent from here. Name one of the project, as in @src/app.js';

/**
 * Keeps the browser from opening a dropped file in place of the page. No dropped or pasted file is read: the empty field
 * shows what to do instead.
 *
 * @param {HTMLTextAreaElement} field
 * @param {(text: string) => void} announce
 */
export function refuseFiles(field, announce) {
  /** @param {Event} event @param {DataTransfer | null} data */
  const refuse = (event, data) => {
    if (data?.types.includes('Files') !== true || data.getData('text/plain') !== '') return;
    event.preventDefault();
    field.placeholder = FILES_REFUSED;
    announce(FILES_REFUSED);
  };
  document.addEventListener('dragover', (event) => refuse(event, event.dataTransfer));
  document.addEventListener('drop', (event) => refuse(event, event.dataTransfer));
  document.addEventListener('paste', (event) => refuse(event, event.clipboardData));
}
