/**
 * @import { PageEvent, PageState } from '../../session/page-event.ts'
 * @import { WrittenCall } from '../../../agent/ports/events.ts'
 * @import { PlannedEffect, Task } from '../../../agent/ports/tool.ts'
 */

/**
 * One entry of the conversation. `open`: more of its text may follow. `isDropped`: the user has gone back to before it.
 *
 * @typedef {{ readonly kind: 'user' | 'note' | 'problem', text: string }} TextItem
 * @typedef {{ readonly kind: 'agent', text: string, reasoning: string, open: boolean }} AgentItem
 * @typedef {{ readonly kind: 'output', readonly isDiff?: boolean, text: string }} OutputItem
 * @typedef {{
 *   readonly kind: 'tool',
 *   readonly name: string,
 *   readonly args: string,
 *   effect: PlannedEffect | undefined,
 *   output: string,
 *   result: { readonly outcome: string, readonly summary: string, readonly content: string } | undefined,
 *   written?: WrittenCall | undefined,
 *   isWritten?: boolean,
 * }} ToolItem
 * @typedef {(TextItem | AgentItem | OutputItem | ToolItem) & { isDropped?: boolean }} Item
 */

/** Number of characters of live output that are kept. The result of the call contains the rest. */
const MAX_OUTPUT = 30_000;

/**
 * A size for people.
 *
 * @param {number} bytes
 */
export function sizeText(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}

/** The conversation that the events describe, without any element of the page. */
export class Model {
  /** @type {Item[]} */
  items = [];
  /** The entries that have changed since the last `takeChanged`. */
  changed = new Set(/** @type {Item[]} */ ([]));
  /** @type {readonly Task[]} */
  tasks = [];
  tokens = { input: 0, output: 0 };
  /** @type {PageState} */
  state = { type: 'state', queue: [] };
  /** The open questions by id. */
  questions = new Map(/** @type {[string, Extract<PageEvent, { type: 'question' | 'form' }>][]} */ ([]));
  /**
   * The messages that were typed into a page. Prompts of a log are not among them, because their triggers may have been
   * plain text elsewhere.
   *
   * @type {string[]}
   */
  typed = [];
  /** The activity of the run in progress, if it is known. */
  activity = '';
  /** @type {AgentItem | undefined} */
  #answer;
  /** The calls that the model is writing, by their ids. */
  #written = new Map(/** @type {[string, ToolItem][]} */ ([]));
  /** The last call with each id. */
  #calls = new Map(/** @type {[string, ToolItem][]} */ ([]));
  /** The calls without a result. */
  #pending = new Set(/** @type {ToolItem[]} */ ([]));
  /** The message that the events belong to. @type {string | undefined} */
  #message;
  /** The number of entries before that message. */
  #start = 0;
  /** The number of entries before each prompt of the log, or before the message that led to it. @type {number[]} */
  #prompts = [];

