import type { Conversation, Protocol } from '../conversation/conversation.ts';
import type { PromptDrift } from '../scenario/format/prompt-lock.ts';
import type { Redact } from './redact.ts';

/** The parts of a request that explain its answer, each cut to its start. */
export interface RequestExcerpt {
  /** Number of messages. */
  readonly messages: number;
  /** Start of the first system text. */
  readonly system: string;
  /** The last texts of the user: those after the last answer, or else those before it. */
  readonly user: readonly string[];
  /** The last tool results after the last answer. */
  readonly results: readonly string[];
  /** Start of a body that could not be read. */
  readonly body?: string;
}

/** A request and its answer, as the journal keeps them. It holds no key. */
export interface JournalRecord {
  /** Value of the header `x-test-id`. */
  readonly testId: string | undefined;
  readonly protocol: Protocol;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  /** Undefined if the request could not be read. */
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly request: RequestExcerpt;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly status: number;
  /** Name of the scenario that answered; undefined for the default response and for errors that no step asked for. */
  readonly scenario: string | undefined;
  /** Counted from 0. */
  readonly step: number | undefined;
  /** Kind of an auxiliary request. */
  readonly auxiliary: string | undefined;
  /** Message of an error. */
  readonly error: string | undefined;
  /** Messages of the linter. */
  readonly lint: readonly string[];
  /** Changes that the request made to the answer of its step, such as a cut at a limit; undefined if there are none. */
  readonly notes?: readonly string[] | undefined;
  /** The injected fault, and whether a step or chaos asked for it. */
  readonly fault?: string | undefined;
  /** The parts of the prompt that differ from the lock of the scenario; undefined if there are none. */
  readonly drift?: readonly PromptDrift[] | undefined;
  /** Body of the answer: its full length, and its start. */
  readonly served: { readonly bytes: number; readonly text: string };
}

/** A record in the journal. `number` counts all records of the server, from 1. */
export interface JournalEntry extends JournalRecord {
  readonly number: number;
}

/** The latest requests and their answers. No answer depends on it. */
export interface Journal {
  /** Oldest first. A live list: always the same array. */
  readonly entries: readonly JournalEntry[];
  /** Adds a record, redacted and cut. */
  add(record: JournalRecord, redact: Redact): void;
  /** True if a step answered a request since the journal was created or cleared, even if its entry was dropped. */
  isUsed(scenario: string, step: number): boolean;
  /** Removes the entries of one test, or all entries and the record of used steps. */
  clear(testId?: string): void;
  /** Number of entries that were dropped to keep within the limits. */
  dropped(): number;
  /** Number of prompt parts that drifted since the journal was created or cleared, even if their entries were dropped. */
  drifted(): number;
}

const NO_DRIFT: readonly PromptDrift[] = [];

/** Providers accept 128 tools with names of at most 128 characters. */
const MAX_TOOLS = 128;
const MAX_NAME = 128;
const MAX_FINDINGS = 20;
/** A prompt is usually one of the last texts, beside reminders and other context that the client adds. */
const MAX_USER_TEXTS = 4;
const MAX_RESULTS = 2;
/** Maximum length of a text of the user, of a body that could not be read, and of other texts of a request. */
const MAX_EXCERPT = 1000;
const MAX_SHORT_EXCERPT = 250;

/** Creates a journal of the newest entries within both limits, at least one. `maxBytes` is compared to an estimate. */
export function createJournal({ maxEntries = 1000, maxBytes = 16 * 1024 * 1024 } = {}): Journal {
  const entries: JournalEntry[] = [];
  let bytes = 0;
  let count = 0;
  let dropped = 0;
  let drifted = 0;
  const used = new Map<string, Set<number>>();
  const markUsed = ({ scenario, step }: JournalRecord) => {
    if (scenario === undefined || step === undefined) return;
    const steps = used.get(scenario);
    if (steps === undefined) used.set(scenario, new Set([step]));
    else steps.add(step);
  };
  return {
    entries,
    isUsed: (scenario, step) => used.get(scenario)?.has(step) ?? false,
    add(record, redact) {
      count++;
      markUsed(record);
      drifted += record.drift?.length ?? 0;
      const entry = entryOf(count, record, redact);
      entries.push(entry);
      bytes += sizeOf(entry);
      while (entries.length > 1 && (entries.length > maxEntries || bytes > maxBytes)) {
        const oldest = entries.shift();
        if (oldest !== undefined) bytes -= sizeOf(oldest);
        dropped++;
      }
    },
    clear(testId) {
      if (testId === undefined) {
        used.clear();
        drifted = 0;
      }
      const kept = testId === undefined ? [] : entries.filter((entry) => entry.testId !== testId);
      entries.splice(0, entries.length, ...kept);
      bytes = kept.reduce((sum, entry) => sum + sizeOf(entry), 0);
    },
    dropped: () => dropped,
    drifted: () => drifted,
  };
}

