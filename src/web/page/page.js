/** @import { createConversation } from './conversation/conversation.js' */

import { byId, isField, visible } from './dom.js';
import { MessageBox, refuseFiles } from './input/message-box.js';
import {
  follow,
  isThisTab,
  keep,
  keepTabs,
  keepToken,
  LOST,
  LostError,
  messageOf,
  recall,
  request,
  TAB,
  takeNewAddress,
  takeTabs,
  untilLoaded,
  useToken,
} from './session/connection.js';
import { Model } from './session/model.js';

const input = byId('message-input', HTMLTextAreaElement);
const status = byId('status', HTMLElement);
const stopButton = byId('stop-btn', HTMLButtonElement);
const clearButton = byId('clear-btn', HTMLButtonElement);
const project = byId('project', HTMLElement);
const welcome = byId('welcome', HTMLElement);
const announcements = byId('announcements', HTMLElement);

/** @param {string} text */
const announce = (text) => {
  announcements.textContent = text;
};

/** The label of the button that starts a new session. */
const CLEAR = 'Clear';
/** If a run ends within this many milliseconds of the first press, the user had already seen its answer. */
const ENDING_MS = 500;

const box = new MessageBox(input);
let model = new Model();
/** The server whose state the model shows. @type {number | undefined} */
let lastServer;
/** The name of the session that was shown before this one. */
let before = '';
let askedToClear = 0;
let connection = 'Connecting …';
let isDrawing = false;
/**
 * Shows the conversation. Absent until its modules are loaded.
 *
 * @type {ReturnType<typeof createConversation> | undefined}
 */
let conversation;
let isLoading = false;
let isRestored = false;

/** Draws in the next frame, once for all events that arrive before it. */
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    conversation?.show(model);
    showState();
    // The modules that show the conversation are loaded after the state of the session is shown.
    if (isLoading) return;
    isLoading = true;
    void loadRest();
  });
}

function showState() {
  const { session, running } = model.state;
  project.textContent = session === undefined ? '' : visible(model.projectName);
  stopButton.hidden = running === undefined;
  settleClear();
  const begun = model.items.some(({ kind }) => kind === 'user');
  // Without its own text, a page whose modules are not loaded yet would look empty.
  welcome.hidden = session === undefined ? connection !== '' : begun && conversation !== undefined;
  const where = visible(session?.workspace ?? '');
  const ask = `The project is ${where}. Ask a question about it, or say what to change.`;
  welcome.textContent = session === undefined || begun ? 'Loading …' : ask;
  status.textContent = visible(connection !== '' ? connection : model.status);
  status.classList.toggle('problem', connection === LOST);
  status.title = session === undefined ? '' : `${session.workspace}\n${session.name}\n${session.sandbox ?? ''}`;
}

/**
 * Sends a request, and shows the reason if it fails.
 *
 * @param {string} path
 * @param {unknown} body
 */
async function post(path, body) {
  try {
    return await request(path, { body });
  } catch (error) {
    if (error instanceof LostError) return undefined;
    model.apply({ type: 'problem', message: messageOf(error) });
    draw();
    return undefined;
  }
}

/**
 * Inserts typed text into the message at the cursor.
 *
 * @param {string} text
 */
function type(text) {
  input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
  input.focus();
}

/** The messages that have not been sent. */
function later() {
  /** @param {() => unknown} work */
  const removing = (work) => () => {
    input.focus();
    void work();
    draw();
  };
  return [
    ...model.state.queue.map(({ id, text, steers }) => {
      return {
        what: steers === true ? 'For the next request' : 'Waits',
        id,
        text,
        remove: removing(() => post('unqueue', { id })),
      };
    }),
    ...box.returned.map((text, index) => {
      return { what: 'Comes next', id: String(index), text, remove: removing(() => box.remove(index)) };
    }),
  ];
}

/** @param {boolean} [isOther] with the key that does not do what the setting says */
async function send(isOther = false) {
  const message = box.take();
  draw();
  if (message.trim() === '') return;
  input.focus();
  // While a question is open, the next key is for it.
  conversation?.focusQuestion();
  const delivery = (model.state.enter !== 'queue') === isOther ? 'after_run' : 'next_request';
  const answer = await post('chat', { message, tab: TAB, delivery });
  // The events of the session contain everything that this stream does.
  await answer?.body?.cancel();
  if (answer === undefined) box.putBack(message);
}

function stop() {
  return post('stop', { tab: TAB });
}

