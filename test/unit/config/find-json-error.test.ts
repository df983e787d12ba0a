import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from '../../../src/config/find-json-error.ts';
import { propertySettings } from '../../support/property.ts';

const rows: readonly (readonly [text: string, line: number, column: number, reason: string])[] = [
  ['', 1, 1, 'it ends where a value is expected'],
  ['{', 1, 2, 'it ends where a name in double quotes or } is expected'],
  ['[', 1, 2, 'it ends where a value or ] is expected'],
  ['{"a"', 1, 5, 'it ends where : is expected'],
  ['{"a": 1', 1, 8, 'it ends where , or } is expected'],
  ['{"a": 1,', 1, 9, 'it ends where a name in double quotes is expected'],
  ['[1', 1, 3, 'it ends where , or ] is expected'],
  ['{\n  "a": 1,\n}', 3, 1, 'there is a comma too many'],
  ['[1, 2,]', 1, 7, 'there is a comma too many'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma is missing'],
  ['["a" "b"]', 1, 6, 'a comma is missing'],
  ['{\n  // why\n}', 2, 3, 'JSON has no comments'],
  ['{"a": 1} # why', 1, 10, 'JSON has no comments'],
  ["{'a': 1}", 1, 2, 'texts stand in double quotes'],
  ['{"a": "b}', 1, 7, 'this text does not end, or holds an escape that JSON does not have'],
  ['{"a": "C:\\dir"}', 1, 7, 'this text does not end, or holds an escape that JSON does not have'],
  ['{a: 1}', 1, 2, 'expected a name in double quotes or }, found "a"'],
  ['{"a": 1, b: 2}', 1, 10, 'expected a name in double quotes, found "b"'],
  ['{"a" "b"}', 1, 6, 'expected :, found "\\""'],
  ['{"a" 1}', 1, 6, 'expected :, found "1"'],
  ['{"a": yes}', 1, 7, 'expected a value, found "y"'],
  ['{"a": 01}', 1, 7, 'expected a value, found "0"'],
  ['[x]', 1, 2, 'expected a value or ], found "x"'],
  ['{"a": 1} }', 1, 10, 'expected the end of the file, found "}"'],
  ['[1}', 1, 3, 'expected , or ], found "}"'],
  ['{"a": 1]', 1, 8, 'expected , or }, found "]"'],
  ['{} ""', 1, 4, 'expected the end of the file, found "\\""'],
];

describe('findJsonError', () => {
  it.each(rows)('%j', (text, line, column, reason) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonError(text)).toEqual({ line, column, reason });
  });

  it('finds nothing in JSON', () => {
    const json = fc.json();
    const property = fc.property(json, (text) => findJsonError(` ${text}\n`) === undefined);
    return fc.assert(property, propertySettings());
  });

  it('agrees with JSON.parse about texts with one character changed', () => {
    const character = fc.constantFrom(...'{}[]",:0123eE+-.tfn\\/ \n\u0001\u007fü');
    const property = fc.property(fc.json(), fc.nat(), character, fc.boolean(), (text, place, changed, insert) => {
      const at = place % (text.length + 1);
      const broken = text.slice(0, at) + changed + text.slice(insert ? at : at + 1);
      expect(findJsonError(broken) === undefined).toBe(parses(broken));
    });
    return fc.assert(property, propertySettings(1_000));
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
