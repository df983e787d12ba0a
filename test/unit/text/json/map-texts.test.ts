import { expect, it } from 'vitest';
import { mapTexts, sortKeys } from '../../../../src/text/json/map-texts.ts';

it('mapTexts changes each text of a value, the keys included, and nothing else', () => {
  const value = { b: ['x', 1, null, { y: true }], a: 'z' };
  expect(JSON.stringify(mapTexts(value, (text) => text.toUpperCase()))).toBe('{"B":["X",1,null,{"Y":true}],"A":"Z"}');
});

it('sortKeys sorts the keys at every depth, and keeps the order of lists', () => {
  expect(JSON.stringify(sortKeys({ b: [{ d: 1, c: null }, 'a'], a: 'z' }))).toBe(
    '{"a":"z","b":[{"c":null,"d":1},"a"]}',
  );
});
