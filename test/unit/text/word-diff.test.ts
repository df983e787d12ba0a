import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangedPart, diffRowWords, diffWords } from '../../../src/text/diff/word-diff.ts';
import { propertySettings } from '../../support/random/property.ts';

/** The parts as text, with the changed ones in brackets. */
function marked(parts: readonly ChangedPart[] | undefined): string | undefined {
  return parts?.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
}

describe('the words that differ', () => {
  it.each([
    ['const a = 1;', 'const a = 2;', 'const a = [1];', 'const a = [2];'],
    ['one two three', 'one three', 'one [two ]three', 'one three'],
    ['run(a)', 'await run(a, b)', 'run(a)', '[await ]run(a[, b])'],
    ['žluťoučký kůň', 'žluťoučký pes', 'žluťoučký [kůň]', 'žluťoučký [pes]'],
    ['same', 'same', 'same', 'same'],
  ])('of %j and %j', (before, after, left, right) => {
    const changes = diffWords(before, after);
    expect([marked(changes?.before), marked(changes?.after)]).toEqual([left, right]);
  });

  it.each([
    ['one two', 'three four'],
    ['', 'new'],
    ['a'.repeat(20_001), 'a'.repeat(20_001)],
  ])('are not marked in texts that are long or have little in common', (before, after) => {
    expect(diffWords(before, after)).toBeUndefined();
  });

  it('add up to both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'bc', ' ', '\n', '  ', '(', '日本', '👩🏽‍💻'), { maxLength: 20 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [before, after] = [left.join(''), right.join('')];
        const changes = diffWords(before, after);
        if (changes === undefined) return;
        expect(changes.before.map((part) => part.text).join('')).toBe(before);
        expect(changes.after.map((part) => part.text).join('')).toBe(after);
        const same = (parts: readonly ChangedPart[]) =>
          parts.flatMap((part) => (part.changed ? [] : part.text)).join('');
        expect(same(changes.before)).toBe(same(changes.after));
      }),
      propertySettings(50),
    );
  });
});

describe('the rows of a unified diff', () => {
  it('mark the words that the replaced rows do not have', () => {
    const rows = [
      '--- a/x',
      '+++ b/x',
      '@@ -1,5 +1,5 @@',
      ' kept',
      '-const a = 1;',
      '-same end',
      '+const a = 2;',
      '+same end',
      '-gone',
    ];
    expect(diffRowWords(rows).map(marked)).toEqual([
      '--- a/x',
      '+++ b/x',
      '@@ -1,5 +1,5 @@',
      ' kept',
      '-const a = [1];',
      '-same end',
      '+const a = [2];',
      '+same end',
      '-gone',
    ]);
  });

  it('have no marks in the names of a second file', () => {
    const rows = ['@@ -1 +0,0 @@', '-gone', '--- a/file', '+++ b/file', '@@ -1 +1 @@', '--- a', '+-- b'];
    expect(diffRowWords(rows).map(marked)).toEqual([...rows.slice(0, 5), '--- [a]', '+-- [b]']);
  });

  it('are each read once where nothing is replaced', () => {
    let reads = 0;
    const added = new Proxy(
      Array.from({ length: 1000 }, () => '+a'),
      {
        get(rows, key, receiver) {
          reads += 1;
          return Reflect.get(rows, key, receiver);
        },
      },
    );
    expect(diffRowWords(added)).toHaveLength(1000);
    expect(reads).toBeLessThan(30_000);
  });

  it('keep their texts', () => {
    const row = fc.tuple(
      fc.constantFrom('@@', '-', '+', ' ', '\\', '---', '+++'),
      fc.constantFrom('', 'a b', 'a c', 'x y z'),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (parts) => {
        const rows = parts.map((part) => part.join(''));
        expect(diffRowWords(rows).map((row) => row.map(({ text }) => text).join(''))).toEqual(rows);
      }),
      propertySettings(50),
    );
  });
});
