import { describe, expect, it } from 'vitest';
import type { JournalRecord, RequestExcerpt } from '../../../../mock-llm-server/journal/entry.ts';
import { createJournal, excerptOf, type Journal, textsOf } from '../../../../mock-llm-server/journal/journal.ts';
import { createRedact } from '../../../../mock-llm-server/journal/redact.ts';
import { assistant, call, conversation, results, type TestMessage, user } from '../../../support/stories/builders.ts';

type More = Partial<Omit<JournalRecord, 'served'>> & { readonly served?: string };

const NO_TEXT: RequestExcerpt = { messages: 0, system: '', user: [], results: [] };

const recordOf = ({ served = 'ü', ...more }: More = {}): JournalRecord => ({
  testId: undefined,
  protocol: 'openai-chat',
  method: 'POST',
  path: '/v1/chat/completions',
  model: 'm',
  stream: false,
  request: NO_TEXT,
  tools: ['read_file'],
  status: 200,
  scenario: 'fix',
  step: 0,
  auxiliary: undefined,
  error: undefined,
  lint: [],
  served: { bytes: Buffer.byteLength(served), text: served },
  ...more,
});

/** Adds a record with the redaction of the server. */
const add = (journal: Journal, more: More = {}, secrets: readonly string[] = []) => {
  const record = recordOf(more);
  const { texts, excerpts } = textsOf(record);
  journal.add(record, createRedact(texts, secrets, excerpts).redact);
};

const numbersOf = ({ entries }: Journal, test: string) =>
  entries.flatMap(({ testId, number }) => (testId === test ? [number] : []));

describe('createJournal', () => {
  it('keeps records with their numbers', () => {
    const journal = createJournal();
    add(journal);
    add(journal, { model: 'n' });
    const kept = { number: 1, ...recordOf() };
    expect(journal.entries).toEqual([kept, { ...kept, number: 2, model: 'n' }]);
  });

  it('drops the oldest entries when there are too many', () => {
    const journal = createJournal({ maxEntries: 3 });
    for (let number = 0; number < 20; number++) {
      add(journal);
      const numbers = journal.entries.map((entry) => entry.number);
      expect(numbers).toEqual([number - 1, number, number + 1].filter((each) => each > 0));
    }
    expect(journal.dropped()).toBe(17);
  });

  it('drops the oldest entries when they are too large, but never the last', () => {
    const journal = createJournal({ maxBytes: 20_000 });
    for (let number = 0; number < 10; number++) add(journal, { served: 'x'.repeat(4000) });
    expect(journal.entries.map((entry) => entry.number)).toEqual([9, 10]);
    const tiny = createJournal({ maxBytes: 100 });
    add(tiny);
    add(tiny);
    expect(tiny.entries.map((entry) => entry.number)).toEqual([2]);
    expect(tiny.dropped()).toBe(1);
  });

  it('clears the entries of one test', () => {
    const journal = createJournal({ maxEntries: 4 });
    for (const testId of ['a', 'b', undefined, 'a', 'b']) add(journal, { testId });
    expect(numbersOf(journal, 'a')).toEqual([4]);
    expect(numbersOf(journal, 'b')).toEqual([2, 5]);
    journal.clear('b');
    expect(journal.entries.map((entry) => entry.number)).toEqual([3, 4]);
    add(journal);
    journal.clear();
    expect(journal.entries).toEqual([]);
    add(journal);
    expect(journal.entries.map((entry) => entry.number)).toEqual([7]);
  });

  it('cuts long texts and reports the bytes of the whole body', () => {
    const journal = createJournal();
    add(journal, { served: 'ü'.repeat(20_000), error: 'e'.repeat(10_000), lint: Array(50).fill('l') });
    const [entry] = journal.entries;
    expect(entry).toMatchObject({
      served: { bytes: 40_000, text: `${'ü'.repeat(4096)}…` },
      error: `${'e'.repeat(4096)}…`,
      lint: Array(20).fill('l'),
    });
  });

  it('cuts the names and the number of tools', () => {
    const journal = createJournal();
    add(journal, { tools: Array.from({ length: 200 }, () => 't'.repeat(1000)) });
    expect(journal.entries[0]?.tools).toEqual(Array(128).fill(`${'t'.repeat(128)}…`));
  });

  it('keeps only the start of the texts of a request, and counts them as memory', () => {
    const journal = createJournal({ maxBytes: 20_000 });
    const long = 'ü'.repeat(5000);
    for (let number = 0; number < 5; number++) {
      add(journal, { request: { messages: 3, system: long, user: [long, 'short'], results: [long], body: long } });
    }
    const [short, longer] = [`${'ü'.repeat(250)}…`, `${'ü'.repeat(1000)}…`];
    expect(journal.entries.at(-1)?.request).toEqual({
      messages: 3,
      system: short,
      user: [longer, 'short'],
      results: [short],
      body: longer,
    });
    expect(journal.entries.length).toBeLessThan(5);
  });
});

describe('excerptOf', () => {
  const prompt = user('first');
  const history = [prompt, assistant(call('a')), results(['a'])];
  const without = { system: '', user: [], results: [] };
  it.each<readonly [string, readonly TestMessage[], Partial<RequestExcerpt>]>([
    ['the texts of a prompt', [user('context', 'prompt')], { user: ['context', 'prompt'] }],
    ['the last prompt', [prompt, assistant('answer'), user('second')], { user: ['second'] }],
    ['the prompt before the results of its calls', history, { user: ['first'], results: ['ok'] }],
    ['the last results only', [...history, assistant(call('b')), results(['b'])], { user: ['first'], results: ['ok'] }],
    [
      'the text beside results',
      [prompt, assistant(call('a')), results(['a'], ['more'])],
      { user: ['more'], results: ['ok'] },
    ],
    ['the last of many texts', [user('1', '2', '3'), user('4', '5')], { user: ['2', '3', '4', '5'] }],
    [
      'the last of many results',
      [prompt, assistant(call('a'), call('b'), call('c')), results(['a', 'b', 'c'])],
      { user: ['first'], results: ['ok', 'ok'] },
    ],
    ['nothing of a request without messages', [], {}],
  ])('has %s', (_name, messages, expected) => {
    const excerpt = excerptOf(conversation(...messages), 'the body');
    expect(excerpt).toEqual({ ...without, messages: messages.length, ...expected });
  });

  it('has the system text, and the body of a request that could not be read', () => {
    expect(excerptOf({ ...conversation(prompt), system: ['Be kind.', 'x'] }, '')).toMatchObject({ system: 'Be kind.' });
    expect(excerptOf(undefined, '{"messages":')).toEqual({ ...without, messages: 0, body: '{"messages":' });
    expect(excerptOf(undefined, '')).toEqual({ ...without, messages: 0 });
  });
});
