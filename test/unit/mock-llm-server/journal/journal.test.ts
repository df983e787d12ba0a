import { describe, expect, it } from 'vitest';
import {
  createJournal,
  type Journal,
  type JournalRecord,
  prepareEntry,
} from '../../../../mock-llm-server/journal/journal.ts';

type More = Partial<Omit<JournalRecord, 'served'>> & { readonly served?: string };

const record = ({ served = 'ü', ...more }: More = {}): JournalRecord => ({
  testId: undefined,
  protocol: 'openai-chat',
  method: 'POST',
  path: '/v1/chat/completions',
  model: 'm',
  stream: false,
  tools: ['read_file'],
  status: 200,
  scenario: 'fix',
  step: 0,
  auxiliary: undefined,
  error: undefined,
  lint: [],
  served: { bytes: Buffer.byteLength(served), text: served },
  secrets: [],
  ...more,
});

const entryOf = (more?: More) => prepareEntry(record(more));

const numbersOf = ({ entries }: Journal, test: string) =>
  entries.flatMap(({ testId, number }) => (testId === test ? [number] : []));

describe('createJournal', () => {
  it('keeps what happened, numbered', () => {
    const journal = createJournal();
    journal.add(entryOf());
    journal.add(entryOf({ model: 'n' }));
    const { secrets: _secrets, ...rest } = record();
    const kept = { number: 1, ...rest };
    expect(journal.entries).toEqual([kept, { ...kept, number: 2, model: 'n' }]);
  });

  it('drops the oldest when there are too many', () => {
    const journal = createJournal({ maxEntries: 3 });
    for (let number = 0; number < 20; number++) {
      journal.add(entryOf());
      const numbers = journal.entries.map((entry) => entry.number);
      expect(numbers).toEqual([number - 1, number, number + 1].filter((each) => each > 0));
    }
    expect(journal.dropped()).toBe(17);
  });

  it('drops the oldest when they are too large, never the last', () => {
    const journal = createJournal({ maxBytes: 20_000 });
    for (let number = 0; number < 10; number++) journal.add(entryOf({ served: 'x'.repeat(4000) }));
    expect(journal.entries.map((entry) => entry.number)).toEqual([9, 10]);
    const tiny = createJournal({ maxBytes: 100 });
    tiny.add(entryOf());
    tiny.add(entryOf());
    expect(tiny.entries.map((entry) => entry.number)).toEqual([2]);
    expect(tiny.dropped()).toBe(1);
  });

  it('keeps tests apart', () => {
    const journal = createJournal({ maxEntries: 4 });
    for (const testId of ['a', 'b', undefined, 'a', 'b']) journal.add(entryOf({ testId }));
    expect(numbersOf(journal, 'a')).toEqual([4]);
    expect(numbersOf(journal, 'b')).toEqual([2, 5]);
    journal.clear('b');
    expect(journal.entries.map((entry) => entry.number)).toEqual([3, 4]);
    journal.add(entryOf());
    journal.clear();
    expect(journal.entries).toEqual([]);
    journal.add(entryOf());
    expect(journal.entries.map((entry) => entry.number)).toEqual([7]);
  });

  it('counts the bytes of what is cut', () => {
    const journal = createJournal();
    journal.add(entryOf({ served: 'ü'.repeat(20_000), error: 'e'.repeat(10_000), lint: Array(50).fill('l') }));
    const [entry] = journal.entries;
    expect(entry).toMatchObject({
      served: { bytes: 40_000, text: `${'ü'.repeat(8192)}…` },
      error: `${'e'.repeat(4096)}…`,
      lint: Array(20).fill('l'),
    });
  });

  it('keeps the start of names that are too much', () => {
    const tools = Array.from({ length: 200 }, () => 't'.repeat(1000));
    expect(entryOf({ tools }).tools).toEqual(Array(128).fill(`${'t'.repeat(64)}…`));
    expect(entryOf({ tools: ['a', 'b'] }).tools).toEqual(['a', 'b']);
  });

  it('never holds a key, not even half of one', () => {
    const key = `sk-${'0123456789abcdef'.repeat(4)}`;
    const journal = createJournal();
    for (let length = 0; length < 100; length += 3) {
      journal.add(
        entryOf({ served: `${' '.repeat(8100 + length)}${key}`, error: `${' '.repeat(4000 + length)}${key}` }),
      );
    }
    journal.add(entryOf({ path: `/v1/x?key=${key}`, error: key, lint: [key] }));
    const secrets = ['whatever:0123456789abcdef'];
    const said = `the key ${secrets[0]} is mine`;
    journal.add(entryOf({ tools: ['read_file', key, `x-${secrets[0]}`], secrets }));
    journal.add(entryOf({ served: said, error: said, model: said, testId: said, path: said, lint: [said], secrets }));
    expect(JSON.stringify(journal.entries)).not.toContain('0123456789abcdef');
  });
});
