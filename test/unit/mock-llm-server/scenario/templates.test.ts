import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TemplateText } from '../../../../mock-llm-server/scenario/format/intent-format.ts';
import {
  fillJsonTemplate,
  fillTemplate,
  fillTemplatesIn,
  groupsIn,
  resultsIn,
  type TemplateValues,
} from '../../../../mock-llm-server/scenario/templates.ts';
import { anyText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** The reason and the fix of a text that the schema rejects. */
const problemOf = (text: string) => TemplateText.safeParse(text).error?.issues[0]?.message.replace(/\n(?=.*$)/, '; ');

const values: TemplateValues = {
  match: { file: 'a.txt', $x1: '{{last_user}}', quoted: 'say "hi"\n' },
  lastUser: 'note it',
  toolResults: ['first', 'second', '{"a": "\\"}'],
};
const nothing: TemplateValues = { match: {}, lastUser: undefined, toolResults: [] };
const part: TemplateValues = { ...nothing, toolResults: ['a', { id: 'c2', name: 'ls' }] };
const one: TemplateValues = { ...nothing, toolResults: ['a'] };

describe('fillTemplate', () => {
  it.each([
    ['no template', 'plain { } }} text', 'plain { } }} text'],
    ['a group', 'in {{match.file}}.', 'in a.txt.'],
    ['spaces inside', '{{  match.file }}', 'a.txt'],
    ['several', '{{match.file}}{{match.file}} {{last_user}}', 'a.txta.txt note it'],
    ['a result by number', '{{tool_result 2}}', 'second'],
    ['the last result', '{{tool_result last}}', '{"a": "\\"}'],
    ['a value is not looked at again', '{{match.$x1}}', '{{last_user}}'],
    ['literal braces', '{{{{ name }}', '{{ name }}'],
    ['four literal braces', '{{{{{{{{', '{{{{'],
    ['a brace before a template', '{{{match.file}}}', '{a.txt}'],
    ['literal braces before a template', '{{{{{{match.file}}', '{{a.txt'],
    ['literal braces and one more', '{{{{{a', '{{{a'],
    ['an object in one line', '{"a":{"b":{}}}', '{"a":{"b":{}}}'],
  ])('fills %s', (_name, text, expected) => {
    expect(problemOf(text)).toBeUndefined();
    expect(fillTemplate(text, values)).toBe(expected);
  });

  it('uses the last result that exists as the last one', () => {
    expect(fillTemplate('{{tool_result last}}', part)).toBe('a');
  });

  it.each([
    ['{{match.other}}', values, '{{match.other}} has no value: the trigger matched the groups file, $x1, quoted'],
    ['{{match.toString}}', values, '{{match.toString}} has no value: the trigger matched the groups file, $x1, quoted'],
    ['{{match.a}}', nothing, '{{match.a}} has no value: the trigger matched no named groups in this request'],
    ['{{tool_result 4}}', values, '{{tool_result 4}} has no value: the current run has 3 results'],
    ['{{tool_result last}}', nothing, '{{tool_result last}} has no value: the current run has 0 results'],
    ['{{tool_result 2}}', one, '{{tool_result 2}} has no value: the current run has 1 result'],
    ['{{tool_result 2}}', part, '{{tool_result 2}} has no value: the call c2 to ls has no result'],
    ['{{tool_result 3}}', part, '{{tool_result 3}} has no value: the current run has 1 result'],
    ['{{last_user}}', nothing, '{{last_user}} has no value: the current run has no text of the user'],
  ])('explains a missing value: %s', (text, given, message) => {
    expect(() => fillTemplate(text, given)).toThrow(expect.objectContaining({ name: 'TemplateError', message }));
  });
});

describe('TemplateText', () => {
  const known = '{{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}';

  it.each([
    ['{{user}}', '{{user}} is not a template; write {{last_user}}, or {{{{ for literal braces'],
    ['{{env.HOME}}', `{{env.HOME}} is not a template; write one of ${known}, or {{{{ for literal braces`],
    ['{{match.}}', `{{match.}} is not a template; write one of ${known}, or {{{{ for literal braces`],
    [
      '{{tool_result 0}}',
      '{{tool_result 0}} is not a template: results are counted from 1; write {{tool_result 1}}, or {{{{ for literal braces',
    ],
    ['{{tool_result}}', '{{tool_result}} is not a template; write {{tool_result last}}, or {{{{ for literal braces'],
    ['{{ last_user() }}', '{{last_user()}} is not a template; write {{last_user}}, or {{{{ for literal braces'],
    ['a {{last_user', 'the template at "{{last_user" is not closed with }}; write {{{{ for literal braces'],
    [
      `{{${'x'.repeat(50)}`,
      `the template at "{{${'x'.repeat(38)}…" is not closed with }}; write {{{{ for literal braces`,
    ],
  ])('rejects %s', (text, fault) => {
    expect(problemOf(text)).toBe(fault);
    expect(() => fillTemplate(text, values)).toThrow(fault);
    expect([...groupsIn(text), ...resultsIn(text)]).toEqual([]);
  });
});

it('groupsIn names the groups that a text needs', () => {
  expect(groupsIn('{{match.a}} {{last_user}} {{{{match.c}} {{match.b}}')).toEqual(['a', 'b']);
});

it('resultsIn names the results that a text needs', () => {
  expect(resultsIn('{{tool_result 2}} {{last_user}} {{{{tool_result 3}} {{tool_result last}}')).toEqual([2, 'last']);
});

describe('fillJsonTemplate', () => {
  const given = { ...values, match: { quoted: 'say "hi"\n', json: '{"a":["b"]}' } };
  it.each([
    ['a value inside a string', '{"q": "{{match.quoted}}"}', { q: 'say "hi"\n' }],
    ['JSON inside a string', '{"q": "<{{match.json}}>"}', { q: '<{"a":["b"]}>' }],
    ['JSON as a whole', ' {{match.json}} ', { a: ['b'] }],
    ['JSON as a value', '{"q": [{{match.json}}, "{{match.quoted}}"]}', { q: [{ a: ['b'] }, 'say "hi"\n'] }],
    ['a value after an escaped quote', '{"q": "\\"{{match.quoted}}\\\\"}', { q: '"say "hi"\n\\' }],
    [
      'a value after a string with an escaped backslash',
      '{"p": "\\\\", "q": {{match.json}}}',
      { p: '\\', q: { a: ['b'] } },
    ],
    ['a value after one with quotes', '{"p": "{{match.quoted}}{{match.json}}"}', { p: 'say "hi"\n{"a":["b"]}' }],
    ['literal braces', '{"q": "{{{{x}}"}', { q: '{{x}}' }],
  ])('fills %s', (_what, text, expected) => {
    expect(JSON.parse(fillJsonTemplate(text, given))).toEqual(expected);
  });
});

it('fillTemplatesIn fills the texts and the names of fields of a value', () => {
  const value = { '{{last_user}}': ['{{match.file}}', 1, null, true, { deep: '{{tool_result 1}}' }] };
  expect(fillTemplatesIn(value, values)).toEqual({ 'note it': ['a.txt', 1, null, true, { deep: 'first' }] });
});

describe('templates in any text', () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '{{', '}}', 'match.file', ' ', 'a', '"', '\\', '\n'),
  });

  it('either have a syntax error or can be filled', () => {
    const property = fc.property(text, (given) => {
      const fault = problemOf(given);
      const outcome = () => fillTemplate(given, values);
      if (fault !== undefined) expect(outcome).toThrow();
      else if (groupsIn(given).some((name) => name !== 'file')) expect(outcome).toThrow(' has no value: ');
      else if (!given.includes('{{{{')) expect(outcome()).not.toContain('{{match.file}}');
      else expect(outcome).not.toThrow();
    });
    fc.assert(property, propertySettings(50));
  });

  it('return the text itself if its braces are doubled', () => {
    const property = fc.property(text, (given) => {
      expect(fillTemplate(given.replaceAll('{{', '{{{{'), values)).toBe(given);
    });
    fc.assert(property, propertySettings(50));
  });

  it('keep a value that is filled into JSON', () => {
    const property = fc.property(anyText, (value) => {
      const filled = fillJsonTemplate('{"v":"{{last_user}}"}', { ...values, lastUser: value });
      expect(JSON.parse(filled)).toEqual({ v: value });
    });
    fc.assert(property, propertySettings(50));
  });
});
