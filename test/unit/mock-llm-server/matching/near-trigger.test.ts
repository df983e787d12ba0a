import { expect, it } from 'vitest';
import { findNearestTrigger, isAlike, lastOf } from '../../../../mock-llm-server/matching/explain-miss.ts';
import { scenarioSet, steps } from '../builders.ts';

const { scenarios } = scenarioSet({
  scenarios: [
    { name: 'first', trigger: 'write a poem', steps: steps() },
    { name: 'fix', trigger: 'fix the failing test', steps: steps() },
    { name: 'regex', trigger: { regex: 'translate (?<what>.+) to French' }, steps: steps() },
    { name: 'signs', trigger: '!!!', steps: steps() },
    { name: 'chinese', trigger: '修复测试', steps: steps() },
  ],
});

it.each([
  ['a typing error', ['fix the faling test'], 'fix'],
  ['other words between', ['fix my failing unit test'], 'fix'],
  ['a near text before a far one', ['fix the failing tests!', 'thanks a lot'], 'fix'],
  ['a regular expression', ['translate this into french'], 'regex'],
  ['another script', ['请修复这个测试'], 'chinese'],
  ['nothing alike: the first', ['xyz'], 'first'],
  ['no text: the first', [], 'first'],
])('%s', (_name, texts, expected) => {
  expect(findNearestTrigger(texts, scenarios)?.name).toBe(expected);
});

it.each([
  [['nope', 'my tests'], true],
  [['nope', 'FIXED'], true],
  [['nope', '?'], false],
  [[], false],
])('%j is like "fix the test": %s', (texts, expected) => {
  expect(isAlike(texts, 'fix the test')).toBe(expected);
});

it('has nothing to name without scenarios', () => {
  expect(findNearestTrigger(['fix'], [])).toBeUndefined();
});

it('looks at no more than a person would', () => {
  const long = 'x'.repeat(15_000);
  expect(lastOf(['first', `fix the test ${long}`, `${long}!`])).toEqual(['x'.repeat(4999), `${long}!`]);
  expect(lastOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(findNearestTrigger(['fix the failing test', long, `${long} write a`], scenarios)?.name).toBe('first');
});
