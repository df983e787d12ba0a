/**
 * @import { ApprovalRequest } from '../../../agent/ports/approver.ts'
 * @import { WebAnswer } from '../../session/page-data.ts'
 * @import { PageEvent } from '../../session/page-event.ts'
 */

import { diffBlock } from '../conversation/diff.js';
import { button, element } from '../dom.js';

/** @typedef {Extract<PageEvent, { type: 'question' }>} Question */

/**
 * A key of a question. `agrees`: it allows the call.
 *
 * @typedef {{ readonly agrees: boolean, press(): unknown }} QuestionKey
 */

/**
 * A question as an element. `answers` contains its buttons, below everything that they approve.
 *
 * @typedef {object} QuestionView
 * @property {HTMLElement} node
 * @property {HTMLElement} answers
 * @property {ReadonlyMap<string, QuestionKey>} keys
 * @property {(problem: string) => void} showProblem
 * @property {(isTyping: boolean) => void} showTyping Shows a hint that the keys go to the message.
 * @property {() => readonly string[]} texts The texts in its fields that were not sent with an answer.
 * @property {(answer: WebAnswer['answer'] | undefined) => void} markSent The answer that is sent; `undefined` if it had
 *   no effect.
 */

/**
 * Creates the view of a question.
 *
 * @param {Question} question
 * @param {(answer: WebAnswer['answer']) => unknown} send
 * @returns {QuestionView}
 */
export function questionView({ request: asked, answers: offered, destroys }, send) {
  const { effect, pending = [] } = asked;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const typing = element('p', { class: 'typing', hidden: true }, 'You are typing a message. Esc: answer the question.');
  const node = element('form', { class: 'question', tabindex: '-1', 'aria-label': `Question: ${effect.summary}` });
  const feedback = element('input', {
    type: 'text',
    placeholder: 'No, and what to do instead (s)',
    'aria-label': 'No, and what to do instead',
    'aria-keyshortcuts': 's',
  });
  leaveWithEscape(feedback, () => node.focus());
  const deny = () => send({ type: 'deny', feedback: feedback.value });
  /** @type {Map<string, QuestionKey>} */
  const keys = new Map([
    ['n', { agrees: false, press: deny }],
    ['s', { agrees: false, press: () => feedback.focus() }],
  ]);
  const prefixes = offered.flatMap(({ key, label, answer, words }) => {
    if (words === undefined) return [];
    const view = editorView(words, {
      ...{
        summary: `${label} …`,
        key,
        label: 'Words with which a command may begin',
        button: 'Allow these words (Enter)',
      },
      send: (text) => send({ ...answer, words: text }),
      leave: () => node.focus(),
    });
    keys.set(key, { agrees: false, press: view.open });
    return [view];
  });
  const buttons = offered
    .filter(({ words }) => words === undefined)
    .map(({ key, label, answer }, index) => {
      keys.set(key, { agrees: true, press: () => send(answer) });
      const yes = button(`${label} (${key})`, () => send(answer), {
        ...(index === 0 && { class: destroys === undefined ? 'first' : 'first destroys' }),
        'aria-keyshortcuts': key,
      });
      // Enter never agrees, because it may be the end of a message. Space presses the button.
      yes.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') event.preventDefault();
      });
      return yes;
    });
  const editable = effect.plan ?? (asked.editable === true ? effect.command : undefined);
  const editor =
    editable === undefined
      ? undefined
      : editorView(editable, {
          ...{
            summary: 'Edit',
            key: 'e',
            label: 'Edited text, which is checked again',
            button: 'Use the edited text (Enter)',
          },
          send: (text) => send({ type: 'edit', text }),
          leave: () => node.focus(),
        });
  if (editor !== undefined) keys.set('e', { agrees: false, press: editor.open });
  const number = pending.length > 0 ? `1 of ${pending.length + 1}: ` : '';
  const no = button('No (n)', deny, { 'aria-keyshortcuts': 'n' });
  const [first, ...others] = buttons;
  // The plain yes and no come first, side by side: most questions need no other answer.
  const answers = element('p', { class: 'answers' }, ...(first === undefined ? [] : [first]), no, ...others);
  node.append(
    // A command is shown once, whole, in its box.
    element('h2', {}, `${number}${asked.toolName}${effect.command === undefined ? `: ${effect.summary}` : ''}`),
    ...effectNodes(asked),
    ...(destroys === undefined ? [] : [element('p', { class: 'destroys' }, `DESTRUCTIVE: it ${destroys}.`)]),
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
    ...prefixes.map((view) => view.node),
    feedback,
    ...(editor === undefined ? [] : [editor.node]),
    problem,
    typing,
  );
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    if (document.activeElement === feedback) void deny();
  });
  const showProblem = (/** @type {string} */ text) => {
    problem.textContent = text;
  };
  /** @type {WebAnswer['answer'] | undefined} */
  let sent;
  return {
    ...{ node, answers, keys, showProblem },
    showTyping(isTyping) {
      typing.hidden = !isTyping;
    },
    texts: () => [
      ...(sent?.type === 'deny' || feedback.value.trim() === '' ? [] : [feedback.value]),
      ...(sent?.type === 'edit' || editor === undefined || editor.text() === editable ? [] : [editor.text()]),
    ],
    markSent(answer) {
      sent = answer;
    },
  };
}

/**
 * Makes Escape leave a field of a question. Elsewhere, Escape stops the run.
 *
 * @param {HTMLElement} field
 * @param {() => void} leave
 */
function leaveWithEscape(field, leave) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    leave();
  });
}

/**
 * Everything that an approval covers.
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
    lines.push(
      `sandboxed (${sandbox.program}), ${effect.network === true ? 'WITH NETWORK' : 'no network'}${effect.localSockets === true ? ', WITH LOCAL SOCKETS' : ''}`,
    );
  }
  return [
    ...(preview === undefined ? [] : [diffBlock(preview, { isWhole: true })]),
    ...(lines.length === 0 ? [] : [element('pre', {}, lines.join('\n'))]),
  ];
}

/**
 * A text of an answer that the user may change, behind a row that opens it.
 *
 * @param {string} text
 * @param {{ readonly summary: string, readonly key: string, readonly label: string, readonly button: string,
 *   send(text: string): unknown, leave(): void }} parts
 */
function editorView(text, { summary, key, label, button: use, send, leave }) {
  const area = element('textarea', { rows: key === 'e' ? '3' : '1', 'aria-label': label });
  area.value = text;
  const node = element(
    'details',
    { class: key === 'e' ? 'edit' : 'words' },
    element('summary', { 'aria-keyshortcuts': key }, `${summary} (${key})`),
    area,
    button(use, () => send(area.value)),
  );
  const show = () => {
    if (!node.open) return;
    area.focus();
    // Scrolls the button into view, too.
    node.scrollIntoView({ block: 'nearest' });
  };
  const open = () => {
    node.open = true;
    show();
  };
  node.addEventListener('toggle', show);
  leaveWithEscape(node, () => {
    node.open = false;
    leave();
  });
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send(area.value);
  });
  return { node, open, text: () => area.value };
}
