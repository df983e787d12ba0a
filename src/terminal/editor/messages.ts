import type { Completion } from '../../app/commands/completion.ts';
import { isCommand, mustWait, type Steering } from '../../app/terminal.ts';
import { isControl, isRecall, type Key } from '../keys/key.ts';
import type { Buffer } from './buffer.ts';
import { SEND_HINTS } from './draw.ts';
import { press, withCompletion, withOffer } from './line-editor.ts';
import { type LineState, newLine, unfolded, wholeText } from './line-state.ts';
import { ENTER_MS, TYPING_MS } from './question-keys.ts';
import type { MessageHistory } from './terminal-ports.ts';

/** The message that is being typed, the messages that wait for the end of a run, and the history of all of them. */
export class Messages {
  line: LineState = newLine();
  /** The messages that wait, the next one at the start. */
  waiting: readonly string[] = [];
  /** The messages for the next request of the run in progress, in order. */
  steering: readonly string[] = [];
  /** Returned texts that cannot be joined with the line. Each is put into the line after the one before it. */
  returned: readonly string[] = [];
  /** The time of the last key that followed another one at once, unless it sent something. */
  typedAt = Number.NEGATIVE_INFINITY;
  #keyAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #stored: MessageHistory | undefined;
  #run: Steering | undefined;
  /** Settles when the last message is in the stored history. */
  #added: Promise<void> = Promise.resolve();
  #loading: 'not yet' | 'running' | 'done' = 'not yet';
  /** Keys from the first one on that needs the history, while it is being read. */
  readonly #early: Key[] = [];

  constructor(stored: MessageHistory | undefined) {
    this.#stored = stored;
  }

  /** True if no text is typed and no message is queued. */
  get isEmpty(): boolean {
    return this.line.buffer.text === '' && this.waiting.length === 0 && this.steering.length === 0;
  }

  /** The texts that are shown around the line: those that come after it, and those for the next request. */
  around(isMessage: boolean): { readonly waiting: readonly string[]; readonly steering: readonly string[] } {
    return isMessage
      ? { waiting: [...this.waiting, ...this.returned], steering: this.steering }
      : { waiting: [], steering: [] };
  }

