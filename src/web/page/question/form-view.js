/**
 * @import { JsonValue } from '../../../agent/ports/json.ts'
 * @import { FormField } from '../../../tools/mcp/questions/forms.ts'
 * @import { WebAnswer } from '../../session/page-data.ts'
 * @import { PageEvent } from '../../session/page-event.ts'
 * @import { QuestionKey, QuestionView } from './question-view.js'
 */

import { button, element } from '../dom.js';

/** @typedef {Extract<PageEvent, { type: 'form' }>} Form */

/**
 * Creates the view of a form of a server of tools. Nothing is sent before the user presses its button.
 *
 * @param {Form} form
 * @param {(answer: WebAnswer['answer']) => unknown} send
 * @returns {QuestionView}
 */
export function formView({ server, message, fields, url }, send) {
  const title = `The server ${server} asks you`;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const typing = element('p', { class: 'typing', hidden: true }, 'You are typing a message. Esc: answer the question.');
  const node = element('form', { class: 'question', tabindex: '-1', 'aria-label': title });
  const inputs = fields.map(inputOf);
  const accept = () =>
    send({ type: 'form', values: Object.fromEntries(inputs.map(({ name, value }) => [name, value()])) });
  const deny = () => send({ type: 'deny' });
  const label = url === undefined ? 'Send' : 'I have opened it';
  const answers = element(
    'p',
    { class: 'answers' },
    button(`${label} (y)`, accept, { 'aria-keyshortcuts': 'y' }),
    button('No (n)', deny, { 'aria-keyshortcuts': 'n' }),
  );
  node.append(
    element('h2', {}, title),
    element('pre', {}, message),
    ...(url === undefined ? [] : [element('p', {}, 'To open this page in another window:'), element('pre', {}, url)]),
    ...inputs.map(({ row }) => row),
    answers,
    problem,
    typing,
  );
  node.addEventListener('submit', (event) => event.preventDefault());
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.target === node) return;
    event.stopPropagation();
    node.focus();
  });
  /** @type {Map<string, QuestionKey>} */
  const keys = new Map([
    ['y', { agrees: true, press: accept }],
    ['n', { agrees: false, press: deny }],
  ]);
  /** @type {WebAnswer['answer'] | undefined} */
  let sent;
  return {
    ...{ node, answers, keys },
    showProblem: (text) => {
      problem.textContent = text;
    },
    showTyping(isTyping) {
      typing.hidden = !isTyping;
    },
    texts: () => (sent === undefined ? inputs.flatMap(({ typed }) => typed()) : []),
    markSent(answer) {
      sent = answer;
    },
  };
}

/**
 * The input of a field: its row, its value, and the text in it that was typed.
 *
 * @param {FormField} field
 * @returns {{ row: HTMLElement, name: string, value(): JsonValue, typed(): readonly string[] }}
 */
function inputOf({ name, title, description, kind, required, options, fallback, rule }) {
  const allowed = [
    ...(kind === 'text' || kind === 'number' || kind === 'integer' ? [rule] : []),
    ...(required ? [] : ['may be empty']),
  ];
  const text = `${title}${allowed.length === 0 ? '' : ` (${allowed.join('; ')})`}${description === '' ? '' : `: ${description}`}`;
  const rowOf = (/** @type {HTMLElement} */ input) => element('p', {}, element('label', {}, text, ' ', input));
  if (kind === 'boolean' || kind === 'one' || kind === 'many') {
    const offered = kind === 'boolean' ? BOOLEAN : options;
    const select = element('select', { multiple: kind === 'many' });
    if (kind !== 'many') select.append(element('option', { value: '' }, '–'));
    for (const option of offered) {
      const isChosen = Array.isArray(fallback) ? fallback.includes(option.value) : String(fallback) === option.value;
      select.append(element('option', { value: option.value, selected: isChosen }, option.title));
    }
    const chosen = () => [...select.selectedOptions].map((option) => option.value);
    return { row: rowOf(select), name, value: () => (kind === 'many' ? chosen() : select.value), typed: () => [] };
  }
  const input = element('input', { type: 'text', value: fallback === undefined ? '' : String(fallback) });
  const typed = () => (input.value === input.defaultValue || input.value.trim() === '' ? [] : [input.value]);
  return { row: rowOf(input), name, value: () => input.value, typed };
}

const BOOLEAN = [
  { value: 'true', title: 'yes' },
  { value: 'false', title: 'no' },
];