/** The excerpt of a request, not yet redacted and cut; of its `body` if it has no conversation. */
export function excerptOf(conversation: Conversation | undefined, body: string): RequestExcerpt {
  if (conversation === undefined) {
    return { messages: 0, system: '', user: [], results: [], ...(body !== '' && { body }) };
  }
  const { messages, system } = conversation;
  const user: string[] = [];
  const results: string[] = [];
  let isAfterAnswer = true;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== 'user') {
      if (user.length > 0) break;
      isAfterAnswer = false;
      continue;
    }
    for (let number = message.parts.length - 1; number >= 0; number--) {
      const part = message.parts[number];
      if (part?.type === 'text' && user.length < MAX_USER_TEXTS) user.unshift(part.text);
      if (part?.type === 'tool_result' && isAfterAnswer && results.length < MAX_RESULTS) results.unshift(part.content);
    }
  }
  return { messages: messages.length, system: system[0] ?? '', user, results };
}

/** The texts of a record that may hold a key. */
export function textsOf(record: JournalRecord) {
  const {
    testId = '',
    path,
    model = '',
    tools,
    error = '',
    lint,
    notes = [],
    drift = NO_DRIFT,
    served,
    request,
  } = record;
  const { system, user, results, body = '' } = request;
  return {
    texts: [testId, path, model, ...tools, error, ...lint, ...notes, ...drift.flatMap(driftTexts), served.text],
    excerpts: [
      { texts: [...user, body], length: MAX_EXCERPT },
      { texts: [system, ...results], length: MAX_SHORT_EXCERPT },
    ],
  };
}

function driftTexts({ part, diff }: PromptDrift): readonly string[] {
  return [part, diff];
}

/** The redacted and cut entry of a record, in one literal: copies of so many fields would show in the time of a request. */
function entryOf(number: number, record: JournalRecord, redact: Redact): JournalEntry {
  const { testId, model, error, request, served } = record;
  return {
    number,
    testId: testId === undefined ? undefined : redact(testId),
    protocol: record.protocol,
    method: record.method,
    path: redact(record.path),
    model: model === undefined ? undefined : redact(model),
    stream: record.stream,
    request: {
      messages: request.messages,
      system: redact(request.system, MAX_SHORT_EXCERPT),
      user: request.user.map((text) => redact(text, MAX_EXCERPT)),
      results: request.results.map((text) => redact(text, MAX_SHORT_EXCERPT)),
      ...(request.body !== undefined && { body: redact(request.body, MAX_EXCERPT) }),
    },
    tools: record.tools.slice(0, MAX_TOOLS).map((name) => redact(name, MAX_NAME)),
    status: record.status,
    scenario: record.scenario,
    step: record.step,
    auxiliary: record.auxiliary,
    error: error === undefined ? undefined : redact(error),
    lint: record.lint.slice(0, MAX_FINDINGS).map((message) => redact(message)),
    notes: record.notes?.map((note) => redact(note)),
    fault: record.fault,
    drift: record.drift?.map(({ part, summary, diff }) => ({ part: redact(part), summary, diff: redact(diff) })),
    served: { bytes: served.bytes, text: redact(served.text) },
  };
}

/** An estimate of the memory of an entry, in bytes. */
function sizeOf({
  path,
  model = '',
  testId = '',
  error = '',
  lint,
  notes,
  drift = NO_DRIFT,
  tools,
  served,
  request,
}: JournalEntry): number {
  const { system, user, results, body = '' } = request;
  let characters = path.length + model.length + testId.length + error.length;
  characters += served.text.length + system.length + body.length;
  characters += lengthOf(lint) + lengthOf(tools) + lengthOf(user) + lengthOf(results);
  if (notes !== undefined) characters += lengthOf(notes);
  for (const { part, summary, diff } of drift) characters += part.length + summary.length + diff.length;
  return 400 + 2 * characters;
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
