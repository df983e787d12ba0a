import { describe, expect, it } from 'vitest';
import {
  countOf,
  cutText,
  decodePercent,
  errorText,
  escapeControls,
  headerText,
  shortTitle,
  startOfText,
  trimEndOf,
} from '../../../mock-llm-server/text.ts';

it('countOf uses the singular for 1', () => {
  expect([0, 1, 2].map((number) => countOf(number, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});

describe('startOfText and cutText', () => {
  it.each([
    ['', 3, ''],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['🙂🙂🙂', 3, '🙂🙂🙂'],
    ['a🙂🙂🙂', 3, 'a🙂🙂'],
    ['é'.repeat(100), 2, 'éé'],
  ])('cut %j at %i characters: %j', (text, length, start) => {
    expect(startOfText(text, length)).toBe(start);
    expect(cutText(text, length)).toBe(start === text ? text : `${start}…`);
  });
});

it.each([
  [[], ''],
  [['a', 'b'], 'a, b'],
  [['a'.repeat(1997), 'b'], `${'a'.repeat(1997)}, b`.slice(0, 2000)],
  [['a'.repeat(1998), 'b', 'c'], `${'a'.repeat(1998)}, 2 more`],
  [['a'.repeat(2001), 'b'], '2 more'],
])('headerText keeps the parts that fit, and counts the others (%#)', (parts, expected) => {
  expect(headerText(parts, ', ')).toBe(expected);
});

it('errorText returns the message of an error and the text of any other thrown value', () => {
  expect([new Error('no disk'), 'no disk', undefined].map(errorText)).toEqual(['no disk', 'no disk', 'undefined']);
});

it('escapeControls escapes the characters that would end a line of a log', () => {
  expect(escapeControls('a\nb\u2028\u0007é')).toBe('a\\u{a}b\\u{2028}\\u{7}é');
});

it('decodePercent does not change a broken encoding', () => {
  expect(['a%20b', '100%', '%ff'].map(decodePercent)).toEqual(['a b', '100%', '%ff']);
});

describe('trimEndOf', () => {
  it.each([
    ['a/b//', '/', 'a/b'],
    ['a. ,', ' .,', 'a'],
    ['a', '/', 'a'],
    ['//', '/', ''],
    ['', '/', ''],
  ])('trims %j by %j', (text, characters, expected) => {
    expect(trimEndOf(text, characters)).toBe(expected);
  });
});

describe('shortTitle', () => {
  it.each([
    ['a few words', 'Fix it.', 'Fix it'],
    ['many words', 'one two three four five six seven', 'one two three four five six'],
    ['long words', `${'a'.repeat(30)} ${'b'.repeat(30)}`, `${'a'.repeat(30)} ${'b'.repeat(19)}`],
    ['markup and quotes', '<reminder>"Hello, <b>World</b>!"', 'Hello World'],
    ['paths', 'read src/a-b.ts...', 'read src/a-b.ts'],
    ['no spaces', '修复登录表单', '修复登录表单'],
    ['nothing', '', 'Mock session'],
    ['signs', '🙂 !!', 'Mock session'],
  ])('makes a title of %s', (_name, text, expected) => {
    expect(shortTitle(text)).toBe(expected);
  });
});
