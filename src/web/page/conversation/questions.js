/**
 * @import { ApprovalRequest } from '../../../ports/approver.ts'
 * @import { WebAnswer } from '../../session/answer.ts'
 * @import { PageEvent } from '../../session/page-event.ts'
 */

import { button, element } from '../dom.js';
import { request } from '../session/connection.js';
import { diffBlock } from './diff.js';

/** @typedef {Extract<PageEvent, { type: 'question' }>} Question */

/** Milliseconds after a question is drawn, or after a key that is no answer, in which no key or click is an answer. */
const QUIET_MS = 300;

/** The questions about calls, of which the first one gets the keys. */
export class QuestionsView {
  /** @type {HTMLElement} */
  #place;
  /** @type {(message: string) => void} */
  #announce;
  /** @type {Map<string, HTMLElement>} */
  #views = new Map();
  /** @type {() => void} */
  #onClosed;

  /**
   * @param {HTMLElement} place
   * @param {(message: string) => void} announce
   * @param {() => void} onClosed Called when the last question is closed.
   */
  constructor(place, announce, onClosed) {
    this.#place = place;
    this.#announce = announce;
    this.#onClosed = onClosed;
  }

  /** @param {ReadonlyMap<string, Question>} questions */
  show(questions) {
    const count = this.#views.size;
    for (const [id, view] of this.#views) {
      if (questions.has(id)) continue;
      view.remove();
      this.#views.delete(id);
    }
    for (const [id, question] of questions) {
      if (this.#views.has(id)) continue;
      const view = questionView(question);
      this.#views.set(id, view);
      this.#place.append(view);
      view.focus();
      this.#announce(`Question: ${question.request.toolName}: ${question.request.effect.summary}`);
    }
    if (count > 0 && this.#views.size === 0) this.#onClosed();
  }
}

/** @param {Question} question */
function questionView({ id, digest, request: asked, answers }) {
  const { effect, pending = [] } = asked;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const view = element('form', { class: 'question', tabindex: '-1', 'aria-label': `Question: ${effect.summary}` });
  let quietSince = performance.now();
  const isQuiet = () => performance.now() - quietSince < QUIET_MS;
  /** @param {WebAnswer['answer']} answer */
  const send = async (answer) => {
    if (isQuiet()) return;
    try {
      await request('approval', { body: { id, digest, answer } });
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const feedback = element('input', {
    type: 'text',
    placeholder: 'or what to do instead',
    'aria-label': 'No, and what to do instead',
  });
  const deny = () => send({ type: 'deny', feedback: feedback.value });
  /** @type {Map<string, () => unknown>} */
  const keys = new Map([['n', deny]]);
  const buttons = answers.map(({ key, label, answer }) => {
    keys.set(key, () => send(answer));
    return button(`${label} (${key})`, () => send(answer), { 'aria-keyshortcuts': key });
  });
  const editable = effect.plan ?? (asked.editable === true ? effect.command : undefined);
  const editor = editable === undefined ? [] : [editorView(editable, (text) => send({ type: 'edit', text }))];
  const number = pending.length > 0 ? `1 of ${pending.length + 1}: ` : '';
  view.append(
    element('h2', {}, `${number}${asked.toolName}: ${effect.summary}`),
    ...effectNodes(asked),
    element('p', {}, asked.reason),
    ...pending.map((later, index) =>
      element(
        'details',
        { open: true },
        element('summary', {}, `${index + 2} of ${pending.length + 1}: ${later.toolName}: ${later.effect.summary}`),
        ...effectNodes(later),
      ),
    ),
    element('p', { class: 'answers' }, ...buttons, button('No (n)', deny, { 'aria-keyshortcuts': 'n' }), feedback),
    ...editor,
    problem,
  );
  view.addEventListener('submit', (event) => {
    event.preventDefault();
    // Enter is never yes.
    if (document.activeElement === feedback) void deny();
  });
  view.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const press = keys.get(event.key.toLowerCase());
    // Letters of a message that the question has interrupted arrive here, because it took the focus.
    if (event.target === view && event.key.length === 1 && (press === undefined || isQuiet())) {
      quietSince = performance.now();
      return;
    }
    if (press === undefined) return;
    event.preventDefault();
    press();
  });
  return view;
}

/**
 * Everything that a yes agrees to.
 *
 * @param {ApprovalRequest} asked
 */
function effectNodes({ effect, sandbox }) {
  const { command, program, plan, workingDirectory, preview, paths } = effect;
  const lines = [
    ...(plan === undefined ? [] : [plan]),
    ...(command === undefined ? [] : [`$ ${command}`]),
    ...(program === undefined ? [] : [`$ ${program.path}`, program.input]),
    ...(workingDirectory === undefined ? [] : [`in ${workingDirectory}`]),
    ...(command === undefined ? paths.map(({ realPath }) => `file ${realPath}`) : []),
  ];
  if (sandbox?.type === 'off') lines.push(`UNSANDBOXED (${sandbox.reason}), with network`);
  if (sandbox?.type === 'on') {
    lines.push(`sandboxed (${sandbox.program}), ${effect.network === true ? 'WITH NETWORK' : 'no network'}`);
  }
  return [
    ...(preview === undefined ? [] : [diffBlock(preview)]),
    ...(lines.length === 0 ? [] : [element('pre', { tabindex: '0' }, lines.join('\n'))]),
  ];
}

/**
 * @param {string} text
 * @param {(text: string) => unknown} send
 */
function editorView(text, send) {
  const area = element('textarea', { rows: '3', 'aria-label': 'Edited text, which is judged again' });
  area.value = text;
  return element(
    'details',
    { class: 'edit' },
    element('summary', {}, 'Edit'),
    area,
    button('Use the edited text', () => send(area.value)),
  );
}
