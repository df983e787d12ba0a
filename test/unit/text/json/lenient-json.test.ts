import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLenientObject } from '../../../../src/text/json/lenient-json.ts';

describe('a text that a model meant as a JSON object', () => {
  it.each([
    ['single quotes and an extra comma', "{'path':'a.txt',}", '{"path":"a.txt"}'],
    ['an extra comma in a list', '{"a":[1,2,],}', '{"a":[1,2]}'],
    ['a missing brace', '{"path":"a.txt"', '{"path":"a.txt"}'],
    ['two missing brackets', '{"a":[{"b":"c"}', '{"a":[{"b":"c"}]}'],
    ['a missing bracket before the outer one', '{"a":["b"}', '{"a":["b"]}'],
    ['a missing brace before the bracket', '{"a":[{"b":1]}', '{"a":[{"b":1}]}'],
    ['a missing brace after a literal', '{"a":true', '{"a":true}'],
    ['an extra brace', '{"path":"a.txt"}}', '{"path":"a.txt"}'],
    ['keys without quotes', '{path: "a.txt", max_results: 5}', '{"path":"a.txt","max_results":5}'],
    ['literals of Python', "{'a': True, 'b': False, 'c': None}", '{"a":true,"b":false,"c":null}'],
    ['numbers', '{a: -1.5e3, b: 12345678901234567890}', '{"a":-1.5e3,"b":12345678901234567890}'],
    ['a line break and a tab in a string', '{"content":"a\n\tb"}', String.raw`{"content":"a\n\tb"}`],
    ['an escape of a regular expression', String.raw`{"pattern":"\d+\.ts"}`, String.raw`{"pattern":"\\d+\\.ts"}`],
    ['an escaped single quote', String.raw`{"a":"it\'s"}`, '{"a":"it\'s"}'],
    ['escapes of JSON', String.raw`{'a':'\u00e9\n\"\\ "b"'}`, String.raw`{"a":"\u00e9\n\"\\ \"b\""}`],
    ['typographic quotes', '{\u201cpath\u201d: \u201ca.txt\u201d}', '{"path":"a.txt"}'],
    ['comments', '{// the file\n"path": /* here */ "a.txt"}', '{"path":"a.txt"}'],
    ['a fence', '```json\n{"path":"a.txt",}\n```', '{"path":"a.txt"}'],
    ['an object in a string', String.raw`"{\"path\": \"a.txt\"}"`, '{"path":"a.txt"}'],
    ['an object with mistakes in a string', `"{'path': 'a.txt'}"`, '{"path":"a.txt"}'],
    ['an empty string', '""', '{}'],
    ['null', 'null', '{}'],
    ['an empty object before the arguments', '{}{"path":"a.txt"}', '{"path":"a.txt"}'],
    ['the same object twice', '{"path":"a.txt"}{"path":"a.txt"}', '{"path":"a.txt"}'],
    ['an empty string after it', '{"path":"a.txt"}""', '{"path":"a.txt"}'],
    ['an empty object after it', '{"path":"a.txt"}{}', '{"path":"a.txt"}'],
    ['an escaped line break between values', String.raw`{"a": \n[1, 2]\n\n}`, '{"a":[1,2]}'],
    ['a path of Windows', String.raw`{"path":"C:\Users\me"}`, String.raw`{"path":"C:\\Users\\me"}`],
    ['a special token after it', '{"path":"a.txt"}<|im_end|>', '{"path":"a.txt"}'],
    ['a tag after it', '{"path":"a.txt"}\n</tool_call>', '{"path":"a.txt"}'],
    ['two pairs of braces', '{{path:"a.txt"}}', '{"path":"a.txt"}'],
    ['tokens in place of quotes', '{<|"|>path<|"|>:<|">a.txt<|">}', '{"path":"a.txt"}'],
    ['a token in a string', `{'a':'b <|"|> c'}`, String.raw`{"a":"b <|\"|> c"}`],
    [
      'quotes and a backslash between tokens',
      String.raw`{a:<|"|>"b", c: "\n"<|"|>}`,
      String.raw`{"a":"\"b\", c: \"\\n\""}`,
    ],
    ['markup of DeepSeek after it', '{"path":"a.txt"}</｜DSML｜parameter>', '{"path":"a.txt"}'],
    ['beginnings of the object before it', '{"pa{"path":"a.{"path":"a.{"path":"a.txt"}', '{"path":"a.txt"}'],
    ['beginnings that end ahead of a bracket', '{"a":{"a":{"b"{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['the same list in an object twice', '{"a":[]}{"a":[]}', '{"a":[]}'],
  ])('is repaired: %s', (_mistake, text, expected) => {
    expect(readLenientObject(text)).toBe(expected);
    JSON.parse(expected);
  });

  it.each([
    ['a string without its end', '{"path":"a.t'],
    ['a string that ends in a backslash', '{"path":"a\\'],
    ['a key without its end', '{"pa'],
    ['a key without a value', '{"path":'],
    ['a key without a colon', '{"path"'],
    ['a missing member after a comma', '{"path":"a.txt",'],
    ['a number that may be incomplete', '{"limit":1'],
    ['an object without escapes in a string', '{"content":"{"content":"x"}'],
    ['a quote inside of a string', '{"content":"say "hi" now"}'],
    ['an apostrophe in single quotes', "{'content':'it's'}"],
    ['a missing comma', '{"a":"b" "c":"d"}'],
    ['a word', '{"a":yes}'],
    ['a number that JSON lacks', '{"a":0x1f}'],
    ['half of an escape', String.raw`{"a":"\u12"}x`],
    ['an escape of Python', String.raw`{'a':'\x41'}`],
    ['the beginning of another object before it', '{"path":"b.t{"path":"a.txt"}'],
    ['something else before it', 'no{"path":"a.txt"}'],
    ['two different objects', '{"path":"a.txt"}{"path":"b.txt"}'],
    ['a sentence', 'Here is the call: {"path":"a.txt"}'],
    ['a sentence after it', '{"path":"a.txt"} as you wanted'],
    ['a list', '["a.txt"]'],
    ['a string', '"a.txt"'],
    ['a number', '5'],
    ['a colon without a key', '{!:1}'],
    ['a comment without its end', '{"a":1 /* x'],
    ['brackets without end', '['.repeat(100_000)],
    ['objects without end', '{"a":'.repeat(100_000)],
  ])('is rejected: %s', (_mistake, text) => {
    expect(readLenientObject(text)).toBeUndefined();
  });

  it('is never changed if it is already valid', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })), (object) => {
        const read = readLenientObject(JSON.stringify(object));
        expect(JSON.parse(read ?? 'null')).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it('never gains content if its end is missing', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (content, cut) => {
        const whole = JSON.stringify({ path: 'a', content });
        const read = readLenientObject(whole.slice(0, cut % whole.length));
        if (read === undefined) return;
        expect([{}, { path: 'a' }, { path: 'a', content }]).toContainEqual(JSON.parse(read));
      }),
    );
  });
});
