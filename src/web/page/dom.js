/**
 * Creates an element. Texts become text nodes, so nothing in them is taken as HTML.
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
  created.append(...children);
  return created;
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
