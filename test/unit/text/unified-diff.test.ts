import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/text/unified-diff.ts';
import { propertySettings } from '../../support/property.ts';

const NO_NEWLINE = '\\ No newline at end of file';

it.each<readonly [string, string | undefined, string, readonly string[]]>([
  ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', ['@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c']],
  ['a new file', undefined, 'a\n', ['@@ -0,0 +1,1 @@', '+a']],
  ['an emptied file', 'a\n', '', ['@@ -1,1 +0,0 @@', '-a']],
  ['a removed final newline', 'a\n', 'a', ['@@ -1,1 +1,1 @@', '-a', '+a', NO_NEWLINE]],
  ['an added final newline', 'a', 'a\n', ['@@ -1,1 +1,1 @@', '-a', NO_NEWLINE, '+a']],
  ['unchanged CRLF line endings', 'a\r\nb\r\n', 'a\r\nc\r\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c']],
  ['LF replaced by CRLF', 'a\nb\n', 'a\r\nb\r\n', ['@@ -1,2 +1,2 @@', '-a', '-b', '+a␍', '+b␍']],
  ['mixed line endings', 'a\r\nb\n', 'a\r\nc\n', ['@@ -1,2 +1,2 @@', ' a␍', '-b', '+c']],
  ['a CR within a line', 'a\rb\n', 'a\rc\n', ['@@ -1,1 +1,1 @@', '-a\rb', '+a\rc']],
])('the diff shows %s', (_name, before, after, hunk) => {
  const diff = unifiedDiff('src/a.ts', before, after);
  expect(diff.hunks.split('\n')).toEqual(hunk);
  const from = before === undefined ? '/dev/null' : 'a/src/a.ts';
  expect(diff.unified.split('\n')).toEqual([`--- ${from}`, '+++ b/src/a.ts', ...hunk]);
  expect(diff.added).toBe(hunk.filter((line) => line.startsWith('+')).length);
  expect(diff.removed).toBe(hunk.filter((line) => line.startsWith('-')).length);
});

it.each([
  ['src/žluťoučký 日本語.ts', 'src/žluťoučký 日本語.ts'],
  ['two words.ts', 'two words.ts'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['a\n+++ b/c', '"a\\n+++ b/c"'],
])('the header of the diff of %j is readable and stays on one line', (path, shown) => {
  const quoted = (side: string) => (shown.startsWith('"') ? `"${side}/${shown.slice(1)}` : `${side}/${shown}`);
  const { unified } = unifiedDiff(path, 'old\n', 'new\n');
  expect(unified.split('\n').slice(0, 2)).toEqual([`--- ${quoted('a')}`, `+++ ${quoted('b')}`]);
});

it('the diff of equal texts is empty', () => {
  expect(unifiedDiff('a', 'x\n', 'x\n')).toEqual({ path: 'a', unified: '', hunks: '', added: 0, removed: 0 });
});

it.each<readonly [string, string | undefined, number, number]>([
  ['everything changes', Array.from({ length: 3_000 }, (_, index) => `old ${index}`).join('\n'), 3_000, 3_000],
  ['a large file is new', undefined, 3_000, 0],
])('the diff is fast when %s', (_name, before, added, removed) => {
  const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}\n`).join('');
  const diff = unifiedDiff('a', before, after);
  expect([diff.added, diff.removed]).toEqual([added, removed]);
  expect(diff.hunks.split('\n')[0]).toBe(removed === 0 ? '@@ -0,0 +1,3000 @@' : '@@ -1,3000 +1,3000 @@');
});

it('the diff for reports truncates long hunks and lines, but the diff for people is complete', () => {
  const diff = unifiedDiff('a', undefined, `${'x'.repeat(600)}\n${'y\n'.repeat(500)}`);
  expect(diff.unified).toBe(
    `--- /dev/null\n+++ b/a\n@@ -0,0 +1,501 @@\n+${'x'.repeat(600)}\n${'+y\n'.repeat(500).trimEnd()}`,
  );
  const lines = diff.hunks.split('\n');
  expect(lines[1]).toBe(`+${'x'.repeat(499)} [… truncated: 500 of 601 characters shown]`);
  expect([lines.length, lines[267]]).toEqual([401, '[… 102 lines omitted …]']);
});

it('the diff is a patch that turns the old text into the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'dd'), { maxLength: 20 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { unified } = unifiedDiff('a', before, after);
      expect(unified === '' ? before : applyPatch(before, unified)).toBe(after);
    }),
    propertySettings(),
  );
});
