import type { Protocol } from './conversation.ts';
import { redact } from './redact.ts';

/** A request and what became of it. */
export interface JournalRecord {
  /** What the client says in the header `x-test-id`. */
  readonly testId: string | undefined;
  readonly protocol: Protocol;
  readonly method: string;
  /** Without its query, which may hold a key. */
  readonly path: string;
  readonly model: string | undefined;
  readonly stream: boolean;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly status: number;
  /** Where the answer comes from: a scenario, or the kind of an auxiliary request. */
  readonly scenario: string | undefined;
  readonly step: number | undefined;
  readonly auxiliary: string | undefined;
  /** Why there is no answer. */
  readonly error: string | undefined;
  readonly lint: readonly string[];
  /** The body of the answer. */
  readonly served: string;
}

/** A record as it is kept. `number` counts all records of the server, from 1. */
export interface JournalEntry extends Omit<JournalRecord, 'served'> {
  readonly number: number;
  /** `text` is the start of the body; `bytes` the length of the whole. */
  readonly served: { readonly bytes: number; readonly text: string };
}

/** What happened lately. Nothing the server answers depends on it. */
export interface Journal {
  add(record: JournalRecord): void;
  /** Oldest first; of one test only where its id is given. */
  entries(testId?: string): readonly JournalEntry[];
  clear(testId?: string): void;
  /** How many entries have been dropped because there were too many. */
  dropped(): number;
}

const MAX_TEXT = 4096;

/** A journal that keeps the newest entries within both limits; `maxBytes` counts their JSON text, about. */
export function createJournal({ maxEntries = 1000, maxBytes = 16 * 1024 * 1024 } = {}): Journal {
  let kept: { readonly entry: JournalEntry; readonly bytes: number }[] = [];
  let start = 0;
  let bytes = 0;
  let count = 0;
  let dropped = 0;
  const live = () => (start === 0 ? kept : kept.slice(start));
  return {
    add(record) {
      count++;
      const entry = toEntry(record, count);
      const size = sizeOf(entry);
      kept.push({ entry, bytes: size });
      bytes += size;
      while (kept.length - start > maxEntries || (bytes > maxBytes && kept.length > start)) {
        bytes -= kept[start]?.bytes ?? 0;
        start++;
        dropped++;
      }
      // Moved seldom, so that dropping one costs nothing.
      if (start > maxEntries) {
        kept = live();
        start = 0;
      }
    },
    entries: (testId) =>
      live().flatMap(({ entry }) => (testId === undefined || entry.testId === testId ? [entry] : [])),
    clear(testId) {
      kept = testId === undefined ? [] : live().filter(({ entry }) => entry.testId !== testId);
      start = 0;
      bytes = kept.reduce((sum, { bytes: size }) => sum + size, 0);
    },
    dropped: () => dropped,
  };
}

function toEntry({ served, ...record }: JournalRecord, number: number): JournalEntry {
  return {
    number,
    ...record,
    path: cut(redact(record.path)),
    model: record.model === undefined ? undefined : cut(record.model),
    testId: record.testId === undefined ? undefined : cut(record.testId),
    error: record.error === undefined ? undefined : cut(redact(record.error)),
    lint: record.lint.slice(0, 20).map((finding) => cut(redact(finding))),
    // A little more than is kept, so that a key at the end is seen as one.
    served: { bytes: Buffer.byteLength(served), text: cut(redact(served.slice(0, MAX_TEXT + 256))) },
  };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function sizeOf({ path, model, testId, error, lint, tools, served }: JournalEntry): number {
  const texts = [path, model, testId, error, served.text, ...lint, ...tools];
  return texts.reduce((sum, text) => sum + 2 * (text?.length ?? 0), 400);
}
