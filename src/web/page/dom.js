/** Characters that change how a text looks without being seen: the same as in `escapeForTerminal`. */
const HIDDEN = /(?![\t\n]|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** One emoji, possibly with the selector of its emoji form or a skin tone. */
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?`;

/** A letter or mark of a script in which a joiner between two letters changes their form. */
const JOINING = `[${['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu'].map((script) => `\\p{scx=${script}}`).join('')}]`;

/** The flags of England, Scotland and Wales in tag characters. */
const FLAG = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;

/** @type {RegExp | undefined} */
let formingOrHidden;

/**
 * A text with every hidden character as `\u{…}`, so that nothing can change the direction of a line or look like another
 * text. Joiners within an emoji or between letters that join are kept.
 *
 * @param {string} text
 */
export function visible(text) {
  if (!HIDDEN.test(text)) return text;
  // Compiled for the first text that needs it.
  formingOrHidden ??= new RegExp(
    `(?<forming>${EMOJI}(?:\\u200D${EMOJI})+|${FLAG}|(?<=${JOINING})[\\u200C\\u200D](?=${JOINING}))|${HIDDEN.source}`,
    'gu',
  );
  return text.replace(formingOrHidden, (found, /** @type {string | undefined} */ forming) =>
    forming === undefined ? `\\u{${found.codePointAt(0)?.toString(16)}}` : found,
  );
}

/**
 * Creates an element. Texts become text nodes, so nothing in them is parsed as HTML; their hidden characters are shown.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string | boolean | undefined>>} attributes `true` sets an attribute without a value,
 *   `false` and `undefined` leave it out.
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(key, value === true ? '' : value);
  }
  created.append(...shown(children));
  return created;
}

/**
 * Replaces the content of an element. Texts are shown as by `element`.
 *
 * @param {Element} place
 * @param {...(Node | string)} children
 */
export function fill(place, ...children) {
  place.replaceChildren(...shown(children));
}

/** @param {readonly (Node | string)[]} children */
function shown(children) {
  return children.map((child) => (typeof child === 'string' ? visible(child) : child));
}

/**
 * Creates a button.
 *
 * @param {string} label
 * @param {() => void} press
 * @param {Readonly<Record<string, string | boolean | undefined>>} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(label, press, attributes = {}) {
  const created = element('button', { type: 'button', ...attributes }, label);
  created.addEventListener('click', press);
  return created;
}

/**
 * Creates a table that scrolls when it is wider than the page.
 *
 * @param {readonly Node[]} head
 * @param {readonly (readonly Node[])[]} rows
 */
export function tableOf(head, rows) {
  const body = rows.map((cells) => element('tr', {}, ...cells));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body));
  return element('div', { class: 'table', tabindex: '0' }, table);
}

/**
 * True for a form field, which takes keys as text or as a choice.
 *
 * @param {EventTarget | null} target
 */
export function isField(target) {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/**
 * The element of the page with this id and type.
 *
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {new () => Type} type
 * @returns {Type}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} with the id ${id}.`);
}
