import { expect, it } from 'vitest';
import { editDistance, nearestName, nearestNames } from '../../../src/text/closest-match.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['same', 'same', 0],
  ['😀', '😁', 1],
])('from %j to %j it takes %i changes', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

it.each([
  ['reed_file', ['read_file', 'edit_file', 'run_shell'], ['read_file', 'edit_file']],
  ['README', ['readme', 'readme.md', 'src'], ['readme', 'readme.md']],
  ['a', ['a', 'b', 'abcdef'], []],
  ['ab', ['ac', 'ad', 'ae', 'af'], ['ac', 'ad', 'ae']],
  ['x', [], []],
])('near to %j among %j are %j', (name, known, expected) => {
  expect(nearestNames(name, known, 3)).toEqual(expected);
});

it.each([
  ['help', ['help', 'helpx'], 'help'],
  ['halp', ['help', 'quit'], 'help'],
  ['zzzz', ['help', 'quit'], undefined],
])('nearest to %j among %j is %j', (name, known, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});
