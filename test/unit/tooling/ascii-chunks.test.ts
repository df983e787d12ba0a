import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { toAscii } from '../../../tooling/build/ascii-chunks.ts';

it.each([
  ["'é'", 'é'],
  ['"a\\nß"', 'a\nß'],
  ['`▌ä`', '▌ä'],
  ["'😀'", '😀'],
  ["/^[à-ö]$/.test('ç')", true],
  ["/^[😀-😂]$/u.test('😁')", true],
  ["((größe) => größe)('x')", 'x'],
  ["'plain'", 'plain'],
])('the text %s is equivalent in ASCII', (code, expected) => {
  const ascii = toAscii(code);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  expect(runInNewContext(ascii)).toEqual(expected);
});

it.each(["'\\é'", 'String.raw`a é`'])('the text %s must be written with an escape', (code) => {
  expect(() => toAscii(code)).toThrow('write this character as an escape: ');
});
