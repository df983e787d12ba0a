import { expect, it } from 'vitest';
import { compareAnswers } from '../../../../src/stories/drift/compare-answers.ts';

const answer = (content: string, ...calls: readonly string[]) => ({
  content,
  toolCalls: calls.map((call, index) => ({ id: `${index}`, name: 'read_file', arguments: call })),
});
const compare = (left: ReturnType<typeof answer>, right: ReturnType<typeof answer>) =>
  compareAnswers({ title: 'recorded', message: left }, { title: 'live', message: right }).split('\n');

it('the comparison shows two answers side by side and marks the lines that differ', () => {
  expect(compare(answer('Same.', '{"path":"a"}'), answer('Same.', '{"path":"b"}', '{}'))).toEqual([
    `recorded${' '.repeat(49)}   live`,
    `${'─'.repeat(57)}   ${'─'.repeat(57)}`,
    `Same.${' '.repeat(52)}   Same.`,
    `→ read_file {"path":"a"}${' '.repeat(33)} | → read_file {"path":"b"}`,
    `${' '.repeat(57)} | → read_file {}`,
    '',
  ]);
});

it('the comparison wraps long lines, between words if possible', () => {
  const words = 'word '.repeat(13).trim();
  const rows = compare(answer(words), answer('x'.repeat(60)));
  expect(rows.slice(2)).toEqual([
    `${'word '.repeat(11).trim()}    | ${'x'.repeat(57)}`,
    `word word${' '.repeat(48)} | xxx`,
    '',
  ]);
});

it('the comparison escapes control sequences', () => {
  expect(compare(answer('\u001b[31mred'), answer(''))[2]).toBe(`\\u{1b}[31mred${' '.repeat(44)} |`);
});
