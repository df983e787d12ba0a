import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instanceOfPattern } from '../../../../../mock-llm-server/reply/schema/pattern-instance.ts';
import { propertySettings } from '../../../../support/property.ts';

it.each([
  ['^\\d{4}-\\d{2}$', '0000-00'],
  ['^[A-Z]{3}-\\d{4}$', 'AAA-0000'],
  ['^[a-z]+-[a-z]+$', 'a-a'],
  ['^#[0-9a-fA-F]{6}$', '#aaaaaa'],
  ['^(foo|bar)(?:baz)?$', 'foo'],
  ['^https?://[^/]+/$', 'http://a/'],
  ['^(?<year>\\d+)\\.\\w*$', '0.'],
  ['^v?(\\d+\\.){2}\\d+$', '0.0.0'],
  ['^[^a-zA-Z\\]]$', '0'],
  ['^[一-龥]+$', '漢'],
  ['^[αβ]$', 'α'],
  ['^\\p{Lu}\\P{L}\\s\\S$', 'A0 a'],
  ['^\\x41\\u0042\\u{43}\\t\\/$', 'ABC\t/'],
  ['^a{2,}b{0,3}c{1,2}?$', 'aac'],
  ['^{$', '{'],
  ['a\\b', 'a'],
  ['^(?!x)a(?<!b)$', 'a'],
  ['^[\\w-.]$', 'a'],
  ['^$', ''],
  ['^🙂$', '🙂'],
  ['^(a{999999999})*b$', 'b'],
])('%s', (pattern, expected) => {
  expect(instanceOfPattern(pattern)).toBe(expected);
  expect(expected).toMatch(new RegExp(pattern, pattern === '^[\\w-.]$' || pattern === '^{$' ? '' : 'u'));
});

it.each([
  ['^[a-z]+$', 5, 'aaaaa'],
  ['^x(ab)*y$', 5, 'xababy'],
  ['^a?b?c{0,9}$', 4, 'abcc'],
  ['^abc$', 5, 'abc'],
  ['a', 3, 'a..'],
  ['^(((a{999}){999}){999})*b$', 3, 'b'],
  [`^(${'('.repeat(40)}a${'{999999999})'.repeat(40)})*b+$`, 3, 'bbb'],
])('%s with at least %i characters', (pattern, least, expected) => {
  expect(instanceOfPattern(pattern, least)).toBe(expected);
});

it.each([
  ['no pattern', '('],
  ['a look ahead', '^(?=.*\\d).{8}$'],
  ['a reference', '^(a)\\1$'],
  ['a class of nothing', '^[]$'],
  ['a text that is too long', '^(a{1000}){1000}$'],
  ['a pattern that is too long', 'a'.repeat(1001)],
])('makes nothing of %s', (_name, pattern) => {
  expect(instanceOfPattern(pattern)).toBeUndefined();
});

it.each([
  ['^(?i:abc)$', 'abc'],
  ['^(?ms-i:a.c)$', 'aac'],
])('reads the flags of a group, where patterns have such: %s', (pattern, expected) => {
  expect(instanceOfPattern(pattern)).toBe(knowsFlags() ? expected : undefined);
});

it('never runs a pattern', () => {
  expect(instanceOfPattern('^(a+)+(a|a)*(.*.*.*)*b$', 5000)).toMatch(/^a+b$/);
});

const atom = fc.constantFrom('a', '\\d', '[A-F]', '[^x]', '\\w', '.', '\\.', '-', '(?:ab|c)', '[\\d_]', '\\s');
const quantifier = fc.constantFrom('', '?', '*', '+', '{3}', '{2,}', '{0,2}', '{1,4}?');
const anyPattern = fc
  .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 6 })
  .map((parts) => `^${parts.map(([one, count]) => one + count).join('')}$`);

it('makes a text that the pattern matches', () => {
  fc.assert(
    fc.property(anyPattern, fc.nat(8), (pattern, least) => {
      expect(instanceOfPattern(pattern, least)).toMatch(new RegExp(pattern, 'u'));
    }),
    propertySettings(),
  );
});

/** From Node 23 on. */
function knowsFlags(): boolean {
  try {
    return /(?i:a)/.test('A');
  } catch {
    return false;
  }
}
