import { expect, it } from 'vitest';
import { textsInData } from '../../../src/schema/answer-form.ts';

it.each([
  ['{"a":1}{"b":"}{"}', ['{"a":1}', '{"b":"}{"}']],
  ['{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
  ['{\n"a":1}', ['{\n"a":1}']],
  ['{"a":1}{"b":', ['{"a":1}{"b":']],
  ['{"a":1}{b}', ['{"a":1}{b}']],
  ['data: [DONE]', ['[DONE]']],
  [': PROCESSING', []],
])('the texts in the answer %j are read', (data, texts) => {
  expect(textsInData(data)).toEqual(texts);
});