  /** Notes that a key was pressed. A single one is not yet a message that is being typed. */
  noteKey(time: number): void {
    if (time - this.#keyAt < TYPING_MS) this.typedAt = time;
    this.#keyAt = time;
  }

  /** Notes that a letter has answered a question without Enter. */
  noteAnswer(time: number): void {
    this.#answeredAt = time;
  }

  /** True if a key is an Enter for a letter that has already answered. Every key ends the wait for it. */
  takesEnter(key: Key, time: number): boolean {
    const isTaken = key.type === 'key' && key.name === 'Enter' && time - this.#answeredAt < ENTER_MS;
    this.#answeredAt = Number.NEGATIVE_INFINITY;
    return isTaken;
  }

  /** Notes that the typed text has been sent. */
  endTyping(): void {
    this.typedAt = Number.NEGATIVE_INFINITY;
    this.#keyAt = Number.NEGATIVE_INFINITY;
  }

  /** Lets a message wait, unless it is empty. */
  enqueue(text: string): void {
    this.endTyping();
    if (text.trim() !== '') this.waiting = [...this.waiting, text];
  }

  /** The keys that send what is typed during a run, if it takes messages. */
  get hint(): string {
    return this.#run === undefined || this.line.buffer.text === '' ? '' : SEND_HINTS[this.#run.enter];
  }

  /** Begins a run that takes messages; `undefined` ends it. The messages that it has not taken wait, ahead of the others. */
  setRun(run: Steering | undefined): void {
    this.#run = run;
    if (run !== undefined) return;
    this.waiting = [...this.steering, ...this.waiting];
    this.steering = [];
  }

  /**
   * Gives a message to the run in progress, or lets it wait for the end of the run; `isOther`: with the key that does not
   * do what the setting says. Resolves when the run has taken it, or at once if it waits.
   */
  async send(text: string, isOther = false): Promise<void> {
    const run = this.#run;
    if (run === undefined || mustWait(text) || (run.enter === 'queue') !== isOther) return this.enqueue(text);
    this.endTyping();
    this.steering = [...this.steering, text];
    if (!(await run.steer(text)) || !this.steering.includes(text)) return;
    this.steering = this.steering.toSpliced(this.steering.indexOf(text), 1);
    this.remember(text);
  }

  /** Takes the next message that waits. */
  dequeue(): string | undefined {
    const [first, ...others] = this.waiting;
    this.waiting = others;
    return first;
  }

  /**
   * Puts texts and what waits back, so that they need another Enter: as one text with what is being typed, at its end.
   * If a command is among them, they come into the line one after the other, after what is being typed.
   */
  putBack(...before: readonly string[]): void {
    const { text: typed, cursor } = unfolded(this.line).buffer;
    const texts = [...before, ...this.steering, ...this.waiting, ...this.returned].filter((text) => text !== '');
    this.steering = [];
    this.waiting = [];
    this.returned = texts;
    if (texts.length === 0) return;
    if (![...texts, typed].some(isCommand)) {
      const line = newLine(this.line.history, [...texts, ...(typed === '' ? [] : [typed])].join('\n'));
      const { text } = line.buffer;
      this.line = { ...line, buffer: { text, cursor: text.length - typed.length + cursor } };
      this.returned = [];
    } else if (typed === '') this.bringBack();
  }

  /** Adds a text that was typed elsewhere below what is being typed. */
  append(text: string): void {
    const typed = wholeText(this.line);
    if (text !== '') this.line = newLine(this.line.history, typed === '' ? text : `${typed}\n${text}`);
  }

  /** Adds keys that were pressed elsewhere to what is being typed, without their effects. */
  type(keys: readonly Key[]): void {
    for (const key of keys) if (!isRecall(key)) this.line = press(this.line, key).state;
  }

  /** Puts the next returned text into the line, which is empty. */
  bringBack(): void {
    const [next, ...others] = this.returned;
    if (next !== undefined) this.line = newLine(this.line.history, next);
    this.returned = others;
  }

  /**
   * Completes a word of the line, or only shows the completions, unless the text is no longer that of `before`: a
   * returned text has moved the word.
   */
  complete(completion: Completion, before: Buffer, isOffer: boolean): void {
    if (this.line.buffer.text !== before.text) return;
    this.line = isOffer ? withOffer(this.line, completion) : withCompletion(this.line, completion);
  }

  /** Adds a message to the history, unless it is empty or repeats the last one. */
  remember(text: string): void {
    if (text.trim() === '' || this.line.history.at(-1) === text) return;
    this.line = { ...this.line, history: [...this.line.history, text], recalled: undefined, left: new Map() };
    this.#added = this.#added.then(() => this.#stored?.add(text)).catch(() => undefined);
  }

  /** Adds the texts that were typed but not sent to the history, for the next chat. */
  keepUnsent(): void {
    for (const text of [...this.steering, ...this.waiting, wholeText(this.line), ...this.returned]) this.remember(text);
  }

  /** Reads the stored history once. Then passes on the keys that waited for it. */
  async load(onKey: (key: Key) => void): Promise<void> {
    if (this.#stored === undefined || this.#loading !== 'not yet') return;
    this.#loading = 'running';
    const earlier = await this.#stored.load().catch(() => []);
    const { recalled, history, left } = this.line;
    const moved = {
      recalled: recalled === undefined ? undefined : recalled + earlier.length,
      left: new Map([...left].map(([index, buffer]) => [index + earlier.length, buffer])),
    };
    this.line = { ...this.line, history: [...earlier, ...history], ...moved };
    this.#loading = 'done';
    for (const key of this.#early.splice(0)) onKey(key);
  }

  /** Keeps a key that must wait for the history; false if it need not wait. */
  keepForHistory(key: Key): boolean {
    const waits = this.#loading === 'running' && !isControl(key) && (this.#early.length > 0 || isRecall(key));
    if (waits) this.#early.push(key);
    return waits;
  }
}