  /** @param {PageEvent} event */
  apply(event) {
    switch (event.type) {
      case 'message_start':
        this.#message = event.id;
        this.#start = this.items.length;
        this.typed.push(event.text);
        this.#add({ kind: 'user', text: event.text });
        break;
      case 'message_end':
        if (this.#message === event.id) this.#message = undefined;
        break;
      case 'user_message':
        if (event.steered === true) {
          if (this.#message !== undefined) this.typed.push(event.text);
          this.#add({ kind: 'user', text: event.text });
          break;
        }
        this.#prompts.push(this.#begin);
        // The event at the start of the message contained the text of the user.
        if (this.#message === undefined) this.#addPrompt(event.text);
        break;
      case 'turn_start':
        this.activity = 'waiting for the server';
        break;
      case 'text_delta':
        this.activity = 'answering';
        this.#open().text += event.text;
        break;
      case 'reasoning_delta':
        this.activity = 'thinking';
        this.#open().reasoning += event.text;
        break;
      case 'tool_call_delta':
        this.activity = 'writing';
        this.#write(event);
        break;
      case 'assistant_message':
        this.#dropWritten(event.message.toolCalls.map(({ id }) => id));
        this.#complete(event.message.content, event.message.reasoning ?? '');
        break;
      case 'retry':
        // The answer starts again below the note, as in a tab that did not receive its first part.
        if (this.#answer !== undefined) this.#complete('', '');
        this.#dropWritten([]);
        this.#add({ kind: 'note', text: `Trying again: ${event.message}` });
        break;
      case 'tool_call':
        this.activity = 'running';
        this.#plan(event);
        break;
      case 'tool_output':
        this.#output(event.callId, event.text);
        break;
      case 'tool_result':
        this.#settle(event);
        break;
      case 'tasks':
        this.tasks = event.tasks;
        break;
      case 'usage':
        this.tokens = {
          input: this.tokens.input + event.inputTokens,
          output: this.tokens.output + event.outputTokens,
        };
        break;
      case 'compaction':
        this.#add({ kind: 'note', text: 'The older part of the conversation is now a summary for the model.' });
        break;
      case 'rewind':
        this.#goBack(event.prompt);
        break;
      case 'warning':
        this.#add({ kind: 'note', text: event.message });
        break;
      case 'commit':
        this.#add({ kind: 'note', text: `Committed ${event.hash.slice(0, 8)}: ${event.subject}` });
        break;
      case 'receipt_rows':
        this.#add({ kind: 'note', text: event.rows.join('\n') });
        break;
      case 'run_end':
        this.activity = '';
        this.#dropWritten([]);
        this.#end();
        this.#interrupt();
        if (event.outcome !== 'done') {
          this.#add({ kind: event.outcome === 'failed' ? 'problem' : 'note', text: event.message });
        }
        break;
      case 'note':
        // The last run of a log may have ended together with ybs.
        if (this.#message === undefined) this.#interrupt();
        this.#add({ kind: 'note', text: event.text });
        if (event.diff !== undefined) this.#add({ kind: 'output', text: event.diff, isDiff: true });
        break;
      case 'user_output':
        this.#addOutput(event.text);
        break;
      case 'problem':
        this.#add({ kind: 'problem', text: event.message });
        break;
      case 'state':
        this.state = event;
        break;
      case 'question':
      case 'form':
        this.questions.set(event.id, event);
        break;
      case 'question_closed':
        this.questions.delete(event.id);
        break;
      default:
    }
  }

  /** The activity of the session, in one line. */
  get status() {
    const { session, running } = this.state;
    if (session === undefined) return 'Opening the session …';
    const work = running === undefined ? 'Ready' : this.questions.size > 0 ? 'Waits for your answer' : this.#work;
    const tokens = this.tokens.input + this.tokens.output;
    const used = tokens === 0 ? [] : [`${tokens.toLocaleString('en')} tokens`];
    const agent = session.agent === undefined ? [] : [session.agent];
    return [work, session.model, session.mode, ...agent, ...used].join(' · ');
  }

  /** The activity of the run, for the status. */
  get #work() {
    const call = [...this.#written.values()].at(-1)?.written;
    if (call !== undefined) return `Writing ${call.path ?? call.name ?? 'a call'} (${sizeText(call.size)})`;
    return this.activity === '' ? 'Working' : `${this.activity.charAt(0).toUpperCase()}${this.activity.slice(1)}`;
  }

  /** The name of the working directory of the session, which distinguishes the tabs of the user. */
  get projectName() {
    return this.state.session?.workspace.split(/[\\/]/).findLast((part) => part !== '') ?? 'ybs';
  }

  /** True if the last event belongs to the message that is being answered now. */
  get isRunning() {
    return this.#message !== undefined && this.#message === this.state.running;
  }

  /** The name of the session, if it has messages of the user. */
  get begun() {
    return this.items.some(({ kind }) => kind === 'user') ? (this.state.session?.name ?? '') : '';
  }

  /**
   * Adds a note on how to continue the session that was shown before, unless it is this one. False if none was shown
   * before, or none is shown now.
   *
   * @param {string} before
   */
  noteBefore(before) {
    const { session } = this.state;
    if (before === '' || session === undefined) return false;
    if (session.name !== before) {
      const text = `ybs has begun another session. /load ${before} goes on with the one that was here.`;
      this.#add({ kind: 'note', text });
    }
    return true;
  }

  /** Returns the entries that have changed since the last call. */
  takeChanged() {
    const { changed } = this;
    this.changed = new Set();
    return changed;
  }

  /**
   * Adds a prompt of the log, which may be the report of a `!command`.
   *
   * @param {string} text
   */
  #addPrompt(text) {
    this.#interrupt();
    const kind = text.startsWith('[Shell command output]\n') ? 'output' : 'user';
    this.#add({ kind, text });
  }

  /** The number of entries before those of the current message. */
  get #begin() {
    return this.#message === undefined ? this.items.length : this.#start;
  }

  /**
   * Marks all entries from a prompt on, except the command that goes back.
   *
   * @param {number | undefined} prompt
   */
  #goBack(prompt) {
    if (prompt === undefined) {
      this.#add({ kind: 'note', text: 'The conversation went back to an earlier message here.' });
      return;
    }
    for (const item of this.items.slice(this.#prompts[prompt] ?? this.items.length, this.#begin)) {
      item.isDropped = true;
      this.changed.add(item);
    }
    this.#add({ kind: 'note', text: 'The crossed-out messages are no longer part of the conversation.' });
  }

  /** @param {Item} item */
  #add(item) {
    this.items.push(item);
    this.changed.add(item);
  }

  /** The answer that is being written. */
  #open() {
    if (this.#answer === undefined) {
      this.#answer = { kind: 'agent', text: '', reasoning: '', open: true };
      this.items.push(this.#answer);
    }
    this.changed.add(this.#answer);
    return this.#answer;
  }

  /**
   * @param {string} text
   * @param {string} reasoning
   */
  #complete(text, reasoning) {
    if (this.#answer === undefined && text === '' && reasoning === '') return;
    Object.assign(this.#open(), { text, reasoning });
    this.#end();
  }

  /** Ends the answer that is being written, also if it was stopped. */
  #end() {
    if (this.#answer === undefined) return;
    this.#answer.open = false;
    this.changed.add(this.#answer);
    this.#answer = undefined;
  }

  /**
   * Shows a call that the model is writing. A text that may be a call has no entry yet.
   *
   * @param {Extract<PageEvent, { type: 'tool_call_delta' }>} event
   */
  #write({ callId, name, written }) {
    if (callId === undefined || name === undefined) return;
    let item = this.#written.get(callId);
    if (item === undefined) {
      item = { kind: 'tool', name, args: '', effect: undefined, output: '', result: undefined };
      this.#written.set(callId, item);
      this.#add(item);
    }
    item.written = written;
    this.changed.add(item);
  }

  /**
   * Ends the calls that were being written, except these, which are planned now.
   *
   * @param {readonly string[]} kept
   */
  #dropWritten(kept) {
    for (const [id, item] of this.#written) {
      this.changed.add(item);
      item.isWritten = kept.includes(id);
      if (item.isWritten) continue;
      item.result = { outcome: 'not_run', summary: 'was not completed', content: '' };
      this.#written.delete(id);
    }
  }

  /** @param {Extract<PageEvent, { type: 'tool_call' }>} event */
  #plan({ call, effect }) {
    this.#end();
    const begun = this.#written.get(call.id);
    if (begun !== undefined) {
      this.#written.delete(call.id);
      Object.assign(begun, { args: call.arguments, effect, written: undefined });
      this.#calls.set(call.id, begun);
      this.#pending.add(begun);
      this.changed.add(begun);
      return;
    }
    const known = this.#calls.get(call.id);
    if (known !== undefined && known.result === undefined) {
      known.effect = effect ?? known.effect;
      this.changed.add(known);
      return;
    }
    /** @type {ToolItem} */
    const item = { kind: 'tool', name: call.name, args: call.arguments, effect, output: '', result: undefined };
    this.#calls.set(call.id, item);
    this.#pending.add(item);
    this.#add(item);
  }

  /**
   * @param {string} callId
   * @param {string} text
   */
  #output(callId, text) {
    const item = this.#calls.get(callId);
    if (item === undefined) return;
    item.output = (item.output + text).slice(-MAX_OUTPUT);
    this.changed.add(item);
  }

  /** @param {Extract<PageEvent, { type: 'tool_result' }>} event */
  #settle({ callId, outcome, summary, content }) {
    const item = this.#calls.get(callId);
    if (item === undefined) return;
    item.result = { outcome, summary, content };
    this.#pending.delete(item);
    this.changed.add(item);
  }

  /** Marks the calls without a result as interrupted. */
  #interrupt() {
    for (const item of this.#pending) {
      item.result = { outcome: 'interrupted', summary: 'interrupted', content: '' };
      this.changed.add(item);
    }
    this.#pending.clear();
  }

  /** @param {string} text */
  #addOutput(text) {
    const last = this.items.at(-1);
    if (last?.kind !== 'output' || last.isDiff === true) {
      this.#add({ kind: 'output', text });
      return;
    }
    last.text = (last.text + text).slice(-MAX_OUTPUT);
    this.changed.add(last);
  }
}
