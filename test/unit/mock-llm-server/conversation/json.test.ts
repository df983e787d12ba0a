import { expect, it } from 'vitest';
import { parseJson } from '../../../../mock-llm-server/conversation/json.ts';

it('parseJson parses JSON', () => {
  expect(parseJson('{"a": [1, "\\u0041"]}')).toEqual({ a: [1, 'A'] });
});

// Put together here, so that no scanner takes it for a real one.
const key = `sk-${'proj0123456789'}`;

it.each([
  ['at the start', key],
  ['as a value', `{"a": ${key}}`],
  ['behind a long text', `{"a": "${'x'.repeat(100)}", "b": ${key}}`],
  ['as a name', `{${key}: 1}`],
  ['behind a word', `[nul${key}]`],
  ['behind a comma', `[,${key}]`],
  ['behind a quote', `{"a": 1 "${key}"}`],
  ['behind the end', `{}${key}`],
  ['behind a line end', `[1,\n\n']${key}`],
  ['in a text with a line end', `"${key}\n"`],
  ['in a text with a wrong escape', `"\\${key}"`],
  ['in a text without an end', `["${key}`],
])('says why, without what stands there: %s', (_where, text) => {
  const parse = () => parseJson(text);
  expect(parse).toThrow(SyntaxError);
  expect(parse).toThrow(/\bJSON\b/);
  expect(parse).not.toThrow(/k-|proj/);
});

it('parseJson names the character at fault', () => {
  expect(() => parseJson(`{"a": ${key}}`)).toThrow("Unexpected token 's' in JSON");
});
