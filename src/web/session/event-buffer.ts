import { isPrompt } from '../../session/log/log-line.ts';
import type { NumberedEvent, PageEvent } from './page-event.ts';

/** Number of events from which on the oldest runs are only in the log of the session. */
const MAX_EVENTS = 2_000;

/** Number of pieces of the output of one running call; the result has the rest. */
const MAX_PIECES = 200;

/** A reader of the buffer that has read all events up to a number. */
export type BufferReading =
  | { readonly type: 'events'; readonly events: readonly NumberedEvent[] }
  /** Events after the number were dropped. The log has all before `from`: `counted` ones that `isCounted`, and more. */
  | { readonly type: 'lost'; readonly from: number; readonly counted: number };

/**
 * The last events of a session, numbered, for tabs that read them at different times. A piece is dropped as soon as a
 * later event repeats it, such as the whole answer; so tabs with and without the pieces show the same.
 */
export class EventBuffer {
  #entries: NumberedEvent[] = [];
  #last: number;
  /** The first number after the events that were dropped with their runs. */
  #from: number;
  #counted = 0;
  readonly #waiting = new Set<() => void>();

  /** `first` must be higher than every number that an earlier server has given. */
  constructor(first: number) {
    this.#last = first;
    this.#from = first;
  }

  get last(): number {
    return this.#last;
  }

  add(event: PageEvent): void {
    if (REPLACING.has(event.type)) {
      this.#entries = this.#entries.filter((entry) => !isReplacedBy(entry.event, event));
    }
    this.#last += 1;
    // Each piece of a call says all that a tab shows of it.
    const before = this.#entries.at(-1)?.event;
    if (event.type === 'tool_call_delta' && before?.type === event.type && before.callId === event.callId)
      this.#entries.pop();
    if (event.type === 'tool_output') this.#dropPieces(event.callId);
    this.#entries.push({ number: this.#last, event });
    if (event.type === 'message_end') this.#dropRuns();
    this.#wake();
  }

  /** Begins with another session, of whose log this many events that `isCounted` are shown. */
  begin(counted: number): void {
    this.#entries = [];
    this.#last += 1;
    this.#from = this.#last;
    this.#counted = counted;
    this.#wake();
  }

  read(after: number): BufferReading {
    if (after < this.#from || after > this.#last) return { type: 'lost', from: this.#from, counted: this.#counted };
    return { type: 'events', events: this.#entries.filter(({ number }) => number > after) };
  }

  /** Waits for an event after a number. Resolves also when `signal` aborts. */
  async wait(after: number, signal: AbortSignal): Promise<void> {
    if (after < this.#last || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }

  #dropPieces(callId: string): void {
    const pieces = this.#entries.filter(({ event }) => event.type === 'tool_output' && event.callId === callId);
    if (pieces.length < MAX_PIECES) return;
    const [first] = pieces;
    this.#entries = this.#entries.filter((entry) => entry !== first);
  }

  /** Drops the oldest messages with their runs, but not the last one. A message may also end without a beginning. */
  #dropRuns(): void {
    const begun = new Set(this.#entries.flatMap(({ event }) => (event.type === 'message_start' ? event.id : [])));
    while (this.#entries.length > MAX_EVENTS) {
      const end = this.#entries.findIndex(({ event }) => event.type === 'message_end' && begun.has(event.id));
      const dropped = this.#entries.slice(0, end + 1);
      if (dropped.length === 0 || dropped.length === this.#entries.length) return;
      this.#entries = this.#entries.slice(end + 1);
      this.#from = dropped.at(-1)?.number ?? this.#from;
      this.#counted += dropped.filter(({ event }) => isCounted(event)).length;
    }
  }
}

/** True for the events that the log and the server both have, so that their number is a place in both. */
export function isCounted(event: PageEvent): boolean {
  return (event.type === 'user_message' && isPrompt(event)) || event.type === 'compaction' || event.type === 'rewind';
}

/** The events that can replace earlier ones; see `isReplacedBy`. */
const REPLACING: ReadonlySet<PageEvent['type']> = new Set([
  'assistant_message',
  'tool_result',
  'state',
  'question_closed',
]);

/** True if `event` has all that a tab needs of `earlier`. */
function isReplacedBy(earlier: PageEvent, event: PageEvent): boolean {
  switch (earlier.type) {
    case 'text_delta':
    case 'reasoning_delta':
    case 'tool_call_delta':
      return event.type === 'assistant_message';
    case 'tool_output':
      return event.type === 'tool_result' && event.callId === earlier.callId;
    case 'state':
      return event.type === 'state';
    case 'question':
      return event.type === 'question_closed' && event.id === earlier.id;
    default:
      return false;
  }
}
