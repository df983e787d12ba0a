import { applyPatch, diffLines } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff as diffInSteps, type UnifiedDiff } from '../../../src/text/diff/unified-diff.ts';
import { runAtOnce } from '../../../src/text/steps.ts';
import { countSteps } from '../../support/house/steps.ts';
import { propertySettings } from '../../support/random/property.ts';

function unifiedDiff(path: string, before: string | undefined, after: string): UnifiedDiff {
  return runAtOnce(diffInSteps(path, before, after));
}

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
  ['/outside/the workspace.ts', 'outside/the workspace.ts'],
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
])('the diff has bounded work when %s', (_name, before, added, removed) => {
  const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}\n`).join('');
  const diff = unifiedDiff('a', before, after);
  expect([diff.added, diff.removed]).toEqual([added, removed]);
  expect(diff.hunks.split('\n')[0]).toBe(removed === 0 ? '@@ -0,0 +1,3000 @@' : '@@ -1,3000 +1,3000 @@');
});

it('the diff for reports truncates long hunks and lines, but the diff for the user is complete', () => {
  const diff = unifiedDiff('a', undefined, `${'x'.repeat(600)}\n${'y\n'.repeat(500)}`);
  expect(diff.unified).toBe(
    `--- /dev/null\n+++ b/a\n@@ -0,0 +1,501 @@\n+${'x'.repeat(600)}\n${'+y\n'.repeat(500).trimEnd()}`,
  );
  const lines = diff.hunks.split('\n');
  expect(lines[1]).toBe(`+${'x'.repeat(500)} [… truncated: 500 of 600 characters shown]`);
  expect([lines.length, lines[267]]).toEqual([401, '[… 102 lines omitted …]']);
});

it('the diff is a patch that turns the old text into the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'dd'), { maxLength: 20 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { unified } = unifiedDiff('a', before, after);
      expect(unified === '' ? before : applyPatch(before, unified)).toBe(after);
    }),
    propertySettings(40),
  );
});

it('the diff has as few changed lines as possible', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 30 }).map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const expected = diffLines(before, after).filter(({ added, removed }) => added || removed);
      const { added, removed } = unifiedDiff('a', before, after);
      expect(added + removed).toBe(expected.reduce((sum, { count }) => sum + count, 0));
    }),
    propertySettings(40),
  );
});

it('changes that are far apart are shown in separate hunks', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
  const { hunks } = unifiedDiff('a', lines.join(''), lines.with(2, 'x\n').with(9, 'y\n').with(17, 'z\n').join(''));
  expect(hunks.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
    '@@ -1,13 +1,13 @@',
    '-2',
    '+x',
    '-9',
    '+y',
    '@@ -15,6 +15,6 @@',
    '-17',
    '+z',
  ]);
});

it('a very long diff is also truncated for the user', () => {
  const { unified, added } = unifiedDiff('a', undefined, 'a line of text\n'.repeat(70_000));
  const lines = unified.split('\n');
  expect([lines.length, lines[13_336], added]).toEqual([20_003, '[… 50001 lines omitted …]', 70_000]);
});

it('a diff with very long lines is also truncated for the user', () => {
  const lines = (letter: string) =>
    Array.from({ length: 200 }, (_, index) => `${index}${letter.repeat(3_000)}\n`).join('');
  const { unified } = unifiedDiff('a', lines('a'), lines('b'));
  expect(unified.length).toBeLessThan(500_000);
  expect(unified.split('\n')[3]).toBe(`-0${'a'.repeat(999)} [… truncated: 1000 of 3001 characters shown]`);
});

it.each<readonly [string, string, string, number, number]>([
  ['many lines', lineNumbers(101_000, ''), lineNumbers(101_000, 'x'), 101_000, 101_000],
  ['texts with more than 1,000 changed lines', lineNumbers(9_001, ''), everyThird(9_001), 9_001, 9_001],
  ['texts with 900 changed lines', lineNumbers(1_350, ''), everyThird(1_350), 450, 450],
])('the diff of %s has bounded work', (_name, before, after, added, removed) => {
  expect(unifiedDiff('a', before, after)).toMatchObject({ added, removed });
});

it('a long diff pauses in proportion to the size of the texts', () => {
  const steps = (count: number): number =>
    countSteps(diffInSteps('a', lineNumbers(count, ''), lineNumbers(count, '').replace('\n', 'x\n')));
  expect(steps(1_000)).toBe(0);
  expect(steps(20_000)).toBeGreaterThanOrEqual(3);
  expect(steps(40_000)).toBeGreaterThanOrEqual(6);
});

function lineNumbers(count: number, sign: string): string {
  return Array.from({ length: count }, (_, index) => `${index}${sign}\n`).join('');
}

function everyThird(count: number): string {
  return Array.from({ length: count }, (_, index) => (index % 3 === 0 ? `${index}x\n` : `${index}\n`)).join('');
}
