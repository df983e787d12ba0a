import type { Agent } from '../../app/agent.ts';
import { readEvent } from '../../session/log/read-line.ts';
import { EventBuffer, isCounted } from './event-buffer.ts';
import type { PageEvent, PageState } from './page-event.ts';
import { shownEvent } from './shown-event.ts';

/**
 * An event for a tab. `reset`: everything it shows is outdated, and the session follows from its start. Another
 * `server` than before has none of the messages that waited.
 */
export type TabEvent =
  | { readonly type: 'reset'; readonly server: number }
  | { readonly number?: number; readonly type: 'event'; readonly event: PageEvent }
  | { readonly type: 'ready'; readonly number: number };

type SessionRecord = Agent['record'];

/** Everything that the tabs show: the events of a session from its start, and the state of the server. */
export class SessionFeed {
  readonly #buffer: EventBuffer;
  readonly #state: () => PageState;
  /** Distinguishes this server from earlier ones. */
  readonly #server: number;
  /** The session that the buffer has events of. */
  #record: SessionRecord | undefined;
  #shown: string | undefined;
  /** The last state that the tabs got, as JSON. */
  #told = '';
  readonly #readers = new Set<{ readonly tab: string | undefined }>();

  /** `first` must be higher than every number that an earlier server has given. */
  constructor(first: number, state: () => PageState) {
    this.#buffer = new EventBuffer(first);
    this.#state = state;
    this.#server = first;
  }

  get last(): number {
    return this.#buffer.last;
  }

  add(event: PageEvent): void {
    this.#buffer.add(event);
  }

  /** Sends the state to the tabs, if it has changed. */
  tell(): void {
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#buffer.add(state);
  }

  /** Shows a session, if it is another one, with the message that is being answered. */
  async show(
    record: SessionRecord,
    running: { readonly id: string; readonly text: string } | undefined,
  ): Promise<void> {
    if (record.id !== this.#shown) {
      let counted = 0;
      for await (const line of record.lines()) {
        const event = readEvent(line);
        if (event !== undefined && isCounted(event)) counted += 1;
      }
      // A new session has nothing before it, and its first events may already be there.
      if (this.#shown !== undefined || counted > 0) {
        this.#buffer.begin(counted);
        if (running !== undefined) this.#buffer.add({ type: 'message_start', ...running });
      }
      this.#shown = record.id;
      this.#record = record;
      this.#told = '';
    }
    this.tell();
  }

  /** The events after a number and all later ones, for a tab, until `signal` aborts. */
  async *follow(after: number, signal: AbortSignal, tab?: string): AsyncGenerator<TabEvent, void, void> {
    const reader = { tab };
    this.#readers.add(reader);
    try {
      let read = after;
      while (!signal.aborted) {
        const { last } = this.#buffer;
        const reading = this.#buffer.read(read);
        if (reading.type === 'lost') {
          yield { type: 'reset', server: this.#server };
          yield { type: 'event', event: this.#state() };
          for await (const event of this.#history(reading.counted)) yield { type: 'event', event };
          yield { type: 'ready', number: reading.from };
          read = reading.from;
        } else {
          for (const { number, event } of reading.events) yield { type: 'event', number, event };
          read = last;
        }
        await this.#buffer.wait(read, signal);
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  /** True if a tab follows the events now. */
  isFollowedBy(tab: string): boolean {
    return [...this.#readers].some((reader) => reader.tab === tab);
  }

  /** The events of the log before the next one that `isCounted`. */
  async *#history(counted: number): AsyncGenerator<PageEvent, void, void> {
    let seen = 0;
    const workspace = this.#state().session?.workspace ?? '';
    if (counted === 0 || this.#record === undefined) return;
    for await (const line of this.#record.lines()) {
      const event = readEvent(line);
      if (event === undefined) continue;
      if (isCounted(event)) seen += 1;
      if (seen > counted) return;
      const shown = shownEvent(event, workspace);
      if (shown !== undefined) yield shown;
    }
  }
}
