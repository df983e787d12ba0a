import { describe, expect, it } from 'vitest';
import { createSimilarityIndex, findNearestLine } from '../../../../mock-llm-server/matching/similarity.ts';

const TRIGGERS = [
  'write a poem',
  'fix the failing test',
  '/translate (?<what>.+) to French/i',
  '!!!',
  '修复测试',
] as const;

describe('createSimilarityIndex', () => {
  it.each<readonly [string, readonly string[], (typeof TRIGGERS)[number]]>([
    ['a typing error', ['fix the faling test'], 'fix the failing test'],
    ['other words between', ['fix my failing unit test'], 'fix the failing test'],
    ['another case', ['FIX THE TEST'], 'fix the failing test'],
    ['a near text before a far one', ['fix the failing tests!', 'thanks a lot'], 'fix the failing test'],
    ['a regular expression', ['translate this into french'], '/translate (?<what>.+) to French/i'],
    ['another script', ['请修复这个测试'], '修复测试'],
    ['a text without letters', ['!!!'], 'write a poem'],
    ['a text that is not similar', ['xyz'], 'write a poem'],
    ['no text', [], 'write a poem'],
  ])('finds the nearest text for %s', (_name, searched, expected) => {
    const nearest = createSimilarityIndex(TRIGGERS)(searched);
    expect(TRIGGERS[nearest.index]).toBe(expected);
  });

  it.each<readonly [readonly string[], boolean]>([
    [['nope', 'my tests'], true],
    [['nope', 'FIXED'], true],
    [['nope', '?'], false],
    [[], false],
  ])('reports for %j whether it shares anything with "fix the test": %s', (searched, expected) => {
    expect(createSimilarityIndex(['fix the test'])(searched).share > 0).toBe(expected);
  });

  it('finds one of 2000 texts by its rare part', () => {
    const texts = Array.from({ length: 2000 }, (_, number) => `please do number ${number} of them`);
    const findNearest = createSimilarityIndex(texts);
    expect(findNearest(['plese do numbr 1391 of thm']).index).toBe(1391);
    expect(findNearest(['please do numbr of them']).share).toBeGreaterThan(0.5);
  });
});

it('findNearestLine prefers the line with the greatest share of a text', () => {
  expect(findNearestLine(['date', 'write me a poem', 'thanks'], 'write a poem')).toBe('write me a poem');
  expect(findNearestLine(['date', 'xyz'], 'fix it')).toBe('date');
  expect(findNearestLine([], 'fix it')).toBeUndefined();
});