byId('input-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
input.addEventListener('keydown', (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step !== undefined && !event.shiftKey && box.recall(step, model.typed)) event.preventDefault();
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void send(event.ctrlKey || event.metaKey);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || stopButton.hidden) return;
  // In a dialog, Escape closes the dialog; in the message, it moves the focus to the open question.
  if (document.querySelector('dialog') !== null || (event.target === input && conversation?.focusQuestion())) return;
  void stop();
});
window.addEventListener('hashchange', takeNewAddress);
document.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text') ?? '';
  if (text === '' || isField(event.target) || document.querySelector('dialog') !== null) return;
  event.preventDefault();
  type(text);
});
stopButton.addEventListener('click', () => {
  void stop();
  input.focus();
});
byId('sessions-btn', HTMLButtonElement).addEventListener('click', async () => {
  const { openSessions } = await import('./panels/sessions.js');
  openSessions((name) => {
    input.focus();
    void post('load', { name });
  });
});
byId('settings-btn', HTMLButtonElement).addEventListener('click', async () => {
  (await import('./panels/settings.js')).openSettings();
});
clearButton.addEventListener('click', () => void clear());
clearButton.addEventListener('blur', () => {
  clearButton.textContent = CLEAR;
});

/** Starts a new session; during a run, only with the second press. */
async function clear() {
  if (model.state.running !== undefined && clearButton.textContent === CLEAR) {
    clearButton.textContent = 'Stop and clear';
    announce('A run is in progress. Press again to stop it and clear.');
    askedToClear = performance.now();
    return;
  }
  // The end of the run must not clear a second time.
  clearButton.textContent = CLEAR;
  if (model.state.running !== undefined) await stop();
  await post('clear', {});
  input.focus();
}

/** Resets the button when the run has ended, and clears if the answer was already complete at the first press. */
function settleClear() {
  if (clearButton.textContent === CLEAR || model.state.running !== undefined) return;
  clearButton.textContent = CLEAR;
  if (performance.now() - askedToClear < ENDING_MS) void clear();
}

async function askForToken() {
  const { tokenForm } = await import('./panels/token-form.js');
  const form = tokenForm(connection, (text) => {
    useToken(text);
    form.remove();
    input.focus();
    void start();
  });
  byId('questions', HTMLElement).append(form);
  form.querySelector('input')?.focus();
}

function start() {
  return follow({
    reset(server) {
      if (server !== lastServer) {
        before = model.begun || before;
        box.putBack(...model.state.queue.filter(({ tab }) => isThisTab(tab)).map(({ text }) => text));
      }
      lastServer = server;
      model = new Model();
      announce('');
      draw();
    },
    event(event, isNew) {
      model.apply(event);
      if (model.noteBefore(before)) before = '';
      if (event.type === 'put_back' && event.tab === TAB && isNew) {
        box.putBack(...event.texts);
        announce('The text is in the message again.');
      }
      // A tab in the background draws nothing, but its title is visible.
      document.title = model.questions.size > 0 ? `(?) ${model.projectName}` : model.projectName;
      if (event.type === 'message_start' || event.type === 'question_closed') announce('');
      // A reloaded page also receives earlier runs, which are not announced.
      if (event.type === 'run_end' && model.isRunning) {
        announce(event.outcome === 'done' ? 'The answer is complete.' : event.message);
      }
      draw();
    },
    connection(state, message) {
      connection = message;
      draw();
      if (state === 'refused') void askForToken();
    },
  });
}

/** Restores the texts that had not been sent when the page was left. */
function restore() {
  if (isRestored) return;
  isRestored = true;
  takeTabs();
  box.restore(recall('messages'));
  before ||= recall('session');
  if (model.noteBefore(before)) before = '';
}

async function loadRest() {
  const [{ createConversation }, { FieldCompletion }] = await untilLoaded(() =>
    Promise.all([import('./conversation/conversation.js'), import('./input/completion.js')]),
  );
  // Only now, because the first use of the storage blocks the browser.
  keepToken();
  restore();
  new FieldCompletion(input, announce);
  conversation = createConversation({
    announce,
    type,
    keepText: (text) => box.append(text),
    onAnswered: () => input.focus(),
    later,
  });
  draw();
}

// The request for the session is sent before the browser lays out the page.
void start();
addEventListener('pagehide', () => {
  restore();
  keepTabs();
  keep('messages', box.keep(...(conversation?.texts() ?? [])));
  keep('session', model.begun);
});
refuseFiles(input, announce);
// Makes the scrollable area reachable with the keyboard.
byId('conversation', HTMLElement).tabIndex = 0;
input.focus();
