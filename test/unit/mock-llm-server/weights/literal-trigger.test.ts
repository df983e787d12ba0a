import { describe, expect, test } from 'vitest';
import { readLiteralTrigger } from '../../../../mock-llm-server/weights/script/literal-trigger.ts';

describe('a trigger that is a literal', () => {
  test.each([
    ['Write A File', 'write a file', true, 'any', 'any'],
    [{ text: 'Write' }, 'write', true, 'any', 'any'],
    [{ regex: '\\bfix the test\\b' }, 'fix the test', true, 'word', 'word'],
    [{ regex: '^Fix' }, 'fix', true, 'text', 'any'],
    [{ regex: 'done$' }, 'done', true, 'any', 'text'],
    [{ regex: '^done\\b' }, 'done', true, 'text', 'word'],
    [{ regex: 'What\\? 1\\.0 \\(a\\/b\\)', flags: '' }, 'What? 1.0 (a/b)', false, 'any', 'any'],
    [{ regex: 'a\\nb\\\\' }, 'a\nb\\', true, 'any', 'any'],
    [{ regex: 'a\\\\b' }, 'a\\b', true, 'any', 'any'],
    [{ regex: 'costs 5\\$' }, 'costs 5$', true, 'any', 'any'],
  ] as const)('%j is read', (trigger, text, ignoresCase, start, end) => {
    expect(readLiteralTrigger(trigger)).toEqual([{ text, ignoresCase, start, end }]);
  });

  test.each([
    ['Öffne die Datei', ['öffne die datei', 'Öffne die datei']],
    ['STRASSE ẞ', ['strasse ß', 'strasse ẞ']],
    ['İstanbul', ['i\u0307stanbul', 'İstanbul']],
    [{ regex: '^ÄB' }, ['äb', 'Äb']],
    [{ regex: 'Äb', flags: '' }, ['Äb']],
    ['日本語', ['日本語']],
  ] as const)('%j has the spellings of servers that change the letters a to z alone', (trigger, texts) => {
    const read = readLiteralTrigger(trigger);
    expect('reason' in read ? read : read.map(({ text }) => text)).toEqual(texts);
  });

  test.each([
    [{ regex: 'a.b' }, 'regex', '/a.b/ is not a literal'],
    [{ regex: 'a|b' }, 'regex', '/a|b/ is not a literal'],
    [{ regex: 'files?' }, 'regex', '/files?/ is not a literal'],
    [{ regex: '\\d' }, 'regex', '/\\d/ is not a literal'],
    [{ regex: 'a\\bb' }, 'regex', '/a\\bb/ is not a literal'],
    [{ regex: '^' }, 'regex', '/^/ is not a literal'],
    [{ regex: '\\b\\b' }, 'regex', '/\\b\\b/ is not a literal'],
    [{ regex: '^a', flags: 'm' }, 'regex', '/^a/m is not a literal'],
    [{ regex: '$a' }, 'regex', '/$a/ is not a literal'],
    ['a\0b', undefined, 'a chat template cannot contain U+0000'],
    [{ text: 'a', chance: 0.5 }, 'chance', 'a chat template cannot test the condition "chance"'],
  ] as const)('%j is refused', (trigger, field, reason) => {
    expect(readLiteralTrigger(trigger)).toMatchObject({ field, reason });
  });
});
