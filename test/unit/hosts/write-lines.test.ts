import { describe, expect, it } from 'vitest';
import { asJsonLine, createLineWriter } from '../../../src/hosts/write-lines.ts';

describe('asJsonLine', () => {
  it.each<readonly [name: string, value: object, line: string]>([
    ['keeps ordinary text', { text: 'ä€😀' }, '{"text":"ä€😀"}'],
    ['escapes the ends of lines', { text: 'a\nb\u2028c\u2029d\u0085' }, '{"text":"a\\nb\\u2028c\\u2029d\\u0085"}'],
    [
      'escapes control characters of terminals',
      { text: '\u001b[31m\u009b\u007f' },
      '{"text":"\\u001b[31m\\u009b\\u007f"}',
    ],
    ['escapes lone surrogates, which UTF-8 cannot encode', { text: 'a\ud83d' }, '{"text":"a\\ud83d"}'],
  ])('%s', (_name, value, line) => {
    expect(asJsonLine(value)).toBe(line);
    expect(JSON.parse(asJsonLine(value))).toEqual(value);
  });
});

describe('createLineWriter', () => {
  it('writes each object with its line feed at once, and returns whether the output is open', async () => {
    const written: string[] = [];
    const writeLine = createLineWriter(async (text) => written.push(text) < 2);
    expect([await writeLine({ a: 1 }), await writeLine({ b: '\n' })]).toEqual([true, false]);
    expect(written).toEqual(['{"a":1}\n', '{"b":"\\n"}\n']);
  });
});
