import type { Conversation } from '../conversation/conversation.ts';
import type { PromptDrift } from '../scenario/lock/prompt-lock.ts';
import type { AnsweredCall, JournalEntry, JournalRecord, RequestExcerpt, RequestTrace } from './entry.ts';
import type { Redact } from './redact.ts';
import { createTallies, markUsed, type Tally } from './tally.ts';

/** The latest requests and their answers. No answer depends on it. */
export interface Journal {
  /** Oldest first. A live list: always the same array. */
  readonly entries: readonly JournalEntry[];
  /** The trace of each entry, at its index; undefined for a request that could not be read. A live list, too. */
  readonly traces: readonly (RequestTrace | undefined)[];
  add(record: JournalRecord, redact: Redact, trace?: RequestTrace): void;
  /** True if a step answered a request since the journal was created or cleared, even if its entry was dropped. */
  isUsed(scenario: string, step: number): boolean;
  /** Removes the entries of one test, or all entries and the record of used steps. */
  clear(testId?: string): void;
  /** Number of entries that were dropped to keep within the limits. */
  dropped(): number;
  /** Number of prompt parts that drifted since the journal was created or cleared, even if their entries were dropped. */
  drifted(): number;
  /** Counts of the dropped entries of one test, or of all, since they were last cleared. */
  droppedTally(testId?: string): Tally;
}

const NO_DRIFT: readonly PromptDrift[] = [];
const NO_TEXTS: readonly string[] = [];

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
/** Maximum number of calls and of unmet expectations of an entry. */
const MAX_CALLS = 64;

/** Creates a journal of the newest entries within both limits, at least one. `maxBytes` is compared to an estimate. */
export function createJournal({ maxEntries = 1000, maxBytes = 16 * 1024 * 1024 } = {}): Journal {
  const entries: JournalEntry[] = [];
  const traces: (RequestTrace | undefined)[] = [];
  let bytes = 0;
  let count = 0;
  let dropped = 0;
  let drifted = 0;
  const used = new Map<string, Set<number>>();
  const tallies = createTallies();
  return {
    entries,
    traces,
    isUsed: (scenario, step) => used.get(scenario)?.has(step) ?? false,
    add(record, redact, trace) {
      count++;
      markUsed(used, record);
      drifted += record.drift?.length ?? 0;
      const entry = entryOf(count, record, redact);
      entries.push(entry);
      traces.push(trace);
      bytes += sizeOf(entry, trace);
      while (entries.length > 1 && (entries.length > maxEntries || bytes > maxBytes)) {
        const oldest = entries.shift();
        const oldestTrace = traces.shift();
        if (oldest === undefined) break;
        bytes -= sizeOf(oldest, oldestTrace);
        tallies.add(oldest);
        dropped++;
      }
    },
    clear(testId) {
      tallies.clear(testId);
      if (testId === undefined) {
        used.clear();
        drifted = 0;
      }
      const keeps = (entry: JournalEntry | undefined) => testId !== undefined && entry?.testId !== testId;
      const keptTraces = traces.filter((_trace, index) => keeps(entries[index]));
      traces.splice(0, traces.length, ...keptTraces);
      entries.splice(0, entries.length, ...entries.filter(keeps));
      bytes = entries.reduce((sum, entry, index) => sum + sizeOf(entry, traces[index]), 0);
    },
    dropped: () => dropped,
    drifted: () => drifted,
    droppedTally: (testId) => tallies.of(testId),
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
    calls = [],
    unmet = [],
    error = '',
    notes = [],
    drift = NO_DRIFT,
  } = record;
  const { system, user, results, body = '' } = record.request;
  const found = unmet.map((each) => each.found);
  const drifted = drift.flatMap(({ part, diff }) => [part, diff]);
  return {
    texts: [testId, path, model, ...tools, ...found, error, ...record.lint, ...notes, ...drifted, record.served.text],
    excerpts: [
      { texts: [...user, body, ...calls.map((call) => call.arguments)], length: MAX_EXCERPT },
      { texts: [system, ...results], length: MAX_SHORT_EXCERPT },
    ],
  };
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
    service: record.service,
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
    calls: record.calls?.slice(0, MAX_CALLS).map((call) => callOf(call, redact)),
    unmet: record.unmet?.slice(0, MAX_CALLS).map((each) => ({ ...each, found: redact(each.found) })),
    error: error === undefined ? undefined : redact(error),
    code: record.code,
    rule: record.rule,
    pastEnd: record.pastEnd,
    lint: record.lint.slice(0, MAX_FINDINGS).map((message) => redact(message)),
    history: record.history?.slice(0, MAX_FINDINGS).map((message) => redact(message)),
    notes: record.notes?.map((note) => redact(note)),
    fault: record.fault,
    drift: record.drift?.map(({ part, summary, diff }) => ({ part: redact(part), summary, diff: redact(diff) })),
    served: { bytes: served.bytes, text: redact(served.text) },
  };
}

function callOf({ id, name, arguments: text }: AnsweredCall, redact: Redact): AnsweredCall {
  return { id, name: redact(name, MAX_NAME), arguments: redact(text, MAX_EXCERPT) };
}

/** An estimate of the memory of an entry, in bytes. */
function sizeOf(entry: JournalEntry, trace: RequestTrace | undefined): number {
  const { path, model = '', testId = '', error = '', lint, notes = NO_TEXTS, drift = NO_DRIFT, tools, served } = entry;
  const { system, user, results, body = '' } = entry.request;
  let characters = path.length + model.length + testId.length + error.length;
  characters += served.text.length + system.length + body.length;
  characters += lengthOf(lint) + lengthOf(tools) + lengthOf(user) + lengthOf(results) + lengthOf(notes);
  for (const { part, summary, diff } of drift) characters += part.length + summary.length + diff.length;
  const outlineBytes = trace === undefined ? 0 : 150 + trace.outline.parts.byteLength;
  return 400 + 2 * characters + outlineBytes;
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
