import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { ScenarioError } from '../../../../mock-llm-server/scenario/problems.ts';
import { anyText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** The problems of a text in short: `line:column reason / fix`. */
function problemsOf(text: string): string[] {
  try {
    parseScenarioFile(text, 'a.json');
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.problems.map(({ path, reason, fix }) => {
      const position = path.replace(/^line (\d+), column (\d+)$/, '$1:$2');
      return `${position} ${reason.replace('not valid JSON: ', '')} / ${fix}`;
    });
  }
}

describe('parseScenarioFile', () => {
  it.each<readonly [string, ...string[]]>([
    ['{"a": 1,\n}', '2:1 there is a comma before } / remove the comma'],
    ['[1, 2,\n]', '2:1 there is a comma before ] / remove the comma'],
    ['{"a": }', '1:7 a value is expected here / write a value'],
    ['[,]', '1:2 a value is expected here / write a value'],
    ['{"a" 1}', '1:6 a colon is missing before this / write a : after the field name'],
    ['{"a": 1\n "b": 2}', '2:2 a comma is missing before this / put a comma between the two'],
    ['{"a": [1}', '1:9 } closes what another bracket opened / close the inner bracket first'],
    ['{1: 2}', '1:2 a field name is expected here / write a field name in double quotes'],
    ['{a: 2}', '1:2 a is not a value / write a string in double quotes'],
    ["{'a': 2}", '1:2 a string is in single quotes / use double quotes'],
    ['{"a": "b\n"}', '1:7 the string is not closed / close it with "; write a line break as \\n'],
    ['{"a": "\\d"}', '1:7 the string has an invalid escape / write a \\ as \\\\'],
    ['{"a": "\\u12"}', '1:7 the string has an invalid escape / write \\u with four hexadecimal digits'],
    ['{"a": "b\tc"}', '1:7 the string has a control character / write a tab as \\t'],
    ['{\n // why\n}', '2:2 JSON has no comments / remove the comment, or write the file as YAML'],
    ['{\n # why\n}', '2:2 JSON has no comments / remove the comment, or write the file as YAML'],
    ['{"a": [{"b": 1', '1:15 the text ends too early / close every { and [ that is open'],
    [' \n', '2:1 the file is empty / write {"scenarios": [ … ]}'],
    ['{} {}', '1:4 there is text after the end / remove the text after the last }'],
    ['[1.]', '1:2 the number is incomplete / write it like 1, -2.5 or 1e3'],
    ['[01]', '1:3 a comma is missing before this / put a comma between the two'],
    ['[;]', '1:2 ; is not a value / write a string in double quotes'],
    [
      '{\n"a": 1,\n"\\u0061": 2,\n"a": 3}',
      '3:1 the field "a" occurs twice, in line 2 and line 3 / remove one of the two',
      '4:1 the field "a" occurs twice, in line 2 and line 4 / remove one of the two',
    ],
  ])('reports the position, the reason and the fix for %j', (text, ...expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it('accepts equal fields of different objects', () => {
    const text = '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}';
    expect(problemsOf(text).filter((problem) => problem.includes('twice'))).toEqual([]);
  });

  it('reports a syntax error exactly for the texts that JSON.parse rejects', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value, null, 1));
    const pieces = fc.constantFrom('', ',', '"', '}', ']', '{', ':', '1', '\\', '\u0001', ' ');
    const broken = fc.tuple(json, fc.nat(), pieces).map(([text, index, piece]) => {
      const start = index % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + 1);
    });
    fc.assert(
      fc.property(fc.oneof(json, broken, anyText), (text) => {
        const problems = problemsOf(text);
        const isSyntaxError = problems.some((problem) => /^(?:\d+:\d+|\$ looks like YAML)/.test(problem));
        expect([text, isSyntaxError && !problems.some((problem) => problem.includes('occurs twice'))]).toEqual([
          text,
          !isJson(text.replace(/^\uFEFF/, '')),
        ]);
      }),
      propertySettings(120),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
