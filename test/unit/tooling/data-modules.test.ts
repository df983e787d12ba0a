import { expect, it } from 'vitest';
import { codeOf } from '../../../tooling/build/data-modules.ts';

const load = (access: string) => `load(${access})`;

it('a data module contains a value as code, and its schemas as functions that load them', () => {
  const value = { a: [1, 'x\n', null, true], 'b c': { zod: () => undefined } };
  expect(codeOf(value, 'VALUE', load)).toBe(String.raw`{"a":[1,"x\n",null,true],"b c":{"zod":load(VALUE["b c"].zod)}}`);
});

it.each([
  [{ a: undefined }, 'VALUE.a'],
  [[Number.NaN], 'VALUE[0]'],
  [{ a: { load: () => 1 } }, 'VALUE.a.load'],
  [{ a: new Map() }, 'VALUE.a'],
])('a data module cannot contain %j, which is not JSON', (value, place) => {
  expect(() => codeOf(value, 'VALUE', load)).toThrow(`${place} is not JSON`);
});
