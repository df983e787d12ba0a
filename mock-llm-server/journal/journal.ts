import type { Protocol } from '../conversation/conversation.ts';
import { redact, redactStart } from './redact.ts';

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
  /** The body of the answer; `text` is as much of it as there is to note, `bytes` the length of the whole. */
  readonly served: { readonly bytes: number; readonly text: string };
  /** The keys that the request brought. They are kept nowhere. */
  readonly secrets: readonly string[];
}

/** A record as it is kept, with no key in it and no more than the start of the body. */
export interface PreparedEntry extends Omit<JournalRecord, 'secrets'> {}

/** A record that is kept. `number` counts all records of the server, from 1. */
export interface JournalEntry extends PreparedEntry {
  readonly number: number;
}

/** What happened lately. Nothing the server answers depends on it. */
export interface Journal {
  /** Oldest first; the same list all the time. */
  readonly entries: readonly JournalEntry[];
  add(entry: PreparedEntry): void;
  /** Forgets the entries of one test, or all. */
  clear(testId?: string): void;
  /** How many entries have been dropped because there were too many. */
  dropped(): number;
}

const MAX_TEXT = 4096;
/** The most of the names of tools: providers take 128 tools with 64 characters each. */
const MAX_NAMES = 8 * 1024;
/** The most of a body: more than most answers have, so that their ends are seen, too. */
const MAX_BODY = 8 * 1024;

/** A journal that keeps the newest entries within both limits, the last always; `maxBytes` counts their JSON text, about. */
export function createJournal({ maxEntries = 1000, maxBytes = 16 * 1024 * 1024 } = {}): Journal {
  const entries: JournalEntry[] = [];
  const sizes: number[] = [];
  let bytes = 0;
  let count = 0;
  let dropped = 0;
  return {
    entries,
    add(entry) {
      count++;
      const size = sizeOf(entry);
      entries.push({ number: count, ...entry });
      sizes.push(size);
      bytes += size;
      while (entries.length > 1 && (entries.length > maxEntries || bytes > maxBytes)) {
        entries.shift();
        bytes -= sizes.shift() ?? bytes;
        dropped++;
      }
    },
    clear(testId) {
      const kept = testId === undefined ? [] : entries.filter((entry) => entry.testId !== testId);
      entries.splice(0, entries.length, ...kept);
      sizes.splice(0, sizes.length, ...kept.map(sizeOf));
      bytes = sizes.reduce((sum, size) => sum + size, 0);
    },
    dropped: () => dropped,
  };
}

/**
 * Takes out keys, and what is too long. Each field by its name, because spreading the rest costs more than all else.
 */
export function prepareEntry(record: JournalRecord): PreparedEntry {
  const { testId, model, error, lint, secrets } = record;
  const { bytes, text } = record.served;
  const clean = (text: string) => redactStart(text, MAX_TEXT, secrets);
  return {
    testId: testId === undefined ? undefined : clean(testId),
    protocol: record.protocol,
    method: record.method,
    path: clean(record.path),
    model: model === undefined ? undefined : clean(model),
    stream: record.stream,
    tools: cleanNames(record.tools, secrets),
    status: record.status,
    scenario: record.scenario,
    step: record.step,
    auxiliary: record.auxiliary,
    error: error === undefined ? undefined : clean(error),
    lint: lint.length === 0 ? lint : lint.slice(0, 20).map(clean),
    ...(record.fault !== undefined && { fault: record.fault }),
    served: { bytes, text: redactStart(text, MAX_BODY, secrets) },
  };
}

/** Together they are looked through at once; one by one only where there is something in them, or too much of them. */
function cleanNames(names: readonly string[], secrets: readonly string[]): readonly string[] {
  const all = names.join(' ');
  if (all.length <= MAX_NAMES && redact(all, secrets) === all) return names;
  return names.slice(0, 128).map((name) => redactStart(name, 64, secrets));
}

function sizeOf({ path, model, testId, error, lint, tools, served }: PreparedEntry): number {
  let characters = path.length + served.text.length;
  for (const text of [model, testId, error]) characters += text?.length ?? 0;
  for (const text of lint) characters += text.length;
  for (const name of tools) characters += name.length;
  return 400 + 2 * characters;
}
