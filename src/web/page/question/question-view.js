/**
 * @import { ApprovalRequest } from '../../../ports/approver.ts'
 * @import { WebAnswer } from '../../session/answer.ts'
 * @import { PageEvent } from '../../session/page-event.ts'
 */

import { diffBlock } from '../conversation/diff.js';
import { button, element } from '../dom.js';

/** @typedef {Extract<PageEvent, { type: 'question' }>} Question */

/**
 * A key of a question. `agrees`: it lets something happen.
 *
 * @typedef {{ readonly agrees: boolean, press(): unknown }} QuestionKey
 */

/**
 * A question as an element. `answers` has its buttons, behind all that they agree to.
 *
 * @typedef {object} QuestionView
 * @property {HTMLElement} node
 * @property {HTMLElement} answers
 * @property {ReadonlyMap<string, QuestionKey>} keys
 * @property {(problem: string) => void} showProblem
 */

/**
 * Creates the view of a question.
 *
 * @param {Question} question
 * @param {(answer: WebAnswer['answer']) => unknown} send
 * @returns {QuestionView}
 */
export function questionView({ request: asked, answers: offered }, send) {
  const { effect, pending = [] } = asked;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const node = element('form', { class: 'question', tabindex: '-1', 'aria-label': `Question: ${effect.summary}` });
  const feedback = element('input', {
    type: 'text',
    placeholder: 'No, and what to do instead (s)',
    'aria-label': 'No, and what to do instead',
    'aria-keyshortcuts': 's',
  });
  const deny = () => send({ type: 'deny', feedback: feedback.value });
  /** @type {Map<string, QuestionKey>} */
  const keys = new Map([
    ['n', { agrees: false, press: deny }],
    ['s', { agrees: false, press: () => feedback.focus() }],
  ]);
  const buttons = offered.map(({ key, label, answer }) => {
    keys.set(key, { agrees: true, press: () => send(answer) });
    return button(`${label} (${key})`, () => send(answer), { 'aria-keyshortcuts': key });
  });
  const editable = effect.plan ?? (asked.editable === true ? effect.command : undefined);
  const editor = editable === undefined ? undefined : editorView(editable, (text) => send({ type: 'edit', text }));
  if (editor !== undefined) keys.set('e', { agrees: false, press: editor.open });
  const number = pending.length > 0 ? `1 of ${pending.length + 1}: ` : '';
  const no = button('No (n)', deny, { 'aria-keyshortcuts': 'n' });
  const answers = element('p', { class: 'answers' }, ...buttons, no);
  node.append(
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
    answers,
    feedback,
    ...(editor === undefined ? [] : [editor.node]),
    problem,
  );
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    // Enter is never yes.
    if (document.activeElement === feedback) void deny();
  });
  const showProblem = (/** @type {string} */ text) => {
    problem.textContent = text;
  };
  return { node, answers, keys, showProblem };
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
    ...(preview === undefined ? [] : [diffBlock(preview, { isWhole: true })]),
    ...(lines.length === 0 ? [] : [element('pre', {}, lines.join('\n'))]),
  ];
}

/**
 * @param {string} text
 * @param {(text: string) => unknown} send
 */
function editorView(text, send) {
  const area = element('textarea', { rows: '3', 'aria-label': 'Edited text, which is judged again' });
  area.value = text;
  const node = element(
    'details',
    { class: 'edit' },
    element('summary', { 'aria-keyshortcuts': 'e' }, 'Edit (e)'),
    area,
    button('Use the edited text', () => send(area.value)),
  );
  const open = () => {
    node.open = true;
    area.focus();
    // With its button.
    node.scrollIntoView({ block: 'nearest' });
  };
  return { node, open };
}
