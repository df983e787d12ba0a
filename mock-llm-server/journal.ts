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
  /** Undefined for a request that could not be read. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly status: number;
  /** The scenario that answered; undefined for the default response and for errors it did not ask for. */
  readonly scenario: string | undefined;
  /** Counted from 0. */
  readonly step: number | undefined;
  /** The kind of an auxiliary request. */
  readonly auxiliary: string | undefined;
  /** Why there is no answer. */
  readonly error: string | undefined;
  readonly lint: readonly string[];
  /** How the answer went wrong on purpose, and whether a step or chaos asked for it. */
  readonly fault?: string;
  /** The body of the answer. */
  readonly served: string;
}

/** A record as it is kept, with no key in it. `number` counts all records of the server, from 1. */
export interface JournalEntry extends Omit<JournalRecord, 'served'> {
  readonly number: number;
  /** `text` is the start of the body; `bytes` the length of the whole. */
  readonly served: { readonly bytes: number; readonly text: string };
}

/** What happened lately. Nothing the server answers depends on it. */
export interface Journal {
  /** Oldest first; the same list all the time. */
  readonly entries: readonly JournalEntry[];
  add(record: JournalRecord): void;
  /** Forgets the entries of one test, or all. */
  clear(testId?: string): void;
  /** How many entries have been dropped because there were too many. */
  dropped(): number;
}

const MAX_TEXT = 4096;

/** A journal that keeps the newest entries within both limits; `maxBytes` counts their JSON text, about. */
export function createJournal({ maxEntries = 1000, maxBytes = 16 * 1024 * 1024 } = {}): Journal {
  const entries: JournalEntry[] = [];
  let bytes = 0;
  let count = 0;
  let dropped = 0;
  return {
    entries,
    add(record) {
      count++;
      const entry = toEntry(record, count);
      entries.push(entry);
      bytes += sizeOf(entry);
      while (entries.length > maxEntries || bytes > maxBytes) {
        const oldest = entries.shift();
        if (oldest === undefined) break;
        bytes -= sizeOf(oldest);
        dropped++;
      }
    },
    clear(testId) {
      const kept = testId === undefined ? [] : entries.filter((entry) => entry.testId !== testId);
      entries.splice(0, entries.length, ...kept);
      bytes = kept.reduce((sum, entry) => sum + sizeOf(entry), 0);
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
    served: { bytes: Buffer.byteLength(served), text: startOf(served) },
  };
}

/** What is kept of a body. A copy: a slice of a text would hold the whole of it in memory. */
function startOf(served: string): string {
  // A little more than is kept, so that a key at the end is seen as one.
  return Buffer.from(cut(redact(served.slice(0, MAX_TEXT + 256)))).toString();
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function sizeOf({ path, model, testId, error, lint, tools, served }: JournalEntry): number {
  let characters = path.length + served.text.length;
  for (const text of [model, testId, error]) characters += text?.length ?? 0;
  for (const text of lint) characters += text.length;
  for (const name of tools) characters += name.length;
  return 400 + 2 * characters;
}
